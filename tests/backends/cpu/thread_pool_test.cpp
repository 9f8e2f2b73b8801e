// SPDX-License-Identifier: MIT
// Failures to create threads.
#include "backends/cpu/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "tests/support/no_new_threads.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope {
namespace {

/// Limits the additional address space of this process during its lifetime.
class AddressSpaceLeft {
 public:
    explicit AddressSpaceLeft(std::uint64_t bytes) {
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        ::getrlimit(RLIMIT_AS, &before_);
        const rlimit less{pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + bytes,
                          before_.rlim_max};
        ::setrlimit(RLIMIT_AS, &less);
    }
    ~AddressSpaceLeft() { ::setrlimit(RLIMIT_AS, &before_); }
    AddressSpaceLeft(const AddressSpaceLeft&) = delete;
    AddressSpaceLeft& operator=(const AddressSpaceLeft&) = delete;

 private:
    rlimit before_{};
};

std::optional<Error> error_of_starting(int threads) {
    try {
        const ThreadPool pool(threads);
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

void expect_that_pools_work() {
    ThreadPool pool(3);
    std::atomic<int> parts = 0;
    pool.run(3, [&](int) { ++parts; });
    EXPECT_EQ(parts, 3);
}

TEST(ThreadPoolTest, ThreadStartFailureIsAnError) {
    std::optional<Error> error;
    {
        const testing::NoNewThreads refused;
        error = error_of_starting(2);
        EXPECT_FALSE(error_of_starting(1)) << "the calling thread is there already";
    }
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::limit);
    EXPECT_EQ(english(error->problem()), "cannot start 2 threads");
    EXPECT_NE(english(error->remedy()).find("--threads"), std::string::npos);
    expect_that_pools_work();
}

TEST(ThreadPoolTest, StartedThreadsEndWhenAnotherFailsToStart) {
    if (testing::kUnderSanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
    constexpr std::uint64_t kRoomForSomeStacks = std::uint64_t{64} << 20;
    std::optional<Error> error;
    {
        const AddressSpaceLeft little(kRoomForSomeStacks);
        error = error_of_starting(1024);
    }
    ASSERT_TRUE(error);
    EXPECT_EQ(english(error->problem()), "cannot start 1024 threads");
    expect_that_pools_work();
}

}  // namespace
}  // namespace splitscope
