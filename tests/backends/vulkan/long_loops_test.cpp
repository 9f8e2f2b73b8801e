// SPDX-License-Identifier: MIT
// Operations that take more iterations than some drivers allow to an invocation
// (KernelTraits::max_iterations), against the CPU.
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/tensor/graph_builder.hpp"
#include "tests/backends/vulkan/waves.hpp"

namespace splitscope {
namespace {

/// The kernels of devices whose driver limits iterations.
class VulkanLongLoops : public VulkanVariants {
 protected:
    template <class Make>
    void expect_right(Make make) {
        expect_same(make, [](const vulkan::KernelTraits& t) { return t.summing_lanes == 0; });
    }
};

struct LongCache {
    ElementType type;
    std::int64_t width;
    std::int64_t value_width;
    std::int64_t keys;
};

TEST_F(VulkanLongLoops, AttentionOverALongCache) {
    // Plain caches are F32: with F16, the CPU rounds queries to F16, which long caches do not average out.
    const std::vector<LongCache> cases = {
        {ElementType::q8_0, 128, 128, 32000},
        {ElementType::f32, 576, 512, 10000},
        // Not divisible by eight.
        {ElementType::f32, 68, 68, 30001},
        {ElementType::f32, 64, 64, 100000},
        {ElementType::f32, 256, 256, 30000},
    };
    for (const LongCache& c : cases) {
        expect_right([&c](Waves& waves) {
            const TensorId q = waves.leaf(ElementType::f32, {c.width, 2, 1, 1}, 0, 2);
            const TensorId k = waves.leaf(c.type, {c.width, c.keys, 1, 1});
            const TensorId v = waves.leaf(c.type, {c.value_width, c.keys, 1, 1});
            const TensorId mask = waves.mask(c.keys, 2, {3, 17, 5000});
            const TensorId sinks = waves.leaf(ElementType::f32, {1, 1, 1, 1});
            const TensorId node =
                waves.node(Op::flash_attn_ext, {c.value_width, 1, 2, 1}, {q, k, v, mask, sinks});
            const std::array<float, 3> params{0.2F, 0, 0};
            std::memcpy(waves[node].op_params.data(), params.data(), sizeof(params));
        });
    }
}

TEST_F(VulkanLongLoops, ProductsOfDeepColumns) {
    expect_right([](Waves& waves) {
        const TensorId columns = waves.leaf(ElementType::f32, {70000, 9, 1, 1}, 0.5F);
        for (const ElementType type : {ElementType::f16, ElementType::f32})
            waves.node(Op::mul_mat, {5, 9, 1, 1}, {waves.leaf(type, {70000, 5, 1, 1}, 0.5F), columns});
    });
}

TEST_F(VulkanLongLoops, AllTokensChooseOneOfManyExperts) {
    expect_right([](Waves& waves) {
        constexpr std::int64_t kTokens = 2048;
        const TensorId ids = waves.ids_of_one_expert(1, kTokens);
        const TensorId columns = waves.leaf(ElementType::f32, {2048, 1, kTokens, 1});
        waves.node(Op::mul_mat_id, {16, 1, kTokens, 1},
                   {waves.leaf(ElementType::q4_0, {2048, 16, 64, 1}), columns, ids});
    });
}

TEST_F(VulkanLongLoops, ScansOfManyTokens) {
    constexpr std::int64_t kState = 48;
    constexpr std::int64_t kTokens = 40000;
    constexpr std::int64_t kSnapshots = 3;
    Waves waves;
    const TensorId state = waves.leaf(ElementType::f32, {kState, 1, 1, 1});
    const TensorId x = waves.leaf(ElementType::f32, {1, 1, kTokens, 1}, 0.5F);
    const TensorId dt = waves.leaf(ElementType::f32, {1, kTokens, 1, 1}, -4);
    const TensorId a = waves.leaf(ElementType::f32, {1, 1, 1, 1}, -0.1F, 0.01F);
    const TensorId b = waves.leaf(ElementType::f32, {kState, 1, kTokens, 1}, 0.5F);
    const TensorId c = waves.leaf(ElementType::f32, {kState, 1, kTokens, 1}, 0.5F);
    const TensorId ids = waves.numbers({0});
    const TensorId node =
        waves.node(Op::ssm_scan, {kTokens + kSnapshots * kState, 1, 1, 1}, {state, x, dt, a, b, c, ids});
    waves[node].op_params[0] = kSnapshots;
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLongLoops, Reductions) {
    Waves waves;
    const TensorId many = waves.leaf(ElementType::f32, {30000, 300, 1, 1}, 0.5F);
    waves.node(Op::sum, {1, 1, 1, 1}, {many});
    const TensorId logits = waves.leaf(ElementType::f32, {32000, 100, 1, 1});
    const TensorId labels = waves.leaf(ElementType::f32, {32000, 100, 1, 1}, 0.5F);
    waves.node(Op::cross_entropy_loss, {1, 1, 1, 1}, {logits, labels});
    const TensorId repeated = waves.leaf(ElementType::f32, {3 * 300, 2 * 300, 2, 1}, 0.5F);
    waves.node(Op::repeat_back, {3, 2, 1, 1}, {repeated});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLongLoops, EqualNumbersAreCounted) {
    Waves waves;
    const TensorId ids = waves.numbers(std::vector<std::int32_t>(9'000'000, 7));
    const TensorId node = waves.node(Op::count_equal, {1, 1, 1, 1}, {ids, ids});
    waves[node].type = ElementType::i64;
    waves[node].nb = contiguous_strides(ElementType::i64, {1, 1, 1, 1});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLongLoops, NormsOfGroups) {
    Waves waves;
    const TensorId image = waves.leaf(ElementType::f32, {2048, 1600, 1, 1}, 0.5F);
    const TensorId node = waves.node(Op::group_norm, {2048, 1600, 1, 1}, {image});
    waves[node].op_params[0] = 1;
    const float epsilon = 1e-5F;
    std::memcpy(&waves[node].op_params[1], &epsilon, sizeof(epsilon));
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLongLoops, LinearAlgebra) {
    Waves waves;
    const TensorId a = waves.leaf(ElementType::f32, {4, 70000, 1, 1}, 0.5F);
    const TensorId b = waves.leaf(ElementType::f32, {3, 70000, 1, 1}, 0.5F);
    waves.node(Op::out_prod, {4, 3, 1, 1}, {a, b});
    std::vector<std::int32_t> rows(70000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i % 5);
    waves.node(Op::get_rows_back, {4, 5, 1, 1}, {a, waves.numbers(rows)});
    const TensorId triangle = waves.leaf(ElementType::f32, {600, 600, 1, 1}, 1, 0.0001F);
    waves.node(Op::solve_tri, {3, 600, 1, 1}, {triangle, waves.leaf(ElementType::f32, {3, 600, 1, 1})});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

/// Where iterations are limited, invocations have one element each.
TEST_F(VulkanLongLoops, ManyElements) {
    Waves waves;
    const TensorId image = waves.leaf(ElementType::f32, {2100, 2100, 1, 1}, 0.5F);
    const TensorId kernel = waves.leaf(ElementType::f32, {3, 3, 1, 1}, 0.5F);
    const TensorId convolved = waves.node(Op::conv_2d, {2098, 2098, 1, 1}, {kernel, image});
    const std::array<std::int32_t, 6> params{1, 1, 0, 0, 1, 1};
    std::memcpy(waves[convolved].op_params.data(), params.data(), sizeof(params));
    const TensorId sides = waves.leaf(ElementType::f32, {2100, 2, 1, 1}, 0.5F);
    waves.node(Op::out_prod, {2100, 2100, 1, 1}, {sides, sides});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

/// Of attention over so many cells, for so many queries.
std::vector<vulkan::Pass> attention_passes(const vulkan::KernelTraits& traits, std::int64_t keys,
                                           std::int64_t queries) {
    GraphBuilder b("attention");
    const TensorId q = b.new_tensor(ElementType::f32, {128, queries, 32, 1}, "q");
    const TensorId k = b.new_tensor(ElementType::f16, {128, keys, 8, 1}, "k");
    const TensorId v = b.new_tensor(ElementType::f16, {128, keys, 8, 1}, "v");
    const TensorId out = b.flash_attention(q, k, v, {}, 0.1F, 0, 0);
    b.expand(out);
    const Graph graph = b.take();
    std::vector<vulkan::Pass> passes;
    vulkan::find_op(Op::flash_attn_ext)->plan({GraphView(graph), out, traits}, passes);
    return passes;
}

TEST(VulkanKernels, AreDividedOnlyWhereIterationsAreLimited) {
    vulkan::KernelTraits traits;
    traits.shared_bytes = 32768;
    EXPECT_EQ(attention_passes(traits, 1 << 20, 512).size(), 1U);
    EXPECT_EQ(attention_passes(traits, 1 << 20, 512).front().shader, "flash_attention_tiles_plain");
    traits.max_iterations = 65535;
    EXPECT_EQ(attention_passes(traits, 2048, 512).front().shader, "flash_attention_tiles_plain");
    EXPECT_EQ(attention_passes(traits, 1 << 20, 512).front().shader, "flash_attention_plain");
    EXPECT_GT(attention_passes(traits, 1 << 20, 512).size(), 16U);
    traits.reading_lanes = 8;
    EXPECT_EQ(attention_passes(traits, 1 << 18, 512).front().shader, "flash_attention_lanes");
    EXPECT_EQ(attention_passes(traits, 1 << 20, 512).front().shader, "flash_attention_plain");
}

}  // namespace
}  // namespace splitscope
