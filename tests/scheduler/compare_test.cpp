// SPDX-License-Identifier: MIT
#include "engine/scheduler/compare.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

std::shared_ptr<const Graph> chain(std::size_t tensors) {
    Graph graph;
    for (std::size_t i = 0; i < tensors; ++i) {
        Tensor t;
        t.name = "t" + std::to_string(i);
        t.ne = {8, 1, 1, 1};
        t.nb = contiguous_strides(t.type, t.ne);
        graph.tensors.push_back(t);
        graph.nodes.emplace_back(i);
    }
    return std::make_shared<const Graph>(std::move(graph));
}

/// Every tensor is put on backend 0 in pass 1.
Schedule plain_schedule(std::size_t tensors) {
    Schedule schedule;
    schedule.graph = chain(tensors);
    for (std::size_t i = 0; i < tensors; ++i) {
        Decision decision;
        decision.cause.kind = CauseKind::inp;
        decision.tensor = TensorId(i);
        decision.to = BackendId(0);
        schedule.decisions.push_back(decision);
    }
    schedule.backend.assign(tensors, BackendId(0));
    schedule.splits.push_back({BackendId(0), 0, tensors, {}});
    return schedule;
}

TEST(CompareSchedules, FindsNothingInEqualSchedules) {
    const ScheduleComparison comparison = compare(plain_schedule(4), plain_schedule(4));
    EXPECT_TRUE(comparison.same());
    EXPECT_TRUE(comparison.tensors.empty());
}

TEST(CompareSchedules, NamesTheFirstDifferentDecision) {
    const Schedule a = plain_schedule(4);
    Schedule b = plain_schedule(4);
    Decision upgrade;
    upgrade.pass = Pass::p3;
    upgrade.cause.kind = CauseKind::upg;
    upgrade.tensor = TensorId(2);
    upgrade.from = BackendId(0);
    upgrade.to = BackendId(1);
    b.decisions.push_back(upgrade);
    b.backend[2] = BackendId(1);
    const ScheduleComparison comparison = compare(a, b);
    ASSERT_EQ(comparison.tensors.size(), 1U);
    EXPECT_EQ(comparison.tensors[0].tensor, TensorId(2));
    EXPECT_EQ(comparison.tensors[0].pass, Pass::p3);
    EXPECT_FALSE(comparison.tensors[0].decision_a);
    EXPECT_EQ(comparison.tensors[0].decision_b, std::optional<std::size_t>(4));
    EXPECT_EQ(comparison.elsewhere, 1U);
    EXPECT_FALSE(comparison.first_split);
}

TEST(CompareSchedules, CountsDifferentCausesOfTheSameBackend) {
    const Schedule a = plain_schedule(2);
    Schedule b = plain_schedule(2);
    b.decisions[1].cause.kind = CauseKind::dst;
    const ScheduleComparison comparison = compare(a, b);
    ASSERT_EQ(comparison.tensors.size(), 1U);
    EXPECT_EQ(comparison.elsewhere, 0U);
    EXPECT_FALSE(comparison.same());
}

TEST(CompareSchedules, ComparesSplitsAndCopiedBytes) {
    const Schedule a = plain_schedule(3);
    Schedule b = plain_schedule(3);
    b.splits[0].inputs = {TensorId(1)};
    const ScheduleComparison comparison = compare(a, b);
    EXPECT_EQ(comparison.first_split, std::optional<SplitId>(SplitId(0)));
    EXPECT_EQ(comparison.copied_bytes_a, 0U);
    EXPECT_EQ(comparison.copied_bytes_b, 32U);
}

/// A failure is not a decision: tensors not reached are neither different nor elsewhere.
TEST(CompareSchedules, FailedSideHasNoMovedNodes) {
    const Schedule whole = plain_schedule(4);
    Schedule stopped = plain_schedule(4);
    stopped.decisions.resize(2);
    stopped.decisions[1].cause.kind = CauseKind::dst;
    stopped.backend = {BackendId(0), BackendId(0), {}, {}};
    stopped.splits.clear();
    stopped.error = ScheduleError{};
    const ScheduleComparison comparison = compare(whole, stopped);
    EXPECT_FALSE(comparison.gave_up_a);
    EXPECT_TRUE(comparison.gave_up_b);
    EXPECT_EQ(comparison.elsewhere, 0U);
    EXPECT_EQ(comparison.not_reached, 2U);
    EXPECT_FALSE(comparison.first_split);
    EXPECT_FALSE(comparison.same());
    // Its earlier decisions are compared.
    ASSERT_EQ(comparison.tensors.size(), 1U);
    EXPECT_EQ(comparison.tensors[0].tensor, TensorId(1));
    const ScheduleComparison back = compare(stopped, whole);
    EXPECT_TRUE(back.gave_up_a);
    EXPECT_EQ(back.not_reached, 2U);
}

TEST(CompareSchedules, RefusesDifferentGraphs) {
    EXPECT_THROW(compare(plain_schedule(2), plain_schedule(3)), Error);
}

}  // namespace
}  // namespace splitscope
