// SPDX-License-Identifier: MIT
#include "engine/tensor/graph_builder.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

TEST(GraphBuilder, ViewsStayWithinTheirSource) {
    GraphBuilder b("views");
    const TensorId table = b.new_tensor(ElementType::f32, {8, 4, 1, 1}, "table");
    const std::int64_t row = b[table].nb[1];
    EXPECT_NO_THROW(b.view_2d(table, 8, 2, row, 2 * row));
    EXPECT_THROW(b.view_2d(table, 8, 2, row, 3 * row), Error);
    EXPECT_THROW(b.view_1d(table, 8, -row), Error);
    const TensorId part = b.view_2d(table, 8, 1, row, 3 * row);
    EXPECT_THROW(b.view_1d(part, 8, row), Error) << "views of views too";
    const TensorId empty = b.new_tensor(ElementType::f32, {8, 0, 1, 1}, "empty");
    EXPECT_NO_THROW(b.view_2d(empty, 8, 0, row, 0));
    EXPECT_THROW(b.view_1d(empty, 8, 0), Error);
}

TEST(GraphBuilder, RefusesOversizedTensors) {
    GraphBuilder b("absurd");
    constexpr std::int64_t kLarge = std::int64_t{1} << 30;
    EXPECT_THROW(b.new_tensor(ElementType::f32, {kLarge, kLarge, 1, 1}), Error);
    EXPECT_THROW(b.new_tensor(ElementType::f32, {0, kLarge, kLarge, 1}), Error);
    const TensorId a = b.new_tensor(ElementType::f32, {kLarge, 1, 1, 1}, "a");
    EXPECT_THROW(b.reshape(a, {kLarge, kLarge, kLarge, 1}), Error);
}

/// llama.cpp before v0.5.0 clamped in place.
TEST(GraphBuilder, ClampsGiveANewTensorUnlessInPlace) {
    GraphBuilder b("clamps");
    const TensorId x = b.new_tensor(ElementType::f32, {8, 4, 1, 1}, "x");
    const TensorId fresh = b.clamp(x, -1.0F, 2.0F);
    b.set_clamps_in_place(true);
    const TensorId in_place = b.clamp(x, -1.0F, 2.0F);
    EXPECT_FALSE(b[fresh].is_view());
    EXPECT_EQ(b[in_place].view_src, x);
    for (const TensorId id : {fresh, in_place}) {
        EXPECT_EQ(b[id].op, Op::clamp);
        EXPECT_EQ(b[id].src[0], x);
        EXPECT_EQ(b[id].param_f32(0), -1.0F);
        EXPECT_EQ(b[id].param_f32(1), 2.0F);
    }
}

TEST(GraphBuilder, ConvolutionsReadPaddedInputs) {
    GraphBuilder g("test");
    const TensorId kernel = g.new_tensor(ElementType::f16, {3, 4, 8, 1});
    const TensorId columns = g.im2col_1d(kernel, g.new_tensor(ElementType::f32, {10, 4, 1, 1}));
    EXPECT_EQ(g[columns].ne, (Shape{12, 10, 1, 1}));
    EXPECT_EQ(g[columns].type, ElementType::f16);
    const TensorId other = g.new_tensor(ElementType::f32, {10, 5, 1, 1});
    EXPECT_THROW(g.im2col_1d(kernel, other), Error);
}

TEST(ByteReach, EndsAfterTheLastElement) {
    Tensor t;
    t.type = ElementType::f32;
    t.ne = {4, 3, 1, 1};
    t.nb = {4, 32, 96, 96};
    EXPECT_EQ(byte_reach(t), 2 * 32 + 16);
    t.ne[1] = 0;
    EXPECT_EQ(byte_reach(t), 0);
    t.ne[1] = 3;
    t.nb[1] = INT64_MAX;
    EXPECT_EQ(byte_reach(t), std::nullopt);
}

}  // namespace
}  // namespace splitscope
