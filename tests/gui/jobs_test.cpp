// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "engine/support/stop_scope.hpp"
#include "tests/support/no_new_threads.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/selection.hpp"

namespace splitscope::ui {
namespace {

constexpr int kPatienceMs = 10000;

/// Works until it is stopped.
int work_forever(const JobContext& job) {
    while (true) {
        job.check();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

TEST(JobChannelTest, DeliversOnTheOwnersThread) {
    JobChannel channel(QStringLiteral("work"));
    const auto owner = std::this_thread::get_id();
    std::thread::id worked;
    std::thread::id delivered;
    int result = 0;
    channel.start(
        [&worked](const JobContext&) {
            worked = std::this_thread::get_id();
            return 42;
        },
        [&](int value) {
            delivered = std::this_thread::get_id();
            result = value;
        });
    EXPECT_TRUE(channel.running());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    EXPECT_EQ(result, 42);
    EXPECT_EQ(delivered, owner);
    EXPECT_NE(worked, owner);
}

TEST(JobChannelTest, LatestJobWins) {
    JobChannel channel(QStringLiteral("work"));
    std::vector<int> delivered;
    channel.start(work_forever, [&](int) { delivered.push_back(-1); });
    for (int i = 0; i < 20; ++i) {
        channel.start([i](const JobContext&) { return i; }, [&](int value) { delivered.push_back(value); });
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    QTest::qWait(30);
    EXPECT_EQ(delivered, std::vector<int>{19});
}

TEST(JobChannelTest, CancelIsImmediateAndDropsTheResult) {
    JobChannel channel(QStringLiteral("work"));
    bool delivered = false;
    QSignalSpy cancelled(&channel, &JobChannel::cancelled);
    QSignalSpy ended(&channel, &JobChannel::ended);
    channel.start(work_forever, [&](int) { delivered = true; });
    channel.cancel();
    EXPECT_FALSE(channel.running());
    EXPECT_EQ(cancelled.size(), 1);
    EXPECT_EQ(ended.size(), 1);
    QTest::qWait(50);
    EXPECT_FALSE(delivered);
}

TEST(JobChannelTest, StoppedJobDeliversItsPartialResult) {
    JobChannel channel(QStringLiteral("work"));
    int delivered = 0;
    channel.start(
        [](const JobContext& job) {
            while (!job.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return 7;
        },
        [&](int value) { delivered = value; });
    channel.stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    EXPECT_EQ(delivered, 7);
}

/// Such as those of an engine's process.
TEST(JobChannelTest, StopReachesWaitsWithoutAContext) {
    JobChannel channel(QStringLiteral("work"));
    bool stopped = false;
    channel.start(
        [](const JobContext&) {
            const QDeadlineTimer deadline(kPatienceMs);
            while (!StopScope::stop_requested() && !deadline.hasExpired())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return StopScope::stop_requested();
        },
        [&](bool value) { stopped = value; });
    channel.stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, 2 * kPatienceMs));
    EXPECT_TRUE(stopped);
}

/// A wait that is stopped may end a process that other jobs use.
TEST(JobChannelTest, NextJobDoesNotStopWaitsWithoutAContext) {
    JobChannel channel(QStringLiteral("work"));
    std::atomic<bool> stopped = true;
    std::atomic<bool> superseded = false;
    channel.start(
        [&](const JobContext& job) {
            const QDeadlineTimer deadline(kPatienceMs);
            while (!job.stop_token().stop_requested() && !deadline.hasExpired())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            stopped = StopScope::stop_requested();
            superseded = job.stop_token().stop_requested();
            return 0;
        },
        [](int) {});
    channel.start([](const JobContext&) { return 0; }, [](int) {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running() && superseded; }, 2 * kPatienceMs));
    EXPECT_FALSE(stopped);
}

TEST(JobChannelTest, ErrorsAreReportedOnOneLine) {
    JobChannel channel(QStringLiteral("work"));
    QString text;
    QObject::connect(&channel, &JobChannel::failed, [&](const JobFailure& failure) { text = failure.text; });
    channel.start(
        [](const JobContext&) -> int {
            throw Error(ErrorKind::io, Message::verbatim("is gone"), "a.gguf",
                        Message::verbatim("look elsewhere"));
        },
        [](int) { FAIL(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    EXPECT_TRUE(text.contains(QStringLiteral("a.gguf")));
    EXPECT_TRUE(text.contains(QStringLiteral("look elsewhere")));
}

TEST(JobChannelTest, AnyExceptionFailsTheJob) {
    JobChannel channel(QStringLiteral("work"));
    QString text;
    QObject::connect(&channel, &JobChannel::failed, [&](const JobFailure& failure) { text = failure.text; });
    channel.start([](const JobContext&) -> int { throw 42; }, [](int) { FAIL(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    EXPECT_FALSE(text.isEmpty());
}

TEST(JobChannelTest, JobFailsWithoutAThreadAndTheNextRuns) {
    JobChannel channel(QStringLiteral("work"));
    std::vector<JobFailure> failures;
    QSignalSpy ended(&channel, &JobChannel::ended);
    QObject::connect(&channel, &JobChannel::failed,
                     [&](const JobFailure& failure) { failures.push_back(failure); });
    int result = 0;
    const auto start = [&] {
        channel.start([](const JobContext&) { return 7; }, [&](int value) { result = value; });
    };
    {
        const splitscope::testing::NoNewThreads refused;
        start();
    }
    EXPECT_TRUE(channel.running()) << "answered as always, once the caller went on";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures.front().kind, ErrorKind::limit);
    EXPECT_TRUE(failures.front().text.contains(QStringLiteral("cannot start a thread")));
    EXPECT_EQ(ended.size(), 1);
    EXPECT_EQ(result, 0);
    start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !channel.running(); }, kPatienceMs));
    EXPECT_EQ(result, 7);
}

TEST(JobChannelTest, DestructorStopsRunningJobs) {
    QElapsedTimer timer;
    timer.start();
    {
        JobChannel channel(QStringLiteral("work"));
        channel.start(work_forever, [](int) {});
    }
    EXPECT_LT(timer.elapsed(), 1000);
}

TEST(SelectionTest, HistoryGoesBackAndForward) {
    Selection selection;
    selection.select_tensor(TensorId(1), SplitId(0));
    selection.select_tensor(TensorId(2), SplitId(1));
    selection.set_decision(5);
    selection.go_back();
    EXPECT_EQ(selection.tensor(), TensorId(1));
    EXPECT_EQ(selection.split(), SplitId(0));
    selection.go_forward();
    EXPECT_EQ(selection.tensor(), TensorId(2));
    EXPECT_EQ(selection.decision(), 5U);
    selection.go_back();
    selection.select_tensor(TensorId(3), {});
    EXPECT_FALSE(selection.can_go_forward());
}

TEST(SelectionTest, ReselectingAddsNoHistory) {
    Selection selection;
    selection.select_tensor(TensorId(1), {});
    selection.select_tensor(TensorId(1), {});
    selection.go_back();
    EXPECT_FALSE(selection.can_go_back());
}

}  // namespace
}  // namespace splitscope::ui
