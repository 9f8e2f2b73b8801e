// SPDX-License-Identifier: MIT
// The kernels of attention that devices with other properties get: their results, and which are chosen.
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/waves.hpp"

namespace splitscope {
namespace {

struct AttentionCase {
    std::int64_t width = 64;
    std::int64_t value_width = 64;
    std::int64_t keys = 1000;
    std::int64_t queries = 1;
    std::int64_t heads = 8;
    std::int64_t key_heads = 2;
    ElementType keys_type = ElementType::f16;
    std::optional<ElementType> values_type = std::nullopt;  ///< if other than that of the keys
    bool sinks = false;
    float cap = 0;
    float max_bias = 0;      ///< of ALiBi
    bool nan_cells = false;  ///< some cells are masked for every query, with NaN as values
    float scale = 0.2F;
    std::array<float, 3> largest{1, 1, 1};  ///< magnitude of queries, keys and values
    std::int64_t batches = 1;
    bool mask = true;
    bool apart = false;  ///< rows of keys and values are padded by four elements
};

/// Adds the same attention twice and returns the tensor of its values.
TensorId add_attention(Waves& waves, const AttentionCase& c) {
    const ElementType values_type = c.values_type.value_or(c.keys_type);
    const auto cache = [&](ElementType type, std::int64_t width, float largest) {
        const TensorId id = waves.leaf(type, {width, c.keys, c.key_heads, c.batches}, 0, largest);
        if (c.apart) waves[id].nb = contiguous_strides(type, {width + 4, c.keys, c.key_heads, c.batches});
        return id;
    };
    const TensorId q =
        waves.leaf(ElementType::f32, {c.width, c.queries, c.heads, c.batches}, 0, c.largest[0]);
    const TensorId k = cache(c.keys_type, c.width, c.largest[1]);
    const TensorId v = cache(values_type, c.value_width, c.largest[2]);
    // Masked cells among others, whole tiles of them at the end.
    std::vector<std::int64_t> masked;
    for (std::int64_t cell = 0; c.nan_cells && cell < c.keys; ++cell) {
        if (cell % 11 == 3 || cell > c.keys * 5 / 8) masked.push_back(cell);
    }
    // The CPU supports it in values only; for keys, see VulkanAttention.
    for (const std::int64_t cell : masked) waves.spoil_row(v, cell);
    std::vector<TensorId> sources{q, k, v};
    sources.push_back(c.mask ? waves.mask(c.keys, c.queries, masked) : TensorId{});
    if (c.sinks) sources.push_back(waves.leaf(ElementType::f32, {c.heads, 1, 1, 1}));
    const Shape shape{c.value_width, c.heads, c.queries, c.batches};
    const TensorId node = waves.node(Op::flash_attn_ext, shape, sources);
    const std::array<float, 3> params{c.scale, c.max_bias, c.cap};
    std::memcpy(waves[node].op_params.data(), params.data(), sizeof(params));
    // Again, with the counters of the first.
    const TensorId again = waves.node(Op::flash_attn_ext, shape, sources);
    waves[again].op_params = waves[node].op_params;
    return v;
}

TEST_F(VulkanVariants, AttentionOverALongCacheAndInPrompts) {
    const std::vector<AttentionCase> cases = {
        {},  // divided
        {.width = 128, .value_width = 128, .keys = 2048, .heads = 4, .key_heads = 4, .sinks = true},
        {.keys = 1500, .queries = 3, .keys_type = ElementType::q8_0, .cap = 5},
        {.width = 96, .value_width = 64, .keys = 300, .queries = 37},  // tiles
        {.keys = 129, .queries = 70, .key_heads = 8, .keys_type = ElementType::f32, .sinks = true},
        {.width = 256, .value_width = 256, .keys = 400, .queries = 9},
        {.width = 40, .value_width = 24, .keys = 31, .queries = 5},
        {.width = 36, .value_width = 36, .keys = 50, .queries = 5},  // not divisible by eight
        {.width = 8,
         .value_width = 8,
         .keys = 105,
         .queries = 21,
         .heads = 8,
         .key_heads = 4,
         .nan_cells = true},
        {.width = 4,
         .value_width = 12,
         .keys = 90,
         .queries = 3,
         .keys_type = ElementType::f32,
         .sinks = true},
        // Few rows: 1, 2, 4, 8 and more heads share keys.
        {.keys = 256, .heads = 16, .key_heads = 8, .nan_cells = true},
        {.keys = 4500, .heads = 3, .key_heads = 3, .max_bias = 8, .nan_cells = true},
        {.width = 128, .value_width = 128, .keys = 2100, .heads = 8, .key_heads = 1, .sinks = true, .cap = 5},
        {.width = 128, .value_width = 128, .keys = 300, .heads = 18, .key_heads = 1, .max_bias = 8},
        {.width = 256, .value_width = 256, .keys = 1030, .heads = 4, .key_heads = 2, .nan_cells = true},
        {.width = 80, .value_width = 96, .keys = 70, .heads = 6, .key_heads = 2, .sinks = true},
        {.keys = 90, .queries = 4, .heads = 4, .keys_type = ElementType::f32, .nan_cells = true},
        {.width = 128, .value_width = 128, .keys = 1030, .keys_type = ElementType::q4_0},
        {.keys = 90, .keys_type = ElementType::bf16, .max_bias = 4},
        // Several values for each subgroup at once, with lanes that are left over or not.
        {.width = 16, .value_width = 16, .keys = 300, .heads = 16, .key_heads = 2},
        {.width = 24,
         .value_width = 24,
         .keys = 2100,
         .queries = 2,
         .heads = 6,
         .keys_type = ElementType::f32,
         .sinks = true,
         .nan_cells = true},
    };
    for (const AttentionCase& c : cases) {
        expect_same([&c](Waves& waves) { add_attention(waves, c); });
    }
}

TEST_F(VulkanVariants, PromptsWithKeysThatOnlySomeQueriesSee) {
    const std::vector<AttentionCase> cases = {
        // Maxima that grow from tile to tile.
        {.keys = 700, .queries = 40, .heads = 4, .scale = 3},
        {.width = 128,
         .value_width = 128,
         .keys = 300,
         .queries = 33,
         .keys_type = ElementType::q8_0,
         .sinks = true,
         .cap = 5},
        {.keys = 333, .queries = 65, .heads = 2, .key_heads = 1, .max_bias = 8, .nan_cells = true},
        {.width = 128, .value_width = 64, .keys = 256, .queries = 200, .key_heads = 1},
        {.width = 256, .value_width = 256, .keys = 96, .queries = 40, .keys_type = ElementType::q4_0},
        {.keys = 75,
         .queries = 40,
         .heads = 4,
         .keys_type = ElementType::q8_0,
         .values_type = ElementType::q4_0,
         .batches = 3},
        {.keys = 90, .queries = 33, .values_type = ElementType::bf16, .batches = 2},
        {.keys = 50, .queries = 64, .heads = 2, .sinks = true, .mask = false},
        {.keys = 70, .queries = 36, .apart = true},
        // Queries, keys or values beyond F16.
        {.keys = 100, .queries = 40, .keys_type = ElementType::q8_0, .scale = 1e-6F, .largest = {3e5F, 1, 1}},
        {.keys = 100, .queries = 40, .keys_type = ElementType::q8_0, .scale = 1e-6F, .largest = {1, 3e5F, 1}},
        {.keys = 700, .queries = 40, .keys_type = ElementType::q8_0, .scale = 3, .largest = {1, 1, 3e5F}},
    };
    for (const AttentionCase& c : cases) expect_same([&c](Waves& waves) { add_attention(waves, c); });
}

TEST_F(VulkanVariants, NaNReachesOnlyTheQueriesThatSeeIt) {
    for (const KernelVariant& variant : kernel_variants(rig_.device().logical()->physical())) {
        VulkanBackend backend(rig_.device());
        backend.set_kernels(variant.traits);
        // Large scores make most weights 0 in F32; kernels depend on the number of queries and on the width.
        for (const AttentionCase& c :
             {AttentionCase{.keys = 200, .queries = 50, .scale = 3},
              AttentionCase{.keys = 200, .queries = 50, .keys_type = ElementType::q8_0, .scale = 3},
              AttentionCase{.keys = 200, .queries = 4, .key_heads = 4, .scale = 3},
              AttentionCase{
                  .keys = 200, .queries = 70, .key_heads = 8, .keys_type = ElementType::f32, .scale = 3},
              AttentionCase{.width = 36, .value_width = 36, .keys = 200, .queries = 50, .scale = 5}}) {
            Waves waves;
            const TensorId values = add_attention(waves, c);
            // Visible to the last query only, and to the second half of the queries.
            waves.spoil_row(values, c.keys - 1);
            waves.spoil_row(values, c.keys - c.queries / 2);
            EXPECT_EQ(waves.misplaced_nans(backend), std::vector<std::string>{})
                << variant.name << ", " << c.queries << " queries of " << c.width;
        }
    }
}

using Groups = std::array<std::uint32_t, 3>;

/// The kernel that a device with these traits gets for 32 heads that share 8 heads of keys.
vulkan::Pass attention_pass(const vulkan::KernelTraits& traits, std::int64_t keys, std::int64_t queries,
                            ElementType type = ElementType::f16, std::int64_t width = 128) {
    GraphBuilder b("attention");
    const TensorId q = b.new_tensor(ElementType::f32, {width, queries, 32, 1}, "q");
    const TensorId k = b.new_tensor(type, {width, keys, 8, 1}, "k");
    const TensorId v = b.new_tensor(type, {width, keys, 8, 1}, "v");
    const TensorId mask = b.new_tensor(ElementType::f16, {keys, queries, 1, 1}, "mask");
    const TensorId out = b.flash_attention(q, k, v, mask, 0.1F, 0, 0);
    b.expand(out);
    const Graph graph = b.take();
    std::vector<vulkan::Pass> passes;
    vulkan::find_op(Op::flash_attn_ext)->plan({GraphView(graph), out, traits}, passes);
    EXPECT_EQ(passes.size(), 1U);
    return passes.front();
}

/// What is divided among work groups: attention of one token over a long cache, but not over a short one.
TEST(VulkanAttentionKernels, OneTokenIsDividedOverTheCache) {
    const auto pass_for = [](std::int64_t keys, std::int64_t queries, bool fixed_lanes = false) {
        vulkan::KernelTraits gpu;
        gpu.shared_bytes = 32768;
        gpu.summing_lanes = 32;
        gpu.fixed_lanes = fixed_lanes;
        gpu.group_invocations = 1024;
        return attention_pass(gpu, keys, queries);
    };
    const vulkan::Pass one = pass_for(8192, 1);
    EXPECT_EQ(one.shader, "flash_attention_tiles_plain");
    EXPECT_EQ(one.groups, (Groups{1, 8 * 16, 1})) << "16 parts for each of 8 heads";
    EXPECT_EQ(one.scratch, vulkan::ScratchUse::parts);
    EXPECT_EQ(pass_for(96, 1).groups, (Groups{1, 8, 1}));
    const vulkan::Pass prompt = pass_for(8192, 512);
    EXPECT_EQ(prompt.groups, (Groups{512 * 4 / 16, 8, 1}));
    EXPECT_EQ(prompt.scratch, vulkan::ScratchUse::none);

    const vulkan::Pass sums = pass_for(8192, 1, true);
    EXPECT_EQ(sums.shader, "flash_attention_sums_plain") << "each subgroup has its own keys";
    EXPECT_EQ(sums.groups, (Groups{1, 8 * 16, 1}));
    EXPECT_EQ(sums.scratch, vulkan::ScratchUse::parts);
    EXPECT_EQ(pass_for(256, 1, true).groups, (Groups{1, 8, 1}));
    EXPECT_EQ(pass_for(256, 1, true).scratch, vulkan::ScratchUse::none);
    EXPECT_EQ(pass_for(8192, 512, true).shader, "flash_attention_tiles_plain");
}

TEST(VulkanAttentionKernels, PromptsUseCooperativeMatrices) {
    const auto pass_for = [](std::int64_t queries, ElementType type, vulkan::MatrixShape shape,
                             std::uint32_t lanes, std::int64_t width = 128, std::int64_t keys = 512) {
        vulkan::KernelTraits gpu;
        gpu.shared_bytes = 49152;
        gpu.summing_lanes = lanes;
        gpu.fixed_lanes = true;
        gpu.halves = true;
        gpu.matrices = shape;
        gpu.matrix_lanes = lanes;
        gpu.group_invocations = 1024;
        return attention_pass(gpu, keys, queries, type, width);
    };
    constexpr vulkan::MatrixShape kUsual{16, 16, 16};
    const vulkan::Pass many = pass_for(512, ElementType::f16, kUsual, 32);
    EXPECT_EQ(many.shader, "flash_attention_matrices_plain");
    EXPECT_EQ(many.groups, (Groups{512 * 4 / 64, 8, 1}));
    EXPECT_EQ(many.constants[5], 1U | 4U | 8U | 16U) << "mask, keys, values and mask in words of 16 bytes";
    EXPECT_EQ(many.constants[7], 4 * 32U);
    EXPECT_EQ(pass_for(128, ElementType::f16, kUsual, 32).groups, (Groups{128 * 4 / 32, 8, 1}))
        << "more work groups of fewer rows";
    EXPECT_EQ(pass_for(512, ElementType::f16, kUsual, 32, 256).groups, (Groups{512 * 4 / 32, 8, 1}))
        << "results of 64 rows do not fit into registers";
    EXPECT_EQ(pass_for(512, ElementType::f16, kUsual, 32, 128, 500).constants[5], 1U | 4U | 8U);
    EXPECT_EQ(pass_for(512, ElementType::f16, {8, 8, 8}, 8).groups, (Groups{512 * 4 / 32, 8, 1}))
        << "four subgroups cover 32 rows";
    EXPECT_EQ(pass_for(128, ElementType::f16, kUsual, 64).groups, (Groups{128 * 4 / 64, 8, 1}))
        << "a row has at most four of 256 invocations";
    EXPECT_EQ(pass_for(512, ElementType::q8_0, kUsual, 32).shader, "flash_attention_matrices_small");
    EXPECT_EQ(pass_for(12, ElementType::f16, kUsual, 32, 128, 32768).shader, "flash_attention_tiles_plain")
        << "a long cache is divided among work groups";
    EXPECT_EQ(pass_for(64, ElementType::f16, kUsual, 32, 128, 32768).shader,
              "flash_attention_matrices_plain");
    const auto shader_for = [&](std::int64_t queries, ElementType type, vulkan::MatrixShape shape,
                                std::int64_t width = 128) {
        return pass_for(queries, type, shape, 32, width).shader;
    };
    EXPECT_EQ(shader_for(512, ElementType::f32, kUsual), "flash_attention_tiles_plain");
    EXPECT_EQ(shader_for(512, ElementType::bf16, kUsual), "flash_attention_tiles_plain");
    EXPECT_EQ(shader_for(4, ElementType::f16, kUsual), "flash_attention_tiles_plain") << "few rows";
    EXPECT_EQ(shader_for(512, ElementType::f16, {}), "flash_attention_tiles_plain");
    EXPECT_EQ(shader_for(512, ElementType::f16, kUsual, 72), "flash_attention_tiles_plain")
        << "not a multiple of the depth of a matrix";
    EXPECT_EQ(shader_for(512, ElementType::f16, {16, 4, 16}), "flash_attention_tiles_plain");
}

}  // namespace
}  // namespace splitscope
