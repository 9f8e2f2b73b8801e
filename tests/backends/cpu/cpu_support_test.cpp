// SPDX-License-Identifier: MIT
// Operations that the CPU refuses in the newest generation: backend-api.md §8.1.
#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "backends/cpu/cpu_device.hpp"
#include "engine/messages/render.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

class CpuSupportTable : public testing::Test {
 protected:
    TensorId leaf(ElementType type, const Shape& ne) {
        const TensorId id = b_.leaf("source", ne);
        retype(id, type);
        return id;
    }
    void retype(TensorId id, ElementType type) {
        b_[id].type = type;
        b_[id].nb = contiguous_strides(type, b_[id].ne);
    }
    OpSupport ask(TensorId node) {
        const auto graph = b_.finish();
        const GraphView view(*graph);
        return device_.supports_op({view, node, {}});
    }

    GraphBuilder b_;
    CpuDevice device_;
};

TEST_F(CpuSupportTable, RefusesCopiesIntoTypesWithoutAnEncoder) {
    using enum ElementType;
    const TensorId source = leaf(f32, {256, 2, 1, 1});
    const TensorId rows = leaf(i64, {2, 1, 1, 1});
    for (const ElementType type : {iq2_xxs, iq2_xs, iq1_s, iq1_m, iq3_xxs, iq3_s, iq2_s}) {
        const TensorId copy = b_.node("copy", Op::cpy, {source}, {256, 2, 1, 1});
        retype(copy, type);
        EXPECT_EQ(ask(copy).rule, RefusalRule::op_with_type) << name_of(type);
        const TensorId set = b_.node("set", Op::set_rows, {source, rows}, {256, 2, 1, 1});
        retype(set, type);
        EXPECT_EQ(ask(set).rule, RefusalRule::op_with_type) << name_of(type);
    }
    for (const ElementType type : {f16, bf16, q4_0, q8_0, q4_K, iq4_nl}) {
        const TensorId copy = b_.node("copy", Op::cpy, {source}, {256, 2, 1, 1});
        retype(copy, type);
        EXPECT_TRUE(ask(copy)) << name_of(type);
    }
}

TEST_F(CpuSupportTable, LimitsIterationsOfMixedStreams) {
    const TensorId numbers = leaf(ElementType::f32, {24, 2, 1, 1});
    const TensorId scale = leaf(ElementType::f32, {3, 1, 1, 1});
    const TensorId base = leaf(ElementType::f32, {24, 1, 1, 1});
    const TensorId mixed = b_.node("mixed", Op::dsv4_hc_comb, {numbers, scale, base}, {4, 4, 2, 1});
    b_[mixed].op_params[1] = 20;
    EXPECT_TRUE(ask(mixed));
    for (const std::int32_t iterations : {-1, 1 << 30}) {
        b_[mixed].op_params[1] = iterations;
        EXPECT_FALSE(ask(mixed)) << iterations;
    }
}

TEST_F(CpuSupportTable, ProductsTakeFloatsOrTheWeightsDotType) {
    const TensorId w = leaf(ElementType::q4_0, {64, 8, 1, 1});
    const TensorId x = leaf(ElementType::f32, {64, 3, 1, 1});
    EXPECT_TRUE(ask(b_.node("y", Op::mul_mat, {w, x}, {8, 3, 1, 1})));
    const TensorId half = leaf(ElementType::f16, {64, 3, 1, 1});
    const OpSupport refused = ask(b_.node("y", Op::mul_mat, {w, half}, {8, 3, 1, 1}));
    EXPECT_EQ(refused.culprit, half);
    const TensorId half_weights = leaf(ElementType::f16, {64, 8, 1, 1});
    EXPECT_TRUE(ask(b_.node("y", Op::mul_mat, {half_weights, half}, {8, 3, 1, 1})));
    using enum ElementType;
    const TensorId q8 = leaf(q8_0, {256, 3, 1, 1});
    const TensorId q8_with_sum = leaf(q8_1, {256, 3, 1, 1});
    const TensorId q8_of_super_blocks = leaf(q8_K, {256, 3, 1, 1});
    for (const auto& [type, partner] : {std::pair(q4_0, q8), std::pair(mxfp4, q8),
                                        std::pair(q5_1, q8_with_sum), std::pair(q4_K, q8_of_super_blocks)}) {
        const TensorId weights = leaf(type, {256, 8, 1, 1});
        for (const TensorId rounded : {q8, q8_with_sum, q8_of_super_blocks}) {
            const OpSupport support = ask(b_.node("y", Op::mul_mat, {weights, rounded}, {8, 3, 1, 1}));
            EXPECT_EQ(static_cast<bool>(support), rounded == partner) << name_of(type);
            if (!support) {
                EXPECT_EQ(support.culprit, rounded);
            }
        }
    }
}

