// SPDX-License-Identifier: MIT
#include "engine/memory/plan_graph.hpp"

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/messages/render.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

/// One CPU and one graph, planned alone.
struct Planned {
    explicit Planned(GraphBuilder& builder, Generation generation,
                     const Machine& machine = test::simple_machine(0))
        : graph(builder.finish()),
          simulated(std::make_shared<const Machine>(machine), graph.get()),
          plan(plan_graph(allocation_policy(generation), {simulated.live().buffer_types[0]},
                          {.graph = GraphView(*graph)})) {}

    std::uint64_t offset(TensorId id) const { return plan.places.at(id.index()).value().offset; }

    std::shared_ptr<const Graph> graph;
    SimulatedMachine simulated;
    AllocationPlan plan;
};

TEST(PlanGraph, MatchesTheSpecificationsExample) {
    // allocator.md §11: sizes 100, 64, 64, 64, 40; alignment 32.
    GraphBuilder b;
    const TensorId x = b.leaf("x", {25, 1, 1, 1});
    const TensorId w = b.stored("w", "weights-CPU");
    const TensorId a = b.node("a", Op::mul_mat, {w, x}, {16, 1, 1, 1});
    const TensorId sum = b.node("b", Op::add, {a, a}, {16, 1, 1, 1});
    const TensorId c = b.node("c", Op::rms_norm, {sum}, {16, 1, 1, 1});
    const TensorId d = b.node("d", Op::mul_mat, {w, c}, {10, 1, 1, 1});
    const Planned p(b, Generation::g2024_10);
    EXPECT_EQ(p.offset(x), 0u);
    EXPECT_EQ(p.offset(a), 128u);
    EXPECT_EQ(p.offset(sum), 0u);
    EXPECT_EQ(p.offset(c), 0u);
    EXPECT_EQ(p.offset(d), 64u);
    EXPECT_FALSE(p.plan.places[w.index()]) << "external memory is never placed";
    EXPECT_EQ(p.plan.buffers[0].size, 192u);
    ASSERT_EQ(p.plan.events.size(), 8u);
    EXPECT_EQ(p.plan.events[0].node, kBeforeNodes);
    EXPECT_EQ(p.plan.events[5].kind, AllocationEventKind::reuse_in_place);
    EXPECT_EQ(p.plan.events[5].reused_from, sum);
}

TEST(PlanGraph, OutputsAreNeverReused) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId a = b.node("a", Op::scale, {x});
    b[a].flags = TensorFlags::output;
    const TensorId c = b.node("c", Op::scale, {a});
    const TensorId d = b.node("d", Op::mul_mat, {c, c});
    const Planned p(b, Generation::g2025_06);
    EXPECT_EQ(p.offset(a), p.offset(x)) << "the input's last reader takes its place";
    EXPECT_NE(p.offset(c), p.offset(a));
    EXPECT_NE(p.offset(d), p.offset(a));
}

TEST(PlanGraph, ViewsKeepTheirBase) {
    for (const Generation generation : {Generation::g2024_10, Generation::g2025_06, Generation::g2026_08}) {
        GraphBuilder b;
        const TensorId x = b.input("x");
        const TensorId a = b.node("a", Op::mul_mat, {x, x});
        const TensorId v = b.view("v", Op::reshape, a);
        const TensorId r = b.node("r", Op::rope, {v});
        const Planned p(b, generation);
        EXPECT_NE(p.offset(r), p.offset(a));
        EXPECT_FALSE(p.plan.places[v.index()]);
    }
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId a = b.node("a", Op::mul_mat, {x, x});
    const TensorId v = b.view("v", Op::reshape, a);
    const TensorId r = b.node("r", Op::rope, {v});
    GraphBuilder early = b;
    const auto graph = early.finish();
    const SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine(0)), graph.get());
    const std::vector<BufferPosition> slots(graph->tensors.size(), BufferPosition(std::size_t{0}));
    AllocationRequest request{.graph = GraphView(*graph)};
    request.tensor_positions = slots;
    const AllocationPlan plan =
        plan_graph(allocation_policy(Generation::g2024_01), {simulated.live().buffer_types[0]}, request);
    ASSERT_FALSE(plan.error) << *plan.error;
    EXPECT_EQ(plan.places[r.index()]->offset, plan.places[a.index()]->offset) << "2024-01 takes over views";
    EXPECT_EQ(plan.buffers[0].size, plan.buffers[0].measured_size + plan.buffers[0].measured_size / 10);
}

