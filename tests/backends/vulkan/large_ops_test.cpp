// SPDX-License-Identifier: MIT
// Products and attention large enough for the shaders of devices in software, against the CPU.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/backends/vulkan/waves.hpp"

namespace splitscope {
namespace {

bool is_float_or_quantised(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 ||
           (traits_of(type).block_elements > 1 && can_decode(type));
}

/// Zeros, followed by memory that cannot be read.
class PagesBeforeAHole {
 public:
    explicit PagesBeforeAHole(std::size_t bytes) : bytes_(bytes) {
        void* const all =
            mmap(nullptr, 2 * bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED) throw std::bad_alloc();
        memory_ = static_cast<std::byte*>(all);
        mprotect(memory_ + bytes_, bytes_, PROT_NONE);
    }
    ~PagesBeforeAHole() { munmap(memory_, 2 * bytes_); }
    PagesBeforeAHole(const PagesBeforeAHole&) = delete;
    PagesBeforeAHole& operator=(const PagesBeforeAHole&) = delete;
    std::span<const std::byte> bytes() const { return {memory_, bytes_}; }

 private:
    std::size_t bytes_;
    std::byte* memory_ = nullptr;
};

TEST_F(VulkanLargeOps, ProductsOfFewColumns) {
    Waves waves;
    const TensorId column = waves.leaf(ElementType::f32, {512, 2, 1, 1});
    for (const ElementType type :
         {ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::q4_0, ElementType::q4_1,
          ElementType::q5_0, ElementType::q5_1, ElementType::q8_0, ElementType::iq4_nl, ElementType::q2_K,
          ElementType::q4_K, ElementType::q5_K, ElementType::q6_K})
        waves.node(Op::mul_mat, {70, 2, 1, 1}, {waves.leaf(type, {512, 70, 1, 1}), column});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, ProductsOfManyColumns) {
    Waves waves;
    const TensorId columns = waves.leaf(ElementType::f32, {288, 77, 1, 2});
    waves.node(Op::mul_mat, {201, 77, 1, 2}, {waves.leaf(ElementType::q4_0, {288, 201, 1, 1}), columns});
    const TensorId odd = waves.leaf(ElementType::f32, {301, 77, 1, 2});
    waves.node(Op::mul_mat, {201, 77, 1, 2}, {waves.leaf(ElementType::f16, {301, 201, 1, 1}), odd});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, ProductsWithSelectedMatrices) {
    Waves waves;
    const TensorId ids = waves.numbers({2, 0, 1, 2, 1, 0});
    waves[ids].ne = {2, 3, 1, 1};
    waves[ids].nb = contiguous_strides(ElementType::i32, {2, 3, 1, 1});
    const TensorId columns = waves.leaf(ElementType::f32, {256, 1, 3, 1});
    waves.node(Op::mul_mat_id, {66, 2, 3, 1}, {waves.leaf(ElementType::q4_K, {256, 66, 3, 1}), columns, ids});
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, Attention) {
    for (const std::int64_t width : {32, 64, 128}) {
        Waves waves;
        const TensorId q = waves.leaf(ElementType::f32, {width, 9, 6, 1});
        const TensorId k = waves.leaf(width == 32 ? ElementType::f32 : ElementType::f16, {width, 43, 2, 1});
        const TensorId v = waves.leaf(ElementType::f16, {width, 43, 2, 1});
        const TensorId mask = waves.leaf(ElementType::f16, {43, 9, 1, 1});
        const TensorId node = waves.node(Op::flash_attn_ext, {width, 6, 9, 1}, {q, k, v, mask});
        const float scale = 0.2F;
        std::memcpy(waves[node].op_params.data(), &scale, sizeof(scale));
        EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{}) << width;
    }
}

/// Weights at the end of a mapping of whole pages, before a page that cannot be read.
TEST_F(VulkanLargeOps, ProductsReadNothingBeyondMappedWeights) {
    if (!rig_.device().capabilities().buffer_from_host_ptr) {
        GTEST_SKIP() << "NOT RUN: the device does not use host memory in place";
    }
    constexpr std::uint64_t kPage = 65536;
    for (const ElementTypeTraits& traits : element_types()) {
        if (!is_float_or_quantised(traits.type)) continue;
        for (const std::int64_t columns : {1, 40}) {
            constexpr std::int64_t kDepth = 256;
            const std::int64_t row_bytes = kDepth / traits.block_elements * traits.block_bytes;
            const auto rows = static_cast<std::int64_t>(kPage) / row_bytes;
            GraphBuilder b("mapped");
            const TensorId w = b.new_tensor(traits.type, {kDepth, rows, 1, 1}, "weights");
            const TensorId x = b.new_tensor(ElementType::f32, {kDepth, columns, 1, 1}, "x");
            b.expand(b.mul_mat(w, x));
            const TensorId last = b.new_tensor(ElementType::i32, {1, 1, 1, 1}, "last");
            b.expand(b.get_rows(w, last));
            const Graph graph = b.take();
            const PagesBeforeAHole pages(kPage);
            const auto mapped = rig_.device().buffer_from_host_memory(pages.bytes(), kPage);
            std::vector<TensorPlace> places(graph.tensors.size());
            std::vector<std::unique_ptr<Buffer>> buffers;
            for (std::size_t i = 0; i < places.size(); ++i) {
                const std::uint64_t bytes = byte_size(graph.tensors[i]);
                if (TensorId(i) == w) {
                    places[i] = {mapped.get(), kPage - bytes, true};
                    continue;
                }
                buffers.push_back(rig_.device().buffer_type().allocate(bytes));
                places[i] = {buffers.back().get(), 0, true};
                if (TensorId(i) != last) continue;
                const auto row = static_cast<std::int32_t>(rows - 1);
                buffers.back()->write(0, std::as_bytes(std::span(&row, 1)));
            }
            const BoundGraph bound(GraphView(graph), places);
            EXPECT_EQ(backend_->compute(bound, graph.nodes), Status::success) << traits.name;
        }
    }
}

TEST_F(VulkanLargeOps, FunctionsKeepNaN) {
    Waves waves;
    const TensorId x = waves.leaf(ElementType::f32, {33, 2, 1, 1});
    const TensorId y = waves.leaf(ElementType::f32, {33, 2, 1, 1}, 0.5F);
    for (const TensorId id : {x, y}) waves.spoil(id, 40);
    const auto named = [&](TensorId node, std::string_view name) { waves[node].name = std::string(name); };
    for (std::size_t kind = 0; kind < kUnaryKindCount; ++kind) {
        const TensorId node = waves.node(Op::unary, {33, 2, 1, 1}, {x});
        waves[node].op_params[0] = static_cast<std::int32_t>(kind);
        named(node, name_of(static_cast<UnaryKind>(kind)));
    }
    for (std::size_t kind = 0; kind < kGluKindCount; ++kind) {
        if (static_cast<GluKind>(kind) == GluKind::swiglu_clamp) continue;  // not on Vulkan
        const TensorId node = waves.node(Op::glu, {33, 2, 1, 1}, {x, y});
        waves[node].op_params[0] = static_cast<std::int32_t>(kind);
        const std::array<float, 2> limits{1.7F, 7.0F};
        std::memcpy(waves[node].op_params.data() + 2, limits.data(), sizeof(limits));
        named(node, name_of(static_cast<GluKind>(kind)));
    }
    for (const Op op : {Op::sqr, Op::sqrt, Op::log, Op::sin, Op::cos, Op::rms_norm, Op::norm, Op::soft_max}) {
        const TensorId node = waves.node(op, {33, 2, 1, 1}, {x});
        const float one = 1;
        std::memcpy(waves[node].op_params.data(), &one, sizeof(one));
    }
    EXPECT_EQ(waves.misplaced_nans(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanLargeOps, RecurrencesOfManyTokens) {
    constexpr std::int64_t kSize = 128;
    constexpr std::int64_t kTokens = 600;
    Waves waves;
    const auto inputs = [&](float scale, float offset = 0) {
        return waves.leaf(ElementType::f32, {kSize, 1, kTokens, 1}, offset, scale);
    };
    const auto factors = [&](float offset) {
        return waves.leaf(ElementType::f32, {1, 1, kTokens, 1}, offset, 0.1F);
    };
    const TensorId k = inputs(0.1F);
    const TensorId v = inputs(1);
    const TensorId r = inputs(0.1F);
    const TensorId decay = inputs(0.1F, 0.8F);
    const TensorId bonus = waves.leaf(ElementType::f32, {kSize, 1, 1, 1});
    const TensorId state = waves.leaf(ElementType::f32, {kSize * kSize, 1, 1, 1});
    const Shape ne{kSize, kTokens + kSize, 1, 1};
    waves.node(Op::rwkv_wkv6, ne, {k, v, r, bonus, decay, state});
    waves.node(Op::rwkv_wkv7, ne, {r, decay, k, v, inputs(0.1F), inputs(0.1F), state});
    const TensorId linear = waves.node(Op::gated_linear_attn, ne, {k, v, r, decay, state});
    const float scale = 0.5F;
    std::memcpy(waves[linear].op_params.data(), &scale, sizeof(scale));
    const TensorId delta =
        waves.node(Op::gated_delta_net, ne, {r, k, v, factors(-0.2F), factors(0.5F), state});
    waves[delta].op_params[0] = 3;
    // Several states follow the results.
    waves[delta].ne[1] += 2 * kSize;
    EXPECT_EQ(waves.differences(*backend_), std::vector<std::string>{});
}

TEST_F(VulkanVariants, ProductsOfOneColumn) {
    expect_same([](Waves& waves) {
        // With an offset, sums of so few results do not cancel out.
        const TensorId column = waves.leaf(ElementType::f32, {768, 1, 1, 1}, 0.5F);
        for (const ElementType type :
             {ElementType::q4_0, ElementType::q4_1, ElementType::q5_0, ElementType::q5_1, ElementType::q8_0,
              ElementType::iq4_nl, ElementType::mxfp4, ElementType::q2_K, ElementType::q3_K,
              ElementType::q4_K, ElementType::q5_K, ElementType::q6_K, ElementType::iq4_xs,
              ElementType::nvfp4, ElementType::q1_0, ElementType::q2_0, ElementType::tq1_0,
              ElementType::tq2_0})
            waves.node(Op::mul_mat, {37, 1, 1, 1}, {waves.leaf(type, {768, 37, 1, 1}, 0.5F), column});
    });
}

TEST_F(VulkanVariants, ProductsOfManyColumns) {
    expect_same([](Waves& waves) {
        const TensorId columns = waves.leaf(ElementType::f32, {256, 70, 1, 2});
        for (const ElementType type :
             {ElementType::f16, ElementType::f32, ElementType::bf16, ElementType::q4_0, ElementType::mxfp4,
              ElementType::q6_K, ElementType::iq4_xs, ElementType::tq2_0})
            waves.node(Op::mul_mat, {101, 70, 1, 2}, {waves.leaf(type, {256, 101, 1, 1}), columns});
        // Rows that end within a tile.
        const TensorId odd = waves.leaf(ElementType::f32, {45, 9, 1, 1});
        waves.node(Op::mul_mat, {33, 9, 1, 1}, {waves.leaf(ElementType::f16, {45, 33, 1, 1}), odd});
    });
}

/// Products with so many planes that there are enough tiles.
class TiledProducts {
 public:
    explicit TiledProducts(Waves& waves) : waves_(waves) {}

    TensorId columns(std::int64_t depth) { return waves_.leaf(ElementType::f32, {depth, 40, 4, 1}, 0.5F); }
    void add(ElementType type, TensorId columns, float offset, float scale) {
        const TensorId weights = waves_.leaf(type, {waves_[columns].ne[0], 40, 1, 1}, offset, scale);
        waves_.node(Op::mul_mat, {40, 40, 4, 1}, {weights, columns});
    }
    void add(std::span<const ElementType> types, TensorId columns) {
        // Scales of many types are subnormal in F16.
        constexpr float kUsual = 0.02F;
        for (const ElementType type : types) {
            add(type, columns, 0.5F, 1);
            add(type, columns, kUsual / 2, kUsual);
        }
    }

 private:
    Waves& waves_;
};

TEST_F(VulkanVariants, TilesOfHalves) {
    const auto all = [](Waves& waves) {
        TiledProducts products(waves);
        const TensorId columns = products.columns(256);
        products.add(std::array{ElementType::q4_0, ElementType::q4_1, ElementType::q5_0, ElementType::q5_1,
                                ElementType::q8_0, ElementType::iq4_nl, ElementType::mxfp4, ElementType::q2_K,
                                ElementType::q3_K, ElementType::q4_K, ElementType::q5_K, ElementType::q6_K,
                                ElementType::iq4_xs, ElementType::nvfp4, ElementType::q1_0, ElementType::q2_0,
                                ElementType::tq1_0, ElementType::tq2_0},
                     columns);
        // Steps of half the depth, and rows that end within a step.
        products.add(std::array{ElementType::q5_0, ElementType::q8_0}, products.columns(96));
        products.add(std::array{ElementType::f16}, products.columns(45));
        // Beyond what F16 arithmetic holds.
        for (const ElementType type :
             {ElementType::q4_0, ElementType::q8_0, ElementType::mxfp4, ElementType::q4_K}) {
            for (const float scale : {3000.0F, 30000.0F, 1e-5F})
                products.add(type, columns, scale / 2, scale);
        }
    };
    const auto some = [](Waves& waves) {
        TiledProducts products(waves);
        products.add(std::array{ElementType::q4_0, ElementType::q6_K}, products.columns(256));
    };
    for (const KernelVariant& variant : kernel_variants(rig_.device().logical()->physical())) {
        if (!variant.traits.halves) continue;
        Waves waves;
        all(waves);
        const bool by_matrices = variant.traits.matrices.exists();
        for (const std::string_view shader : waves.shaders(variant.traits))
            EXPECT_TRUE(shader == "sum_parts" ||
                        shader.starts_with(by_matrices ? "mul_mat_matrices_" : "mul_mat_halves_"))
                << shader;
    }
    using Traits = vulkan::KernelTraits;
    int count = expect_same(all, [](const Traits& t) { return t.halves && t.min_conversions == 0; });
    count += expect_same(some, [](const Traits& t) { return t.halves && t.min_conversions > 0; });
    if (count == 0) GTEST_SKIP() << "the device has no F16 arithmetic";
}

/// Few tiles of a deep product: several work groups multiply parts of the depth, also uneven ones.
TEST_F(VulkanVariants, DeepProductsAreDivided) {
    const auto products = [](Waves& waves) {
        for (const std::int64_t depth : {1056, 1280}) {
            const TensorId columns = waves.leaf(ElementType::f32, {depth, 70, 2, 1}, 0.5F);
            const auto add = [&](ElementType type) {
                const TensorId weights = waves.leaf(type, {depth, 75, 1, 1}, 0.5F);
                waves.node(Op::mul_mat, {75, 70, 2, 1}, {weights, columns});
            };
            // All with the columns that the first one converts.
            for (const ElementType type : {ElementType::q4_0, ElementType::q8_0, ElementType::f16}) add(type);
            if (depth % 256 == 0) add(ElementType::q4_K);
        }
    };
    const auto suits = [](const vulkan::KernelTraits& t) { return t.halves && t.min_conversions == 0; };
    for (const KernelVariant& variant : kernel_variants(rig_.device().logical()->physical())) {
        if (!suits(variant.traits)) continue;
        Waves waves;
        products(waves);
        for (const std::string_view shader : waves.shaders(variant.traits)) EXPECT_EQ(shader, "sum_parts");
    }
    if (expect_same(products, suits) == 0) GTEST_SKIP() << "the device has no F16 arithmetic";
}

TEST_F(VulkanVariants, TokensOfTheSameExpertAreMultipliedTogether) {
    expect_same([](Waves& waves) {
        constexpr std::int64_t kTokens = 150;
        std::vector<std::int32_t> chosen;
        for (std::int32_t token = 0; token < kTokens; ++token) {
            // Expert 3 is chosen by all, 4 by none, 0 and 1 by some.
            chosen.push_back(3);
            chosen.push_back(token % 3 == 0 ? 0 : token % 7 == 0 ? 2 : 1);
        }
        const TensorId ids = waves.numbers(chosen);
        waves[ids].ne = {2, kTokens, 1, 1};
        waves[ids].nb = contiguous_strides(ElementType::i32, {2, kTokens, 1, 1});
        const TensorId same = waves.leaf(ElementType::f32, {256, 1, kTokens, 1});
        const TensorId of_slots = waves.leaf(ElementType::f32, {256, 2, kTokens, 1});
        for (const ElementType type : {ElementType::q4_K, ElementType::f16, ElementType::mxfp4}) {
            const TensorId experts = waves.leaf(type, {256, 70, 5, 1});
            waves.node(Op::mul_mat_id, {70, 2, kTokens, 1}, {experts, same, ids});
            waves.node(Op::mul_mat_id, {70, 2, kTokens, 1}, {experts, of_slots, ids});
        }
    });
}

/// One that a token chooses twice has more columns than there are tokens.
TEST_F(VulkanVariants, AnExpertMayBeChosenTwice) {
    expect_same([](Waves& waves) {
        constexpr std::int64_t kTokens = 80;
        const TensorId ids = waves.ids_of_one_expert(2, kTokens);
        const TensorId columns = waves.leaf(ElementType::f32, {64, 2, kTokens, 1});
        waves.node(Op::mul_mat_id, {40, 2, kTokens, 1},
                   {waves.leaf(ElementType::q8_0, {64, 40, 2, 1}), columns, ids});
    });
}

TEST_F(VulkanVariants, NormsOfRows) {
    expect_same([](Waves& waves) {
        for (const Op op : {Op::norm, Op::rms_norm, Op::l2_norm}) {
            // The last two are not divisible by four, or too long to be kept in registers.
            for (const std::int64_t width : {8, 128, 1024, 4096, 5000, 8192, 1022, 20000}) {
                const TensorId x = waves.leaf(ElementType::f32, {width, 3, 2, 2}, 0.5F);
                const TensorId node = waves.node(op, {width, 3, 2, 2}, {x});
                const float epsilon = 1e-5F;
                std::memcpy(waves[node].op_params.data(), &epsilon, sizeof(epsilon));
            }
        }
    });
}

/// The kernels that a device with these traits gets for a product of so many rows and columns.
std::vector<vulkan::Pass> product_passes(const vulkan::KernelTraits& traits, ElementType type,
                                         std::int64_t rows, std::int64_t columns, bool experts = false) {
    GraphBuilder b("product");
    const TensorId weights = b.new_tensor(type, {1024, rows, experts ? 8 : 1, 1}, "weights");
    TensorId out;
    if (experts) {
        const TensorId x = b.new_tensor(ElementType::f32, {1024, 1, columns, 1}, "x");
        out = b.mul_mat_id(weights, x, b.new_tensor(ElementType::i32, {2, columns, 1, 1}, "ids"));
    } else {
        out = b.mul_mat(weights, b.new_tensor(ElementType::f32, {1024, columns, 1, 1}, "x"));
    }
    b.expand(out);
    const Graph graph = b.take();
    std::vector<vulkan::Pass> passes;
    vulkan::find_op(graph[out].op)->plan({GraphView(graph), out, traits}, passes);
    return passes;
}
/// The one that multiplies.
vulkan::Pass product_pass(const vulkan::KernelTraits& traits, ElementType type, std::int64_t rows,
                          std::int64_t columns, bool experts = false) {
    return product_passes(traits, type, rows, columns, experts).back();
}

TEST(VulkanKernels, MatchTheDeviceAndItsTileSizes) {
    using Groups = std::array<std::uint32_t, 3>;
    const auto [q4, f16, f32] = std::array{ElementType::q4_0, ElementType::f16, ElementType::f32};
    vulkan::KernelTraits gpu;
    gpu.summing_lanes = 32;
    gpu.shared_bytes = 49152;
    EXPECT_EQ(product_pass(gpu, q4, 4096, 1).shader, "mul_mat_vec_sums_small");
    EXPECT_EQ(product_pass(gpu, q4, 4096, 512).shader, "mul_mat_tiles_small");
    EXPECT_EQ(product_pass(gpu, q4, 4096, 512).groups, (Groups{64, 8, 1}));
    EXPECT_EQ(product_pass(gpu, q4, 4096, 20).groups, (Groups{128, 1, 1}))
        << "smaller tiles, so that there are enough";
    EXPECT_EQ(product_pass(gpu, q4, 4096, 512, true).groups, (Groups{64, 4, 8}))
        << "tiles for each expert, twice as many as on average";
    EXPECT_EQ(product_passes(gpu, q4, 4096, 512).size(), 1U);

    gpu.packed_dots = true;
    EXPECT_EQ(product_pass(gpu, q4, 4096, 1).shader, "mul_mat_vec_sums_small") << "subgroups of any size";
    gpu.fixed_lanes = true;
    gpu.group_invocations = 1024;
    EXPECT_EQ(product_pass(gpu, q4, 4096, 1).shader, "mul_mat_vec_dots_small");
    EXPECT_EQ(product_pass(gpu, q4, 4096, 1).groups, (Groups{256, 1, 1})) << "16 rows each";
    EXPECT_EQ(product_pass(gpu, q4, 4096, 1).constants[7], 4 * 32U) << "four subgroups of four rows";
    EXPECT_EQ(product_pass(gpu, q4, 512, 1).groups, (Groups{64, 1, 1})) << "8 rows each";
    vulkan::KernelTraits small = gpu;
    small.group_invocations = 64;
    EXPECT_EQ(product_pass(small, q4, 4096, 1).constants[7], 2 * 32U) << "as many as a work group may have";
    EXPECT_EQ(product_pass(gpu, ElementType::q4_K, 4096, 1, true).shader, "mul_mat_vec_dots_k");
    EXPECT_EQ(product_pass(gpu, f16, 4096, 1).shader, "mul_mat_vec_sums_plain");
    EXPECT_EQ(product_pass(gpu, ElementType::iq2_xs, 4096, 1).shader, "mul_mat_vec_dots_iq");

    gpu.halves = true;
    EXPECT_EQ(product_pass(gpu, f16, 4096, 512).shader, "mul_mat_halves_plain");
    EXPECT_EQ(product_pass(gpu, f32, 4096, 512).shader, "mul_mat_tiles_plain") << "F16 cannot hold them";
    EXPECT_EQ(product_passes(gpu, q4, 4096, 512).front().shader, "columns_halves") << "converts columns once";
    EXPECT_EQ(product_passes(gpu, q4, 1024, 32).size(), 1U) << "not worth it";
    EXPECT_EQ(product_pass(gpu, ElementType::bf16, 4096, 512).shader, "mul_mat_tiles_plain");

    gpu.matrices = {16, 8, 16};
    gpu.matrix_lanes = 32;
    gpu.matrix_subgroups = 8;
    const vulkan::Pass matrices = product_pass(gpu, q4, 4096, 512);
    EXPECT_EQ(matrices.shader, "mul_mat_matrices_small");
    EXPECT_EQ(matrices.groups, (Groups{64, 4, 1})) << "64 rows and 128 columns";
    EXPECT_EQ(matrices.constants[7], 4 * 32U) << "four subgroups";
    EXPECT_EQ(product_passes(gpu, q4, 4096, 512).size(), 2U);
    const std::vector<vulkan::Pass> divided = product_passes(gpu, q4, 4096, 128);
    ASSERT_EQ(divided.size(), 3U);
    EXPECT_EQ(divided[0].shader, "columns_halves");
    EXPECT_EQ(divided[1].groups, (Groups{64, 4, 1})) << "four parts of the depth";
    EXPECT_EQ(divided[1].constants[5] >> 8, 4U);
    EXPECT_EQ(divided[2].shader, "sum_parts");
    EXPECT_EQ(divided[2].constants[5], 4U);
    EXPECT_EQ(product_pass(gpu, q4, 1024, 128).groups, (Groups{32, 4, 1})) << "smaller tiles";
    EXPECT_EQ(matrices.constants[6], 16U);
    EXPECT_EQ(matrices.constants[10], 8U);
    EXPECT_EQ(matrices.constants[11], 16U);
    EXPECT_EQ(product_pass(gpu, f32, 4096, 512).shader, "mul_mat_tiles_plain");
    vulkan::KernelTraits narrow = gpu;
    narrow.matrix_lanes = 8;
    EXPECT_EQ(product_pass(narrow, q4, 4096, 512).constants[7], 8 * 8U) << "eight subgroups";
    EXPECT_EQ(product_pass(narrow, q4, 4096, 512).groups, (Groups{64, 8, 1})) << "as many sums as registers";
    gpu.shared_bytes = 16384;
    EXPECT_EQ(product_pass(gpu, q4, 4096, 512).groups, (Groups{64, 8, 1}));
}

}  // namespace
}  // namespace splitscope
