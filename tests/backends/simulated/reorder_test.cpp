// SPDX-License-Identifier: MIT
// The order in which devices that fuse nodes compute a split (placement.md §7).
#include "backends/simulated/reorder.hpp"

#include <gtest/gtest.h>

#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

FusionOrder ordered(const GraphBuilder& b) {
    const auto graph = b.finish();
    return ordered_for_fusion(GraphView(*graph), graph->nodes);
}

TEST(FusionOrder, MovesIndependentNodesTogether) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId w = b.leaf("w");
    const TensorId q = b.node("q", Op::mul_mat, {w, x});
    const TensorId heads = b.view("heads", Op::reshape, q);
    const TensorId root = b.node("root", Op::sqrt, {heads});
    const TensorId k = b.node("k", Op::mul_mat, {w, x});
    EXPECT_EQ(ordered(b).nodes, (std::vector{q, k, heads, root}));
}

TEST(FusionOrder, WaitsForNodesInTheMemoryItReads) {
    GraphBuilder b;
    const TensorId cache = b.leaf("cache");
    const TensorId x = b.input("x");
    const TensorId square = b.node("square", Op::sqr, {x});
    const TensorId written = b.view("written", Op::set_rows, cache);
    const TensorId part = b.view("part", Op::view, cache);
    const TensorId reads = b.node("reads", Op::sqrt, {part});
    EXPECT_EQ(ordered(b).nodes, (std::vector{square, written, part, reads}))
        << "it reads through another view what was written";
}

TEST(FusionOrder, KeepsRotatedKeysWithTheirCacheCopy) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId positions = b.input("positions");
    const TensorId q = b.node("q", Op::rope, {x, positions});
    const TensorId k = b.node("k", Op::rope, {x, positions});
    const TensorId rows = b.view("rows", Op::view, k);
    const TensorId into = b.leaf("cache");
    const TensorId written = b.node("written", Op::set_rows, {rows, positions, into});
    const TensorId other = b.node("other", Op::sqr, {x});
    EXPECT_EQ(ordered(b).nodes, (std::vector{q, other, k, rows, written}));
}

TEST(FusionOrder, KeepsNormsWithTheFollowingSum) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId w = b.leaf("w");
    const TensorId before = b.node("before", Op::sqr, {x});
    const TensorId norm = b.node("norm", Op::rms_norm, {x});
    const TensorId scaled = b.node("scaled", Op::mul, {norm, w});
    const TensorId sum = b.node("sum", Op::add, {scaled, x});
    const TensorId other = b.node("other", Op::sqrt, {x});
    EXPECT_EQ(ordered(b).nodes, (std::vector{before, other, norm, scaled, sum}));
}

TEST(FusionOrder, NeverOverwritesUnreadSources) {
    GraphBuilder b;
    const TensorId cache = b.leaf("cache");
    const TensorId x = b.input("x");
    const TensorId first = b.node("first", Op::sqr, {x});
    const TensorId root = b.node("root", Op::sqrt, {first});
    const TensorId part = b.view("part", Op::view, cache);
    const TensorId reads = b.node("reads", Op::add, {root, part});
    const TensorId written = b.view("written", Op::set_rows, cache);
    EXPECT_EQ(ordered(b).nodes, (std::vector{first, part, root, reads, written}));
}

TEST(FusionOrder, KeepsProductsWithTheirActivation) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId w = b.leaf("w");
    const TensorId first = b.node("first", Op::sqr, {x});
    const TensorId gate = b.node("gate", Op::unary, {x});
    const TensorId root = b.node("root", Op::sqrt, {first});
    const TensorId gated = b.node("gated", Op::mul, {w, gate});
    EXPECT_EQ(ordered(b).nodes, (std::vector{first, gate, gated, root}));
}

TEST(FusionOrder, KeepsTheInputOfARoutingKernelAlive) {
    GraphBuilder b;
    const TensorId logits = b.node("logits", Op::mul_mat, {b.leaf("w"), b.input("x")});
    const TensorId scores = b.node("scores", Op::soft_max, {logits});
    b.view("flat", Op::reshape, scores);
    const TensorId sorted = b.node("sorted", Op::argsort, {scores});
    const TensorId chosen = b.view("chosen", Op::view, sorted);
    const TensorId weights = b.node("weights", Op::get_rows, {scores, chosen});
    const FusionOrder order = ordered(b);
    ASSERT_EQ(order.kept.size(), 1U);
    EXPECT_EQ(order.kept[0].tensor, logits);
    EXPECT_EQ(order.kept[0].until, weights);
    EXPECT_EQ(order.nodes, b.finish()->nodes);
}

}  // namespace
}  // namespace splitscope
