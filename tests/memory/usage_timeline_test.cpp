// SPDX-License-Identifier: MIT
#include "engine/memory/usage_timeline.hpp"

#include <gtest/gtest.h>

namespace splitscope {
namespace {

using Kind = AllocationEventKind;

AllocationEvent event(Kind kind, std::int32_t tensor, std::uint64_t offset, std::uint64_t size,
                      std::size_t node, std::int32_t reused_from = -1) {
    return {kind, TensorId(tensor), TensorId(reused_from), {BufferPosition(0), 0, offset, size}, node};
}

/// The example of the allocator specification, §11: leaf x, then nodes a, b, c (in place) and d.
AllocationPlan example_plan() {
    AllocationPlan plan;
    plan.buffers.resize(1);
    plan.buffers[0].buffer_type = "CPU";
    plan.buffers[0].size = 192;
    plan.buffers[0].chunk_sizes = {192};
    plan.events = {event(Kind::allocate, 0, 0, 128, kBeforeNodes),
                   event(Kind::allocate, 1, 128, 64, 0),
                   event(Kind::free, 0, 0, 128, 0),
                   event(Kind::allocate, 2, 0, 64, 1),
                   event(Kind::free, 1, 128, 64, 1),
                   event(Kind::reuse_in_place, 3, 0, 64, 2, 2),
                   event(Kind::allocate, 4, 64, 64, 3),
                   event(Kind::free, 3, 0, 64, 3)};
    return plan;
}

TEST(UsageTimeline, MatchesTheSpecificationsExample) {
    const auto timelines = usage_timelines(example_plan());
    ASSERT_EQ(timelines.size(), 1U);
    const BufferTimeline& cpu = timelines[0];
    ASSERT_EQ(cpu.steps.size(), 5U);
    const std::vector<std::uint64_t> most = {128, 192, 128, 64, 128};
    const std::vector<std::uint64_t> after = {128, 64, 64, 64, 64};
    const std::vector<std::uint64_t> ends = {128, 192, 192, 64, 128};
    for (std::size_t i = 0; i < cpu.steps.size(); ++i) {
        EXPECT_EQ(cpu.steps[i].node, static_cast<NodePosition>(i) - 1);
        EXPECT_EQ(cpu.steps[i].bytes, most[i]) << i;
        EXPECT_EQ(cpu.steps[i].bytes_after, after[i]) << i;
        EXPECT_EQ(cpu.steps[i].highest_end, ends[i]) << i;
    }
    EXPECT_EQ(cpu.size, 192U);
    EXPECT_EQ(cpu.peak_bytes, 192U);
    EXPECT_EQ(cpu.peak_node, 0);
    ASSERT_EQ(cpu.live_at_peak.size(), 2U);
    EXPECT_EQ(cpu.blocks[cpu.live_at_peak[0]].tensor, TensorId(0));
    EXPECT_EQ(cpu.blocks[cpu.live_at_peak[1]].tensor, TensorId(1));
}

TEST(UsageTimeline, ShowsTheLifetimeOfEachAllocation) {
    const BufferTimeline cpu = usage_timelines(example_plan()).at(0);
    ASSERT_EQ(cpu.blocks.size(), 5U);
    EXPECT_EQ(cpu.blocks[0].first, kBeforeFirstNode);
    EXPECT_EQ(cpu.blocks[0].last, 0);
    EXPECT_EQ(cpu.blocks[2].last, 2);  // taken over in place by node 2
    EXPECT_TRUE(cpu.blocks[3].in_place);
    EXPECT_EQ(cpu.blocks[4].last, 3);  // never freed: until the last node
}

TEST(UsageTimeline, JoinsPositionsThatShareABuffer) {
    AllocationPlan plan = example_plan();
    plan.buffers.resize(2);
    plan.buffers[1].shared_with = BufferPosition(0);
    plan.events[1].place.buffer = BufferPosition(1);
    const auto timelines = usage_timelines(plan);
    ASSERT_EQ(timelines.size(), 1U);
    EXPECT_EQ(timelines[0].peak_bytes, 192U);
}

TEST(UsageTimeline, KeepsChunksApart) {
    AllocationPlan plan = example_plan();
    plan.buffers[0].chunk_sizes = {128, 64};
    plan.events = {event(Kind::allocate, 0, 0, 128, kBeforeNodes), event(Kind::allocate, 1, 0, 64, 0)};
    plan.events[1].place.chunk = 1;
    const auto timelines = usage_timelines(plan);
    ASSERT_EQ(timelines.size(), 2U);
    EXPECT_EQ(timelines[0].size, 128U);
    EXPECT_EQ(timelines[1].size, 64U);
    EXPECT_EQ(timelines[1].chunk, 1);
}

TEST(UsageTimeline, IsEmptyForAnEmptyPlan) {
    EXPECT_TRUE(usage_timelines(AllocationPlan{}).empty());
}

}  // namespace
}  // namespace splitscope