TEST_F(CpuSupportTable, OuterProductsRequireFloatResults) {
    const TensorId a = leaf(ElementType::f32, {8, 3, 1, 1});
    const TensorId b = leaf(ElementType::f32, {5, 3, 1, 1});
    const TensorId half = leaf(ElementType::f16, {5, 3, 1, 1});
    EXPECT_TRUE(ask(b_.node("p", Op::out_prod, {a, b}, {8, 5, 1, 1})));
    EXPECT_EQ(ask(b_.node("p", Op::out_prod, {a, half}, {8, 5, 1, 1})).culprit, half);
}

TEST_F(CpuSupportTable, BackwardOperationsRequireTheirTypes) {
    const TensorId gradient = leaf(ElementType::f32, {16, 4, 1, 1});
    const TensorId half = leaf(ElementType::f16, {16, 4, 1, 1});
    const TensorId quantised = leaf(ElementType::q8_0, {32, 4, 1, 1});
    const TensorId ids = leaf(ElementType::i32, {4, 1, 1, 1});
    EXPECT_TRUE(ask(b_.node("s", Op::soft_max_back, {gradient, gradient}, {16, 4, 1, 1})));
    EXPECT_FALSE(ask(b_.node("s", Op::soft_max_back, {gradient, half}, {16, 4, 1, 1})));
    const TensorId biased = b_.node("s", Op::soft_max_back, {gradient, gradient}, {16, 4, 1, 1});
    b_[biased].set_param_f32(1, 8.0F);
    EXPECT_FALSE(ask(biased)) << "no position bias";
    EXPECT_TRUE(ask(b_.node("g", Op::get_rows_back, {half, ids}, {16, 9, 1, 1})));
    EXPECT_FALSE(ask(b_.node("g", Op::get_rows_back, {quantised, ids}, {32, 9, 1, 1})));
    EXPECT_EQ(ask(b_.node("i", Op::im2col_back, {gradient, gradient}, {16, 4, 1, 1})).rule, RefusalRule::op);
}

TEST_F(CpuSupportTable, ConvolutionsRequireContiguousKernels) {
    const TensorId kernel = leaf(ElementType::f32, {3, 3, 2, 4});
    const TensorId image = leaf(ElementType::f32, {8, 8, 2, 1});
    const auto convolution = [&] {
        const TensorId id = b_.node("c", Op::conv_2d, {kernel, image}, {6, 6, 4, 1});
        b_[id].op_params = {1, 1, 0, 0, 1, 1};
        return id;
    };
    EXPECT_TRUE(ask(convolution()));
    b_[kernel].nb[3] *= 2;
    const OpSupport refused = ask(convolution());
    EXPECT_EQ(refused.rule, RefusalRule::layout);
    EXPECT_EQ(refused.culprit, kernel);
}

TEST_F(CpuSupportTable, NeverRefusesViewsAndNoOps) {
    const TensorId odd = leaf(ElementType::iq1_s, {256, 1, 1, 1});
    EXPECT_TRUE(ask(odd));
    EXPECT_TRUE(ask(b_.view("v", Op::reshape, odd, {256, 1, 1, 1})));
}

/// Every operation with every type for every tensor: refusals name the operation and the type of the refused
/// tensor.
TEST_F(CpuSupportTable, RefusalsNameOperationAndType) {
    std::size_t refused = 0;
    std::size_t named = 0;
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const Op op = static_cast<Op>(i);
        if (op == Op::none || is_view_op(op)) continue;
        for (const ElementTypeTraits& traits : element_types()) {
            for (const std::size_t place : {0U, 1U, 2U, 3U}) {
                GraphBuilder b;
                const Shape ne{256, 256, 1, 1};
                const TensorId node =
                    b.node("result", op, {b.leaf("a", ne), b.leaf("b", ne), b.leaf("c", ne)}, ne);
                const TensorId odd = place == 3 ? node : TensorId(static_cast<std::int32_t>(place));
                b[odd].type = traits.type;
                b[odd].nb = contiguous_strides(traits.type, ne);
                const auto graph = b.finish();
                const GraphView view(*graph);
                const OpQuery query{view, node, {}};
                const OpSupport answer = device_.supports_op(query);
                if (answer) continue;
                ++refused;
                const std::string told = english(describe(answer, query));
                EXPECT_NE(told.find(name_of(op)), std::string::npos) << told;
                if (answer.rule != RefusalRule::op_with_type) continue;
                ++named;
                const std::string type(name_of(view[answer.culprit].type));
                EXPECT_NE(told.find(type), std::string::npos) << told;
            }
        }
    }
    EXPECT_GT(refused, 8000U);
    EXPECT_GT(named, 2000U);
}

}  // namespace
}  // namespace splitscope
