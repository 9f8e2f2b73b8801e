// SPDX-License-Identifier: MIT
#include "tests/bench/machine_load.hpp"

#include <chrono>
#include <ctime>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace splitscope::bench {
namespace {

/// Uses this many seconds of a processor.
void work(double seconds) {
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < seconds) {
    }
}

TEST(LoadWatch, DetectsOtherPrograms) {
    constexpr double kSeconds = 0.6;
    const auto begin = std::chrono::steady_clock::now();
    const LoadWatch watch;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        work(kSeconds);
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double all = wall * static_cast<double>(std::thread::hardware_concurrency());
    // The kernel counts in ticks of 10 ms for each processor.
    EXPECT_GE(watch.others(), kSeconds / all - 0.1);
    EXPECT_LE(watch.others(), 1);
}

/// The benchmark's own time is not a load, on however busy a machine.
TEST(LoadWatch, IgnoresItsOwnProcess) {
    const LoadWatch before;
    const auto begin = std::chrono::steady_clock::now();
    work(0.6);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double all = wall * static_cast<double>(std::thread::hardware_concurrency());
    EXPECT_LE(before.others(), 1 - 0.6 / all + 0.1);
}

}  // namespace
}  // namespace splitscope::bench
