// SPDX-License-Identifier: MIT
#include "engine/scheduler/hazards.hpp"

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/messages/render.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

std::vector<Hazard> hazards(const GraphBuilder& b, const Machine& machine, Generation generation,
                            Schedule& schedule) {
    const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
    schedule = make_schedule(b.finish(), simulated.live(), {.generation = generation});
    EXPECT_FALSE(schedule.error);
    return find_hazards(schedule, *plan_allocation(schedule, simulated.live()));
}

TEST(Hazards, OrdinaryGraphHasNone) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0");
    const TensorId w = b.stored("w", "weights-CPU");
    b.node("z", Op::mul, {w, b.node("y", Op::mul, {g, b.input("x")})});
    Schedule schedule;
    for (const Generation generation : kGenerations) {
        EXPECT_TRUE(hazards(b, test::simple_machine(), generation, schedule).empty());
    }
}

TEST(Hazards, ViewCopiedBeforeItsBaseIsComputed) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0");
    const TensorId base = b.node("base", Op::mul, {g, g});
    const TensorId view = b.view("view", Op::reshape, base);
    b.node("reader", Op::mul, {g, view});
    Machine machine = test::simple_machine();
    machine.assignments = {{view, BackendId(std::size_t{1})}};
    Schedule schedule;
    const auto found = hazards(b, machine, Generation::g2025_06, schedule);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, HazardKind::copied_before_computed);
    EXPECT_EQ(found[0].tensor, view);
    EXPECT_NE(english(describe(found[0], schedule)).find("'view'"), std::string::npos);
}

TEST(Hazards, CopyOntoItsOriginal) {
    // The first GPU can read the CPU's memory and works in place; the result is then copied to the CPU.
    GraphBuilder b;
    const TensorId w = b.stored("w", "weights-CPU");
    const TensorId a = b.node("a", Op::mul_mat, {w, w});
    const TensorId in_place = b.node("in_place", Op::scale, {a});
    b.node("reader", Op::mul_mat, {w, in_place});
    Machine machine = test::simple_machine();
    machine.backends[0].supports_buffer_types.emplace_back(std::size_t{1});
    machine.assignments = {{a, BackendId(std::size_t{1})},
                           {in_place, BackendId(std::size_t{0})},
                           {TensorId(std::size_t{3}), BackendId(std::size_t{1})}};
    Schedule schedule;
    const auto found = hazards(b, machine, Generation::g2025_06, schedule);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, HazardKind::copy_overlaps_original);
    EXPECT_EQ(found[0].tensor, in_place);
    EXPECT_NE(english(describe(found[0], schedule)).find("CPU#in_place#0"), std::string::npos);
}

}  // namespace
}  // namespace splitscope
