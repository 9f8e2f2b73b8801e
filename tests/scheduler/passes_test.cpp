// SPDX-License-Identifier: MIT
// Individual rules of the passes and their differences between generations; whole graphs are compared in
// tests/golden.
#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/messages/render.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;
using test::simple_machine;

Schedule schedule(const GraphBuilder& b, Machine machine, Generation generation) {
    const SimulatedMachine simulated(std::make_shared<const Machine>(std::move(machine)));
    return make_schedule(b.finish(), simulated.live(), {.generation = generation});
}

std::string label(const Schedule& schedule, TensorId t) {
    return label_of(schedule.cause[t.index()]);
}

constexpr std::array kCores = {Generation::g2024_10, Generation::g2025_06, Generation::g2026_08};

TEST(FixedPass, OffloadsLargeBatchesFromTheCpu) {
    for (const Generation generation : kCores) {
        for (const std::int64_t batch : {31, 32}) {
            for (const bool op_offload : {false, true}) {
                GraphBuilder b;
                const TensorId w = b.stored("w", "weights-CPU", {64, 64, 1, 1});
                const TensorId x = b.input("x", {64, batch, 1, 1});
                const TensorId y = b.node("y", Op::mul_mat, {w, x}, {64, batch, 1, 1});
                Machine machine = simple_machine();
                machine.backends[0].offload_min_batch = 32;
                machine.op_offload = op_offload;
                const bool switched_on = op_offload || generation == Generation::g2024_10;
                EXPECT_EQ(label(schedule(b, machine, generation), y),
                          batch == 32 && switched_on ? "1.off" : "1.wgt0");
                machine.buffer_types[1].is_host = false;
                EXPECT_EQ(label(schedule(b, machine, generation), y),
                          batch == 32 && generation == Generation::g2024_10 ? "1.off" : "1.wgt0")
                    << "later generations offload only from host memory";
            }
        }
    }
}

/// Devices that a program does not use take nothing over and get no nodes; the others are asked in the given
/// order.
TEST(Passes, AskOnlyUsedBackendsInTheirOrder) {
    for (const Generation generation : kCores) {
        GraphBuilder b;
        const TensorId w = b.stored("w", "weights-CPU", {64, 64, 1, 1});
        const TensorId x = b.input("x", {64, 32, 1, 1});
        const TensorId y = b.node("y", Op::mul_mat, {w, x}, {64, 32, 1, 1});
        const TensorId free = b.node("free", Op::add, {y, y}, {64, 32, 1, 1});
        Machine machine = simple_machine(2);
        machine.backends[0].offload_min_batch = machine.backends[1].offload_min_batch = 32;
        // Also where it could read the CPU's memory.
        machine.backends[0].supports_buffer_types.emplace_back(2);
        const BackendId gpu0(0);
        const BackendId gpu1(1);
        const BackendId cpu(2);
        machine.used = {gpu1, gpu0, cpu};
        EXPECT_EQ(schedule(b, machine, generation).backend[y.index()], gpu0)
            << "the first that reads the weight's memory";
        machine.backends[0].supports_buffer_types.pop_back();
        EXPECT_EQ(schedule(b, machine, generation).backend[y.index()], gpu1);
        machine.used = {gpu0, cpu};
        EXPECT_EQ(schedule(b, machine, generation).backend[y.index()], gpu0);
        machine.backends[0].supports_buffer_types.emplace_back(2);
        machine.used = {cpu};
        const Schedule alone = schedule(b, machine, generation);
        ASSERT_FALSE(alone.error);
        EXPECT_EQ(alone.backend[y.index()], cpu);
        EXPECT_EQ(alone.backend[free.index()], cpu);
        EXPECT_EQ(alone.splits.size(), 1U);
        EXPECT_TRUE(alone.refusals.empty());
        machine.assignments = {{y, gpu0}};
        EXPECT_TRUE(schedule(b, machine, generation).error) << "nor can users place a node there";
    }
}

