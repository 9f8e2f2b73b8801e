// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "engine/support/job.hpp"

namespace splitscope {

/// Runs work on a separate thread while the calling thread waits and executes requests from the work:
/// callbacks that must run on that thread, and a tick 20 times a second, for example to check for interrupts.
class CallerThread {
 public:
    /// Runs `work` and returns when it has ended; `tick` may be empty. Rethrows the first exception of
    /// `work`, of a callback or of `tick`; an exception of the latter two also requests the stop of the
    /// work's job.
    void run(const JobContext& job, const std::function<void(const JobContext&)>& work,
             const std::function<void()>& tick = {});

    /// Called by the work: executes `call` on the waiting thread and returns when it is done. Does nothing
    /// after an exception.
    void call(const std::function<void()>& call);
    /// As call(), without waiting. `call` must own what it refers to.
    void post(std::function<void()> call);

 private:
    struct Call {
        std::function<void()> what;
        bool* done;  ///< null for post()
    };
    void serve(std::unique_lock<std::mutex>& lock, const std::function<void()>& what);

    std::mutex mutex_;
    std::condition_variable to_caller_;
    std::condition_variable to_work_;
    std::deque<Call> calls_;
    bool ended_ = false;
    std::exception_ptr error_;
    std::stop_source stop_;
};

}  // namespace splitscope
