// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "engine/messages/message.hpp"

namespace splitscope::vulkan {

/// Does, one after the other and in a thread of its own, what the work of a device waits for, and raises a
/// number after each: semaphores cannot be shared between devices of different drivers, and the caller shall
/// not wait.
class Relay {
 public:
    /// `raise` is told the number of each task that has ended.
    explicit Relay(std::function<void(std::uint64_t)> raise) : raise_(std::move(raise)) {}
    /// Ends after the tasks that are left.
    ~Relay();
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    /// The task's number. The number is raised also when the task throws, so that nothing waits for ever;
    /// take_failure() tells then. Throws Error(limit) when there is no thread for it.
    std::uint64_t add(std::function<void()> task);
    /// Returns when the number was raised, and so much later than the task's end that nothing of the raising
    /// is still going on.
    void wait_for(std::uint64_t number);
    /// Does it while no number is being raised.
    template <class Function>
    auto in_between(Function function) {
        const std::scoped_lock lock(mutex_);
        return function();
    }
    /// What the first failing task said, once; else empty.
    Message take_failure();

 private:
    void work();

    std::function<void(std::uint64_t)> raise_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::condition_variable raised_;
    std::deque<std::function<void()>> tasks_;
    Message failure_;
    std::uint64_t added_ = 0;
    std::uint64_t done_ = 0;
    bool ending_ = false;
    std::thread thread_;  ///< begins with the first task
};

}  // namespace splitscope::vulkan