TEST(FixedPass, RopeAndFlashAttentionIgnoreTheirWeights) {
    for (const Generation generation : kCores) {
        GraphBuilder b;
        const TensorId factors = b.stored("factors", "weights-CPU");
        const TensorId g = b.stored("g", "weights-GPU0");
        const TensorId x = b.node("x", Op::mul, {g, g});
        const TensorId rope = b.node("rope", Op::rope, {x, x, factors});
        const TensorId attention = b.node("attention", Op::flash_attn_ext, {x, x, x, x, factors});
        const Schedule s = schedule(b, simple_machine(), generation);
        EXPECT_EQ(label(s, rope), generation == Generation::g2024_10 ? "1.wgt2" : "2.sup");
        EXPECT_EQ(label(s, attention), generation == Generation::g2026_08 ? "2.sup" : "1.wgt4");
    }
}

TEST(FixedPass, LabelOfAViewOfAStoredTensorFollowsTheGeneration) {
    for (const Generation generation : kGenerations) {
        GraphBuilder b;
        const TensorId cache = b.stored("cache", "any-GPU0");
        const TensorId x = b.input("x");
        const TensorId copy = b.node("copy", Op::cpy, {x, cache});
        b[copy].view_src = cache;
        const bool sees_view_source =
            generation == Generation::g2025_06 || generation == Generation::g2026_08;
        EXPECT_EQ(label(schedule(b, simple_machine(), generation), copy),
                  sees_view_source ? "1.dst" : "1.vsrc");
    }
}

TEST(FixedPass, TensorInAComputeBufferBelongsToItsBackend) {
    GraphBuilder b;
    const TensorId kept = b.stored("kept", "any-CPU");
    b.node("y", Op::scale, {kept});
    Machine machine = simple_machine();
    machine.backends[0].supports_buffer_types.emplace_back(
        std::size_t{1});  // so the GPU could compute it, too
    const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
    LiveMachine live = simulated.live();
    const auto backend = [&] {
        return make_schedule(b.finish(), live, {.generation = Generation::g2024_01}).backend[kept.index()];
    };
    EXPECT_EQ(backend(), BackendId(std::size_t{0}));
    live.compute_buffer_of.resize(machine.buffers.size());
    live.compute_buffer_of[3] = BackendId(std::size_t{1});
    EXPECT_EQ(backend(), BackendId(std::size_t{1}));
}

TEST(SpreadPass, SkipsNodesTheBackendCannotRun) {
    for (const Generation generation : kCores) {
        GraphBuilder b;
        const TensorId g = b.stored("g", "weights-GPU0");
        const TensorId a = b.node("a", Op::mul, {g, g});
        const TensorId c = b.node("c", Op::argsort, {a});
        const TensorId d = b.node("d", Op::scale, {c});
        Machine machine = simple_machine();
        machine.backends[0].unsupported_ops = {"ARGSORT", "NO_SUCH_OP"};
        const Schedule s = schedule(b, machine, generation);
        EXPECT_EQ(s.backend[d.index()], BackendId(std::size_t{0})) << "spread from a, over c";
        EXPECT_EQ(s.backend[c.index()], BackendId(std::size_t{1}));
        EXPECT_EQ(label(s, c), "3.best");
        const auto decision = std::find_if(s.decisions.begin(), s.decisions.end(),
                                           [&](const Decision& made) { return made.tensor == c; });
        ASSERT_NE(decision, s.decisions.end());
        ASSERT_EQ(decision->evidence.refusal_count, 1u);
        EXPECT_EQ(s.refusals[decision->evidence.first_refusal].op.rule, RefusalRule::op);
        EXPECT_EQ(decision->evidence.usable_sources, 0);
    }
}

