// SPDX-License-Identifier: MIT
#include "engine/execution/execution_sums.hpp"

#include <gtest/gtest.h>

namespace splitscope {
namespace {

using namespace std::chrono_literals;

Execution run_of(std::chrono::nanoseconds compute, std::chrono::nanoseconds copy) {
    Execution run;
    ExecutionEvent event;
    event.split = SplitId(0);
    event.backend = BackendId(0);
    event.kind = ExecutionEventKind::copy;
    event.tensor = TensorId(7);
    event.bytes = 100;
    event.start = 5ns;
    event.end = event.start + copy;
    run.events.push_back(event);
    event.kind = ExecutionEventKind::compute;
    event.tensor = {};
    event.bytes = 0;
    event.start = event.end;
    event.end = event.start + compute;
    run.events.push_back(event);
    run.duration = event.end;
    return run;
}

TEST(ExecutionSums, AverageRunsAndNameTheSlowest) {
    const auto schedule = std::make_shared<const Schedule>();
    ExecutionSums sums;
    EXPECT_EQ(sums.mean(), nullptr);
    sums.add(schedule, run_of(100ns, 10ns));
    sums.add(schedule, run_of(400ns, 20ns));
    sums.add(schedule, run_of(100ns, 30ns));
    const auto mean = sums.mean();
    ASSERT_NE(mean, nullptr);
    EXPECT_EQ(mean->runs, 3U);
    EXPECT_EQ(mean->slowest, 1U);
    EXPECT_EQ(mean->slowest_duration, 425ns);
    ASSERT_EQ(mean->mean.events.size(), 2U);
    EXPECT_EQ(mean->mean.events[0].end - mean->mean.events[0].start, 20ns);
    EXPECT_EQ(mean->mean.events[0].bytes, 100U);
    EXPECT_EQ(mean->mean.events[1].end - mean->mean.events[1].start, 200ns);
    EXPECT_EQ(mean->mean.duration, 225ns);
}

TEST(ExecutionSums, RestartForAnotherSchedule) {
    ExecutionSums sums;
    sums.add(std::make_shared<const Schedule>(), run_of(900ns, 10ns));
    sums.add(std::make_shared<const Schedule>(), run_of(100ns, 10ns));
    EXPECT_EQ(sums.runs(), 1U);
    EXPECT_EQ(sums.mean()->slowest_duration, 115ns);
}

}  // namespace
}  // namespace splitscope
