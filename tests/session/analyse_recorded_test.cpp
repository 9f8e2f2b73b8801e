// SPDX-License-Identifier: MIT
#include "engine/session/analyse_recorded.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

/// The sample's graph as if a program had scheduled it like the simulation.
class AnalyseRecorded : public ::testing::Test {
 protected:
    void SetUp() override {
        own_ = analyse(testing::sample_session());
        ASSERT_GT(own_->schedule->splits.size(), 1U);
        for (const MachineBackend& backend : own_->machine->backends)
            recorded_.backends.push_back(backend.name);
        recorded_.backend = own_->schedule->backend;
        recorded_.splits = own_->schedule->splits;
    }
    Session session() const {
        auto file = std::make_shared<OpenedFile>();
        file->path = "a.capture.json";
        file->graph = own_->graph;
        file->machine = *own_->machine;
        file->generation = own_->schedule->generation;
        file->recorded = recorded_;
        return default_session(std::move(file));
    }

    std::shared_ptr<const Analysis> own_;
    RecordedSchedule recorded_;
};

TEST_F(AnalyseRecorded, MatchesOurScheduleWhereDecisionsAgree) {
    const RecordedAnalysis both = analyse_recorded(session());
    EXPECT_TRUE(both.comparison.same());
    EXPECT_EQ(both.theirs, both.ours);
    EXPECT_FALSE(both.theirs->schedule->decisions.empty());
}

TEST_F(AnalyseRecorded, ShowsTheRecordedScheduleWhereItDiffers) {
    // A node that the simulation would place elsewhere.
    const Split& split = recorded_.splits.back();
    const TensorId moved = own_->graph->nodes[split.start];
    recorded_.backend[moved.index()] = BackendId(split.backend == BackendId(0) ? 1 : 0);
    const RecordedAnalysis both = analyse_recorded(session());
    ASSERT_EQ(both.comparison.elsewhere.size(), 1U);
    EXPECT_EQ(both.comparison.elsewhere.front().tensor, moved);
    const Schedule& theirs = *both.theirs->schedule;
    ASSERT_FALSE(theirs.error);
    EXPECT_EQ(theirs.backend, recorded_.backend);
    ASSERT_EQ(theirs.splits.size(), recorded_.splits.size());
    for (std::size_t s = 0; s < theirs.splits.size(); ++s) {
        EXPECT_EQ(theirs.splits[s].start, recorded_.splits[s].start);
        EXPECT_EQ(theirs.splits[s].inputs, recorded_.splits[s].inputs);
    }
    EXPECT_TRUE(std::ranges::all_of(theirs.cause, [&](Cause cause) {
        return cause.kind == CauseKind::none || cause.kind == CauseKind::cpy;
    }));
    ASSERT_TRUE(both.theirs->plan);
    EXPECT_FALSE(both.theirs->plan->buffers.empty());
    EXPECT_FALSE(both.ours->schedule->error);
}

TEST_F(AnalyseRecorded, MakesTheCopiesSplitsNeed) {
    // A leaf with an unknown place: everything else equals the simulation, including the copies.
    recorded_.backend[own_->graph->leafs.front().index()] =
        BackendId(recorded_.backend[own_->graph->leafs.front().index()] == BackendId(0) ? 1 : 0);
    const RecordedAnalysis both = analyse_recorded(session());
    ASSERT_FALSE(both.comparison.same());
    const Schedule& theirs = *both.theirs->schedule;
    const Schedule& ours = *both.ours->schedule;
    EXPECT_GE(theirs.rewired.size() + 4, ours.rewired.size());
    const auto copies = [](const Schedule& schedule) {
        return std::ranges::count(schedule.added_info, AddedTensor::Kind::copy, &AddedTensor::kind);
    };
    EXPECT_EQ(copies(theirs), copies(ours));
    EXPECT_EQ(theirs.nodes.size(), ours.nodes.size());
}

TEST_F(AnalyseRecorded, InfersMissingSplits) {
    recorded_.splits.clear();
    for (BackendId& backend : recorded_.backend) backend = BackendId(recorded_.backends.size() - 1);
    const RecordedAnalysis both = analyse_recorded(session());
    ASSERT_FALSE(both.theirs->schedule->error);
    EXPECT_EQ(both.theirs->schedule->splits.size(), 1U);
    EXPECT_TRUE(both.theirs->schedule->added.empty());
}

TEST_F(AnalyseRecorded, RefusesGraphsThatWereNotRecorded) {
    EXPECT_THROW(analyse_recorded(testing::sample_session()), Error);
}

}  // namespace
}  // namespace splitscope