TEST(BestFitPass, UpgradesToABackendWithTheSameMemory) {
    for (const Generation generation : kCores) {
        GraphBuilder b;
        const TensorId w = b.stored("w", "weights-CPU");
        const TensorId x = b.input("x");
        const TensorId y = b.node("y", Op::mul_mat, {w, x});
        Machine machine = simple_machine(1);
        MachineBackend blas = machine.backends[1];
        blas.name = "BLAS";
        blas.device = DeviceKind::accel;
        machine.backends.insert(machine.backends.begin() + 1, blas);
        machine.assignments = {{y, BackendId(std::size_t{2})}};
        const Schedule s = schedule(b, machine, generation);
        EXPECT_EQ(label(s, y), "3.upg") << "even a user's assignment";
        EXPECT_EQ(s.backend[y.index()], BackendId(std::size_t{1}));
        EXPECT_EQ(s.splits.size(), 1u);
        EXPECT_TRUE(s.splits[0].inputs.empty());
    }
}

TEST(SplitPass, SplitsAtTheInputLimitOfTheGeneration) {
    for (const Generation generation : kGenerations) {
        GraphBuilder b;
        const TensorId g = b.stored("g", "weights-GPU0");
        for (int i = 0; i < 40; ++i) b.node("n", Op::mul, {g, b.input("x")});
        const Schedule s = schedule(b, simple_machine(), generation);
        switch (generation) {
            case Generation::g2024_01:
                // Its inputs are assigned to their reader, so nothing is copied.
                EXPECT_EQ(s.splits.size(), 1u);
                break;
            case Generation::g2024_10:
            case Generation::g2025_06:
                ASSERT_EQ(s.splits.size(), 4u);
                EXPECT_EQ(s.splits[0].inputs.size(), 10u);
                break;
            case Generation::g2026_08:
                ASSERT_EQ(s.splits.size(), 2u);
                EXPECT_EQ(s.splits[0].inputs.size(), 30u);
                break;
        }
    }
}

TEST(SplitPass, FullSplitsGrowWhereTheyDoNotEnd) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0");
    for (int i = 0; i < 40; ++i) b.node("n", Op::mul, {g, b.input("x")});
    const auto graph = b.finish();
    const SimulatedMachine simulated(std::make_shared<const Machine>(simple_machine()), graph.get());
    const Schedule s = make_schedule(graph, simulated.live(),
                                     {.generation = Generation::g2026_08, .ends_full_splits = false});
    ASSERT_EQ(s.splits.size(), 1u);
    EXPECT_EQ(s.splits[0].inputs.size(), 40u);
}

TEST(SplitPass, EleventhInputIsALimitError) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0");
    for (int i = 0; i < 9; ++i) b.node("n", Op::mul, {g, b.input("x")});
    const TensorId last = b.node("last", Op::add_rel_pos, {b.input("y"), b.input("z")});
    Machine machine = simple_machine();
    machine.assignments = {{last, BackendId(std::size_t{0})}};
    for (const Generation generation : {Generation::g2024_10, Generation::g2025_06}) {
        const Schedule s = schedule(b, machine, generation);
        ASSERT_TRUE(s.error);
        EXPECT_EQ(s.error->kind, ErrorKind::limit);
        EXPECT_NE(english(s.error->message).find("'z'"), std::string::npos) << s.error->message;
        EXPECT_NE(english(s.error->message).find("'last'"), std::string::npos);
        EXPECT_FALSE(s.decisions.empty()) << "the decisions up to there are kept";
    }
    EXPECT_FALSE(schedule(b, machine, Generation::g2026_08).error);
}

TEST(SplitPass, PipelinedInputsGetFourCopies) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0");
    const TensorId x = b.input("x");
    const TensorId y = b.node("y", Op::mul, {g, x});
    Machine machine = simple_machine();
    machine.parallel = true;
    for (const Generation generation : kGenerations) {
        const Schedule s = schedule(b, machine, generation);
        ASSERT_FALSE(s.error);
        if (generation == Generation::g2024_01) {
            EXPECT_EQ(s.n_copies, 1);
            continue;
        }
        EXPECT_EQ(s.n_copies, 4);
        EXPECT_EQ(s.graph_inputs, std::vector{x});
        EXPECT_EQ(s.extra_outputs, std::vector{x});
        EXPECT_EQ(label(s, x), "4.cpy");
        EXPECT_EQ(s.leafs.size(), 4u + 4u + 2u) << "input copies, split input copies, the graph's own";
        EXPECT_EQ(s.view()[s.view().sources(y)[1]].name, "GPU0#x#0");
    }
}

