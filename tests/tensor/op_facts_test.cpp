// SPDX-License-Identifier: MIT
#include "engine/tensor/op_facts.hpp"

#include <cstdint>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/tensor/graph_builder.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

TEST(OpFacts, HaveOneRowPerOperation) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const Op op = static_cast<Op>(i);
        EXPECT_EQ(facts_of(op).op, op) << i;
        EXPECT_FALSE(name_of(op).empty()) << i;
        EXPECT_TRUE(names.insert(name_of(op)).second) << name_of(op);
        EXPECT_EQ(op_named(name_of(op)), op);
    }
    EXPECT_EQ(op_named("NO_SUCH_OP"), std::nullopt);
}

TEST(OpFacts, LaterGenerationsKnowMoreOperations) {
    EXPECT_TRUE(ops_of(Generation::g2024_01).contains(Op::alibi));
    EXPECT_FALSE(ops_of(Generation::g2024_10).contains(Op::alibi));
    EXPECT_FALSE(ops_of(Generation::g2024_01).contains(Op::flash_attn_ext));
    EXPECT_TRUE(ops_of(Generation::g2024_10).contains(Op::flash_attn_ext));
    EXPECT_FALSE(ops_of(Generation::g2025_06).contains(Op::glu));
    for (std::size_t i = 0; i < kOpCount; ++i) {
        const Op op = static_cast<Op>(i);
        EXPECT_EQ(ops_of(Generation::g2026_08).contains(op), !facts_of(op).until) << name_of(op);
        for (std::size_t g = 1; g < kGenerations.size(); ++g) {
            const bool before = may_overwrite_source(op, kGenerations[g - 1]);
            EXPECT_TRUE(!before || may_overwrite_source(op, kGenerations[g])) << name_of(op);
        }
    }
    EXPECT_TRUE(may_overwrite_source(Op::add, Generation::g2024_01));
    EXPECT_FALSE(may_overwrite_source(Op::add_id, Generation::g2025_06));
    EXPECT_TRUE(may_overwrite_source(Op::add_id, Generation::g2026_08));
}

TEST(OpFacts, RulesAreIndependentOfDevices) {
    test::GraphBuilder b;
    const TensorId a = b.leaf("a", {64, 8, 1, 1});
    const TensorId right = b.leaf("b", {64, 4, 1, 1});
    const TensorId product = b.node("product", Op::mul_mat, {a, right}, {8, 4, 1, 1});
    const TensorId wrong = b.node("wrong", Op::mul_mat, {a, right}, {9, 4, 1, 1});
    const TensorId half = b.node("half", Op::mul_mat, {a}, {8, 4, 1, 1});
    const TensorId unknown = b.node("custom", Op::custom, {a}, {3, 1, 1, 1});
    const TensorId nothing = b.node("nothing", Op::mul_mat, {a, right}, {0, 4, 1, 1});
    const auto graph = b.finish();
    const GraphView view(*graph);
    EXPECT_TRUE(follows_rule({view, product}));
    EXPECT_EQ(follows_rule({view, wrong}).rule, RefusalRule::layout);
    EXPECT_EQ(follows_rule({view, wrong}).culprit, wrong);
    EXPECT_EQ(follows_rule({view, half}).rule, RefusalRule::layout) << "a source is missing";
    EXPECT_TRUE(follows_rule({view, unknown})) << "no rule is known";
    EXPECT_TRUE(follows_rule({view, nothing})) << "there is nothing to compute";
    EXPECT_TRUE(follows_rule({view, a}));
}

TEST(NodeFlops, CountMultipliesAndAdds) {
    splitscope::GraphBuilder builder("flops");
    const TensorId a = builder.new_tensor(ElementType::f32, {64, 32, 1, 1});
    const TensorId b = builder.new_tensor(ElementType::f32, {64, 5, 1, 1});
    const TensorId product = builder.mul_mat(a, b);
    const TensorId reshaped = builder.reshape(product, {160, 1, 1, 1});
    const TensorId sum = builder.add(reshaped, reshaped);
    const GraphView view(builder.graph());
    EXPECT_EQ(node_flops(view, product), 2.0 * 64 * 32 * 5);
    EXPECT_EQ(node_flops(view, reshaped), 0.0);
    EXPECT_EQ(node_flops(view, sum), 160.0);
}

TEST(NodeFlops, AreZeroForOperationsThatOnlyMoveValues) {
    test::GraphBuilder b;
    const TensorId table = b.leaf("table", {64, 10, 1, 1});
    const TensorId ids = b.leaf("ids", {3, 1, 1, 1});
    b[ids].type = ElementType::i32;
    const TensorId rows = b.node("rows", Op::get_rows, {table, ids}, {64, 3, 1, 1});
    std::vector<TensorId> moves{rows, b.node("set", Op::set_rows, {rows, ids}, {64, 10, 1, 1})};
    for (const Op op : {Op::cpy, Op::cont, Op::dup, Op::concat, Op::repeat, Op::pad, Op::set})
        moves.push_back(b.node(std::string(name_of(op)), op, {rows, rows}, {64, 3, 1, 1}));
    const TensorId scaled = b.node("scaled", Op::scale, {rows}, {64, 3, 1, 1});
    const auto graph = b.finish();
    const GraphView view(*graph);
    for (const TensorId move : moves) EXPECT_EQ(node_flops(view, move), 0.0) << view[move].name;
    EXPECT_EQ(node_flops(view, scaled), 64.0 * 3);
}