TEST(PlanGraph, InPlaceOpsDependOnTheGeneration) {
    const auto shares = [](Op op, Generation generation) {
        GraphBuilder b;
        const TensorId x = b.input("x");
        const TensorId a = b.node("a", Op::mul_mat, {x, x});
        const TensorId c = b.node("c", op, {a});
        const Planned p(b, generation);
        return p.offset(a) == p.offset(c);
    };
    EXPECT_TRUE(shares(Op::soft_max, Generation::g2024_10));
    EXPECT_FALSE(shares(Op::rope_back, Generation::g2024_10));
    EXPECT_TRUE(shares(Op::rope_back, Generation::g2025_06));
    EXPECT_FALSE(shares(Op::add_id, Generation::g2025_06));
    EXPECT_TRUE(shares(Op::add_id, Generation::g2026_08));
    EXPECT_FALSE(shares(Op::mul_mat, Generation::g2026_08));
}

TEST(PlanGraph, SurplusOfAnInPlaceResultIsFreedIn2026) {
    for (const Generation generation : {Generation::g2025_06, Generation::g2026_08}) {
        GraphBuilder b;
        const TensorId x = b.input("x");
        const TensorId a = b.node("a", Op::mul_mat, {x, x});
        const TensorId c = b.node("c", Op::scale, {a});
        const TensorId d = b.node("d", Op::mul_mat, {c, x});
        b.graph().alloc_sizes[{a, "CPU"}] = 1024;  // a type may size tensors by operation
        const Planned p(b, generation);
        EXPECT_EQ(p.offset(c), p.offset(a));
        EXPECT_EQ(p.offset(d) == p.offset(c) + 256, generation == Generation::g2026_08);
    }
}

TEST(PlanGraph, TensorWithoutPositionIsAnError) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    b.node("a", Op::scale, {x});
    const auto graph = b.finish();
    const SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine(0)), graph.get());
    const std::vector<BufferPosition> none(1);
    AllocationRequest request{.graph = GraphView(*graph)};
    request.leaf_positions = none;
    for (const Generation generation : kGenerations) {
        if (allocation_policy(generation).live_tensors) continue;
        const AllocationPlan plan =
            plan_graph(allocation_policy(generation), {simulated.live().buffer_types[0]}, request);
        ASSERT_TRUE(plan.error) << name_of(generation);
        EXPECT_NE(english(*plan.error).find("x"), std::string::npos);
        EXPECT_FALSE(plan.places.at(x.index())) << "what has no buffer has no place";
    }
}

TEST(PlanGraph, EmptyTensorInAnEmptyBufferIsAnErrorFrom2025) {
    for (const Generation generation : kGenerations) {
        if (generation == Generation::g2024_01) continue;
        GraphBuilder b;
        const TensorId x = b.input("x", {64, 0, 1, 1});
        b.node("a", Op::scale, {x}, {64, 0, 1, 1});
        const Planned p(b, generation);
        EXPECT_EQ(p.plan.error.has_value(), generation != Generation::g2024_10) << name_of(generation);
    }
}

TEST(PlanGraph, LimitsTensorsOutsideTheLists) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    for (int i = 0; i < 20; ++i) b.node("n", Op::add, {x, b.tensor("constant")});
    const Planned p(b, Generation::g2024_10);
    ASSERT_TRUE(p.plan.error);
    EXPECT_NE(english(*p.plan.error).find("more than 37 tensors"), std::string::npos) << *p.plan.error;
}

}  // namespace
}  // namespace splitscope
