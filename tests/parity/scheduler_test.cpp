// SPDX-License-Identifier: MIT
// The state machine of scheduler.md §8.
#include "engine/parity/scheduler.hpp"

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/support/generation_cases.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

std::shared_ptr<const Graph> layers(std::int64_t elements, std::size_t inputs = 1) {
    GraphBuilder b;
    const TensorId g = b.stored("g", "weights-GPU0", {elements, 1, 1, 1});
    TensorId last = g;
    for (std::size_t i = 0; i < inputs; ++i) {
        last = b.node("n", Op::mul, {g, b.input("x", {elements, 1, 1, 1})}, {elements, 1, 1, 1});
    }
    b.node("out", Op::mul_mat, {last, last}, {elements, 1, 1, 1});
    return b.finish();
}

class SchedulerTest : public testing::TestWithParam<Generation> {
 protected:
    Scheduler make(bool parallel = false, std::size_t graph_size = 4096) {
        return {simulated_.live(),
                {.generation = GetParam(), .graph_size = graph_size, .parallel = parallel}};
    }
    std::size_t synchronisations() const {
        return static_cast<std::size_t>(
            std::count_if(log_.calls.begin(), log_.calls.end(),
                          [](const Call& c) { return c.kind == CallKind::synchronize; }));
    }
    bool is_2026() const { return GetParam() == Generation::g2026_08; }

    SimulatedMachine simulated_{std::make_shared<const Machine>(test::simple_machine(1))};
    const CallLog& log_ = simulated_.log();
};

TEST_P(SchedulerTest, ReservedGraphsAreNotPlannedAgain) {
    Scheduler scheduler = make();
    ASSERT_TRUE(scheduler.reserve(layers(1024)));
    EXPECT_TRUE(scheduler.is_reset());
    const std::uint64_t size = scheduler.buffer_size(BackendId(std::size_t{0}));
    EXPECT_GT(size, 0u);
    EXPECT_GT(synchronisations(), 0u);
    ASSERT_TRUE(scheduler.alloc(layers(64)));
    EXPECT_FALSE(scheduler.replanned());
    EXPECT_EQ(scheduler.buffer_size(BackendId(std::size_t{0})), size);
    EXPECT_EQ(scheduler.split_count(), scheduler.schedule()->splits.size());
    scheduler.reset();
    ASSERT_TRUE(scheduler.alloc(layers(64, 2)));
    EXPECT_TRUE(scheduler.replanned()) << "another number of nodes";
}

TEST_P(SchedulerTest, BackendWithOtherMemoryForcesANewPlan) {
    Scheduler scheduler = make();
    const auto graph = layers(64);
    ASSERT_TRUE(scheduler.reserve(graph));
    scheduler.set_tensor_backend(graph->nodes[1], BackendId(std::size_t{1}));
    ASSERT_TRUE(scheduler.alloc(graph));
    EXPECT_TRUE(scheduler.replanned());
    EXPECT_EQ(scheduler.tensor_backend(graph->nodes[1]), BackendId(std::size_t{1}));
    scheduler.reset();
    EXPECT_EQ(scheduler.tensor_backend(graph->nodes[1]), BackendId());
    EXPECT_GT(scheduler.split_count(), 0u) << "kept after a reset";
}

TEST_P(SchedulerTest, AssignmentsSurviveExplicitAllocationOnly) {
    Scheduler scheduler = make();
    const auto graph = layers(64);
    scheduler.set_tensor_backend(graph->nodes[1], BackendId(std::size_t{1}));
    ASSERT_TRUE(scheduler.prepare_compute(graph));
    EXPECT_EQ(scheduler.tensor_backend(graph->nodes[1]), BackendId(std::size_t{0}))
        << "computing resets first";
    scheduler.reset();
    scheduler.set_tensor_backend(graph->nodes[1], BackendId(std::size_t{1}));
    ASSERT_TRUE(scheduler.alloc(graph));
    ASSERT_TRUE(scheduler.prepare_compute(graph));
    EXPECT_EQ(scheduler.tensor_backend(graph->nodes[1]), BackendId(std::size_t{1}));
}

TEST_P(SchedulerTest, AllocatingTwiceIsAStateError) {
    Scheduler scheduler = make();
    const auto graph = layers(64);
    ASSERT_TRUE(scheduler.alloc(graph));
    EXPECT_THROW(scheduler.alloc(graph), Error);
    scheduler.reset();
    EXPECT_TRUE(scheduler.alloc(graph));
}

TEST_P(SchedulerTest, CursorMovesPerGeneration) {
    Scheduler scheduler = make(true);
    const auto graph = layers(64);
    EXPECT_EQ(scheduler.copy_count(), 4);
    std::vector<int> used;
    for (int run = 0; run < 5; ++run) {
        ASSERT_TRUE(scheduler.prepare_compute(graph));
        used.push_back(scheduler.schedule()->current_copy);
        scheduler.finish_compute(Status::success);
        scheduler.reset();
    }
    EXPECT_EQ(used, (std::vector{0, 1, 2, 3, 0}));
    scheduler.synchronise();
    ASSERT_TRUE(scheduler.alloc(graph));
    EXPECT_EQ(scheduler.schedule()->current_copy, GetParam() == Generation::g2024_10 ? 1 : 0)
        << "from 2025-06 on synchronising sets it back while nothing is allocated";
}

TEST_P(SchedulerTest, RefusesToRepeatPipelinedGraphsThatReadOldCopies) {
    Scheduler scheduler = make(true);
    const auto graph = layers(64);
    ASSERT_TRUE(scheduler.prepare_compute(graph));
    scheduler.finish_compute(Status::success);
    if (is_2026()) {
        EXPECT_TRUE(scheduler.prepare_compute(graph));
    } else {
        EXPECT_THROW(scheduler.prepare_compute(graph), Error);
    }
}

