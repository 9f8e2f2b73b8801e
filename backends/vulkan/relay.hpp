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

/// Executes tasks sequentially on a separate thread and signals a number after each. Used for waits between
/// devices of different drivers, which cannot share semaphores, without blocking the caller.
class Relay {
 public:
    /// `raise` is called with the number of each finished task.
    explicit Relay(std::function<void(std::uint64_t)> raise) : raise_(std::move(raise)) {}
    /// Waits for the remaining tasks.
    ~Relay();
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    /// Returns the task's number. It is signalled even if the task throws, so that nothing waits forever;
    /// take_failure() then has the reason. Throws Error(limit) if the thread cannot be started.
    std::uint64_t add(std::function<void()> task);
    /// Returns after the number was signalled and the signalling call has completed.
    void wait_for(std::uint64_t number);
    /// Calls `function` while no number is being signalled.
    template <class Function>
    auto in_between(Function function) {
        const std::scoped_lock lock(mutex_);
        return function();
    }
    /// The message of the first failed task, once; else empty.
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
    std::thread thread_;  ///< started with the first task
};

}  // namespace splitscope::vulkan
