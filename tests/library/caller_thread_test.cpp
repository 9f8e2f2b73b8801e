// SPDX-License-Identifier: MIT
#include "engine/library/caller_thread.hpp"

#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/support/stop_scope.hpp"

namespace splitscope {
namespace {

using namespace std::chrono_literals;

TEST(CallerThreadTest, CallsRunInOrderOnTheCallersThread) {
    CallerThread caller;
    std::vector<int> order;
    std::thread::id work_thread;
    caller.run({}, [&](const JobContext&) {
        work_thread = std::this_thread::get_id();
        for (int i = 0; i < 100; ++i) {
            caller.call([&, i] {
                EXPECT_NE(std::this_thread::get_id(), work_thread);
                order.push_back(i);
            });
            EXPECT_EQ(order.size(), static_cast<std::size_t>(i) + 1);
        }
        caller.post([&] { order.push_back(100); });
    });
    ASSERT_EQ(order.size(), 101U);
    EXPECT_EQ(order.back(), 100);
}

TEST(CallerThreadTest, PropagatesExceptionsOfTheWork) {
    CallerThread caller;
    EXPECT_THROW(caller.run({}, [](const JobContext&) { throw std::out_of_range("work"); }),
                 std::out_of_range);
    // It can be used again.
    bool ran = false;
    caller.run({}, [&](const JobContext&) { ran = true; });
    EXPECT_TRUE(ran);
}

TEST(CallerThreadTest, StopReachesWaitsWithoutAContext) {
    CallerThread caller;
    std::stop_source stop;
    bool before = true;
    bool after = false;
    caller.run(JobContext(stop.get_token()), [&](const JobContext&) {
        before = StopScope::stop_requested();
        stop.request_stop();
        after = StopScope::stop_requested();
    });
    EXPECT_FALSE(before);
    EXPECT_TRUE(after);
}

TEST(CallerThreadTest, ExceptionInACallStopsAndPropagates) {
    CallerThread caller;
    int calls = 0;
    bool stopped = false;
    const auto work = [&](const JobContext& job) {
        caller.call([&] {
            ++calls;
            throw std::out_of_range("call");
        });
        stopped = job.stop_requested();
        caller.call([&] { ++calls; });
        job.check();
    };
    EXPECT_THROW(caller.run({}, work), std::out_of_range);
    EXPECT_TRUE(stopped);
    EXPECT_EQ(calls, 1);
}

TEST(CallerThreadTest, ExceptionInTheTickStopsTheWork) {
    CallerThread caller;
    const auto work = [](const JobContext& job) {
        while (true) {
            job.check();
            std::this_thread::sleep_for(1ms);
        }
    };
    int ticks = 0;
    const auto tick = [&] {
        if (++ticks == 2) throw std::out_of_range("tick");
    };
    EXPECT_THROW(caller.run({}, work, tick), std::out_of_range);
    EXPECT_EQ(ticks, 2);
}

TEST(CallerThreadTest, TicksDuringCalls) {
    CallerThread caller;
    int ticks = 0;
    caller.run(
        {},
        [&](const JobContext&) {
            const auto end = std::chrono::steady_clock::now() + 300ms;
            while (std::chrono::steady_clock::now() < end) caller.call([] {});
        },
        [&] { ++ticks; });
    EXPECT_GE(ticks, 2);
}

TEST(CallerThreadTest, CallersJobStopsTheWork) {
    CallerThread caller;
    std::stop_source stop;
    EXPECT_THROW(caller.run(JobContext(stop.get_token()),
                            [&](const JobContext& job) {
                                stop.request_stop();
                                job.check();
                            }),
                 Cancelled);
}

}  // namespace
}  // namespace splitscope