TEST_P(SchedulerTest, FailedRunKeepsTheCursor) {
    Scheduler scheduler = make(true);
    ASSERT_TRUE(scheduler.prepare_compute(layers(64)));
    scheduler.finish_compute(Status::failed);
    EXPECT_EQ(scheduler.current_copy(), 0);
}

TEST_P(SchedulerTest, SplitSlotsKeepTheirCapacity) {
    Scheduler scheduler = make();
    ASSERT_TRUE(scheduler.reserve(layers(64, 70)));
    EXPECT_EQ(scheduler.split_count(), is_2026() ? 3u : 7u);
    ASSERT_TRUE(scheduler.alloc(layers(64, 70)));
    EXPECT_EQ(scheduler.split_count(), is_2026() ? 3u : 7u);
}

TEST_P(SchedulerTest, RefusesGraphsBeyondItsSize) {
    Scheduler scheduler = make(false, 4);
    EXPECT_NO_THROW(scheduler.alloc(layers(64, 1)));
    EXPECT_THROW(scheduler.reserve(layers(64, 2)), Error);
}

TEST_P(SchedulerTest, ErrorsKeepDecisions) {
    Scheduler scheduler = make();
    GraphBuilder b;
    b[b.input("x")].type = ElementType::q1_0;
    b.leaf("unused");
    EXPECT_THROW(scheduler.alloc(b.finish()), Error);
    ASSERT_NE(scheduler.schedule(), nullptr);
    EXPECT_TRUE(scheduler.schedule()->error);
}

TEST_P(SchedulerTest, NamesUnknownBackends) {
    Scheduler scheduler = make();
    EXPECT_THROW(scheduler.backend(2), Error);
    EXPECT_THROW(scheduler.set_tensor_backend(TensorId(std::size_t{0}), BackendId(std::size_t{2})), Error);
    EXPECT_THROW(scheduler.buffer_size(BackendId()), Error);
    EXPECT_EQ(scheduler.backend(1).name(), "CPU");
    EXPECT_EQ(scheduler.buffer_type(BackendId(std::size_t{0})).name(), "GPU0");
    EXPECT_EQ(scheduler.backend_count(), 2u);
    EXPECT_EQ(scheduler.backend_id(scheduler.backend(1)), BackendId(std::size_t{1}));
    const SimulatedMachine other(std::make_shared<const Machine>(test::simple_machine(1)));
    EXPECT_EQ(scheduler.backend_id(*other.live().backends[0]), BackendId());
    EXPECT_THROW(scheduler.slot(BackendId(std::size_t{0})), Error);
    EXPECT_THROW(scheduler.init_measure(layers(64)), Error);
}

TEST_P(SchedulerTest, MeasuringWithoutAllocatingIsNew) {
    Scheduler scheduler = make();
    if (!is_2026()) {
        EXPECT_THROW(scheduler.reserve_size(layers(64)), Error);
        EXPECT_THROW(scheduler.split(layers(64)), Error);
        return;
    }
    const auto sizes = scheduler.reserve_size(layers(64));
    ASSERT_EQ(sizes.size(), 2u);
    EXPECT_GT(sizes[0], 0u);
    EXPECT_EQ(scheduler.buffer_size(BackendId(std::size_t{0})), 0u);
    EXPECT_FALSE(scheduler.is_reset());
    EXPECT_FALSE(scheduler.is_allocated());
    scheduler.split(layers(64));
    EXPECT_EQ(scheduler.split_count(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Generations, SchedulerTest,
                         testing::Values(Generation::g2024_10, Generation::g2025_06, Generation::g2026_08),
                         test::name_of_case);

TEST(EarlyScheduler, MeasuresOnceThenAllocates) {
    SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine(1)));
    Scheduler scheduler(simulated.live(), {.generation = Generation::g2024_01});
    const auto graph = layers(1024);
    EXPECT_THROW(scheduler.reserve(graph), Error);
    scheduler.init_measure(graph);
    EXPECT_THROW(scheduler.init_measure(graph), Error);
    const BackendId gpu(std::size_t{0});
    const std::uint64_t size = scheduler.buffer_size(gpu);
    EXPECT_GT(size, 0u);
    EXPECT_NE(scheduler.buffer(gpu), nullptr);
    EXPECT_EQ(scheduler.slot(gpu).size(), size);
    ASSERT_TRUE(scheduler.prepare_compute(graph));
    EXPECT_EQ(scheduler.plan()->buffers[0].size, size);
    EXPECT_EQ(scheduler.plan()->buffers[0].measured_size + scheduler.plan()->buffers[0].measured_size / 10,
              size);
    ASSERT_TRUE(scheduler.prepare_compute(graph)) << "every run resets and places again";
    EXPECT_THROW(scheduler.prepare_compute(layers(4096)), Error) << "the graph outgrew what was measured";
}

TEST(EarlyScheduler, KeepsAssignmentsMadeAfterAReset) {
    SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine(1)));
    Scheduler scheduler(simulated.live(), {.generation = Generation::g2024_01});
    const auto graph = layers(64);
    scheduler.init_measure(graph);
    scheduler.set_tensor_backend(graph->nodes[1], BackendId(std::size_t{0}));
    ASSERT_TRUE(scheduler.prepare_compute(graph));
    EXPECT_EQ(scheduler.tensor_backend(graph->nodes[1]), BackendId(std::size_t{0}));
}

}  // namespace
}  // namespace splitscope