TEST(ScheduleErrors, NameTensorOperationAndRefusals) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId y = b.node("y", Op::argsort, {x});
    Machine machine = simple_machine();
    for (MachineBackend& backend : machine.backends) backend.unsupported_ops = {"ARGSORT"};
    for (const Generation generation : kCores) {
        const Schedule s = schedule(b, machine, generation);
        ASSERT_TRUE(s.error);
        EXPECT_EQ(s.error->kind, ErrorKind::no_backend);
        EXPECT_EQ(s.error->tensor, y);
        EXPECT_NE(english(s.error->message).find("ARGSORT"), std::string::npos);
        ASSERT_EQ(s.error->refusals.size(), 2u);
        EXPECT_EQ(s.error->refusals[0].op.rule, RefusalRule::op);
        EXPECT_FALSE(s.passes.empty());
    }
}

TEST(ScheduleErrors, PreallocatedTensorMustRunInPlace) {
    GraphBuilder b;
    const TensorId cache = b.stored("cache", "any-GPU0");
    const TensorId x = b.input("x");
    const TensorId copy = b.node("copy", Op::cpy, {x, cache});
    b[copy].view_src = cache;
    Machine machine = simple_machine();
    machine.backends[0].unsupported_ops = {"CPY"};
    for (const Generation generation : kCores) {
        const Schedule s = schedule(b, machine, generation);
        ASSERT_TRUE(s.error);
        EXPECT_EQ(s.error->tensor, copy);
        ASSERT_EQ(s.error->refusals.size(), 2u);
        EXPECT_EQ(s.error->refusals[0].op.rule, RefusalRule::op);
        EXPECT_TRUE(s.error->refusals[1].buffer_type_refused);
    }
    EXPECT_FALSE(schedule(b, machine, Generation::g2024_01).error) << "it never asks about operations";
}

TEST(ScheduleErrors, RefuseLaterOperationsAndTypes) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    b.node("y", Op::flash_attn_ext, {x, x, x});
    EXPECT_TRUE(schedule(b, simple_machine(), Generation::g2024_01).error);
    EXPECT_FALSE(schedule(b, simple_machine(), Generation::g2024_10).error);
    GraphBuilder typed;
    typed[typed.input("x")].type = ElementType::mxfp4;
    EXPECT_TRUE(schedule(typed, simple_machine(), Generation::g2025_06).error);
}

TEST(ScheduleErrors, RefuseInvalidMachines) {
    GraphBuilder b;
    b.node("y", Op::scale, {b.input("x")});
    Machine machine = simple_machine();
    machine.backends.pop_back();
    const Schedule s = schedule(b, machine, Generation::g2025_06);
    ASSERT_TRUE(s.error);
    EXPECT_EQ(s.error->kind, ErrorKind::state);
    const SimulatedMachine simulated(std::make_shared<const Machine>(machine));
    EXPECT_TRUE(plan_allocation(s, simulated.live())->error);
}

TEST(EmptyGraphs, HaveOneEmptySplit) {
    GraphBuilder b;
    for (const Generation generation : kGenerations) {
        const Schedule s = schedule(b, simple_machine(), generation);
        ASSERT_FALSE(s.error);
        ASSERT_EQ(s.splits.size(), 1u);
        EXPECT_EQ(s.splits[0].end, 0u);
        EXPECT_EQ(s.splits[0].backend,
                  generation == Generation::g2024_01 ? BackendId() : BackendId(std::size_t{0}));
    }
}

TEST(Scheduling, StopsOnRequest) {
    GraphBuilder b;
    b.node("y", Op::scale, {b.input("x")});
    const SimulatedMachine simulated(std::make_shared<const Machine>(simple_machine()));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(make_schedule(b.finish(), simulated.live(), {}, JobContext(stop.get_token())), Cancelled);
}

}  // namespace
}  // namespace splitscope