TEST(NodeFlops, DoNotOverflowForHugeAttention) {
    test::GraphBuilder b;
    constexpr std::int64_t kMax = INT64_MAX;
    const TensorId q = b.leaf("q");
    const TensorId k = b.leaf("k", {1, 1, 1, 1});
    b[q].ne = {kMax, 1, 1, 1};
    b[q].nb = {};
    const TensorId out = b.node("out", Op::flash_attn_ext, {q, k, q}, {1, 1, 1, 1});
    const auto graph = b.finish();
    EXPECT_NO_THROW(validate(*graph));
    EXPECT_DOUBLE_EQ(node_flops(GraphView(*graph), out), 4.0 * static_cast<double>(kMax));
}

TEST(NodeBytes, CountOnlyMovedBytes) {
    test::GraphBuilder b;
    const TensorId table = b.leaf("table", {64, 1000, 1, 1});
    const TensorId ids = b.leaf("ids", {3, 1, 1, 1});
    b[ids].type = ElementType::i32;
    const TensorId rows = b.node("rows", Op::get_rows, {table, ids}, {64, 3, 1, 1});
    const TensorId sum = b.node("sum", Op::add, {rows, rows}, {64, 3, 1, 1});
    const TensorId experts = b.leaf("experts", {64, 8, 16, 1});
    const TensorId chosen = b.node("chosen", Op::mul_mat_id, {experts, rows, ids}, {8, 1, 3, 1});
    const auto graph = b.finish();
    const GraphView view(*graph);
    const double row_bytes = 64.0 * 3 * 4;
    EXPECT_EQ(node_bytes(view, rows), 2 * row_bytes + 3 * 4);
    EXPECT_EQ(node_bytes(view, sum), 3 * row_bytes);
    EXPECT_EQ(selected_fraction(view, chosen), 3.0 / 16);
    EXPECT_EQ(node_bytes(view, chosen), 64.0 * 8 * 3 * 4 + row_bytes + 3 * 4 + 8.0 * 3 * 4);
    EXPECT_EQ(node_bytes(view, table), 0.0);
}

TEST(NodeBytes, CountRowsInTheTypeOfTheirTable) {
    test::GraphBuilder b;
    const TensorId table = b.leaf("table", {64, 10, 1, 1});
    const TensorId ids = b.leaf("ids", {3, 1, 1, 1});
    const TensorId cache = b.leaf("cache", {64, 10, 1, 1});
    b[ids].type = ElementType::i32;
    for (const TensorId half : {table, cache}) {
        b[half].type = ElementType::f16;
        b[half].nb = contiguous_strides(ElementType::f16, b[half].ne);
    }
    const TensorId rows = b.node("rows", Op::get_rows, {table, ids}, {64, 3, 1, 1});
    const TensorId stored = b.node("stored", Op::set_rows, {rows, ids}, {64, 10, 1, 1});
    b[stored].type = ElementType::f16;
    b[stored].nb = b[cache].nb;
    b[stored].view_src = cache;
    const TensorId copied = b.node("copied", Op::cpy, {rows, cache}, {64, 3, 1, 1});
    const TensorId biased = b.node("biased", Op::add_id, {rows, rows, ids}, {64, 3, 1, 1});
    const auto graph = b.finish();
    const GraphView view(*graph);
    const double elements = 64.0 * 3;
    EXPECT_EQ(node_bytes(view, rows), elements * 2 + 3 * 4 + elements * 4);
    EXPECT_EQ(node_bytes(view, stored), elements * 4 + 3 * 4 + elements * 2);
    EXPECT_EQ(node_bytes(view, copied), elements * 4 + elements * 4) << "the destination is counted once";
    EXPECT_EQ(node_bytes(view, biased), 3 * elements * 4 + 3 * 4);
}

/// A row of Q, K and V has the other two between its Qs.
TEST(NodeBytes, LeaveOutTheGapsOfViews) {
    test::GraphBuilder b;
    const TensorId joint = b.leaf("qkv", {192, 5, 1, 1});
    const TensorId q = b.node("q", Op::view, {joint}, {64, 5, 1, 1});
    b[q].view_src = joint;
    b[q].nb = b[joint].nb;
    const TensorId scaled = b.node("scaled", Op::scale, {q}, {64, 5, 1, 1});
    const auto graph = b.finish();
    EXPECT_EQ(node_bytes(GraphView(*graph), scaled), 2 * 64.0 * 5 * 4);
}

}  // namespace
}  // namespace splitscope
