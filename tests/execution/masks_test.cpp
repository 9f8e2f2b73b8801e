// SPDX-License-Identifier: MIT
#include "engine/execution/masks.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "engine/tensor/graph_builder.hpp"

namespace splitscope {
namespace {

class Masks : public ::testing::Test {
 protected:
    TensorId weight(const Shape& ne) { return g_.new_tensor(ElementType::f32, ne, "w"); }
    TensorId input(const Shape& ne) { return g_.new_input(ElementType::f32, ne, "mask"); }
    bool may_hold(TensorId tensor) const { return may_hold_mask(GraphView(g_.graph()), tensor); }

    static constexpr Shape kSquare{4, 4, 1, 1};
    splitscope::GraphBuilder g_{"masks"};
};

TEST_F(Masks, AreInputsAndWhatIsCopiedFromThem) {
    const TensorId mask = input(kSquare);
    EXPECT_TRUE(may_hold(mask));
    const TensorId copy = g_.cont(g_.view_2d(mask, 2, 2, 16, 0));
    EXPECT_TRUE(may_hold(copy));
    const TensorId scores = g_.mul_mat(weight(kSquare), weight(kSquare));
    EXPECT_FALSE(may_hold(scores));
    EXPECT_TRUE(may_hold(g_.add(scores, mask)));
}

/// Sums of a residual stream overflow; they hold no mask.
TEST_F(Masks, AreNotInAResidualStream) {
    const TensorId tokens = g_.new_input(ElementType::i32, {4, 1, 1, 1}, "tokens");
    TensorId stream = g_.get_rows(weight(kSquare), tokens);
    EXPECT_FALSE(may_hold(stream));
    // Each sum reads the last one twice: the search must not follow every path.
    for (int i = 0; i < 64; ++i) stream = g_.add(stream, stream);
    EXPECT_FALSE(may_hold(stream));
    EXPECT_TRUE(may_hold(g_.add(stream, input(kSquare))));
}

}  // namespace
}  // namespace splitscope
