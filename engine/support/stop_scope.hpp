// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <utility>

namespace splitscope {

/// The stop request of the job that runs on this thread, for waits in interfaces without a JobContext, such
/// as those for another process. Scopes nest.
class StopScope {
 public:
    explicit StopScope(std::stop_token stop) : outer_(std::exchange(current(), std::move(stop))) {}
    ~StopScope() { current() = std::move(outer_); }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

    static bool stop_requested() { return current().stop_requested(); }

 private:
    static std::stop_token& current() {
        thread_local std::stop_token stop;
        return stop;
    }

    std::stop_token outer_;
};

}  // namespace splitscope
