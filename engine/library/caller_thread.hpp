// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

#include "engine/support/job.hpp"

namespace splitscope {

/// Work on a thread of its own, while the thread that waits for it does what the work asks of it: calls into
/// code that belongs to that thread, and a look at the outside, such as for an interrupt, 20 times a second.
class CallerThread {
 public:
    /// Runs `work` and returns when it has ended; `tick` may be empty. The first exception, of `work`, of
    /// what it asked for or of `tick`, is thrown here; those of the latter two request the stop of the work's
    /// job.
    void run(const JobContext& job, const std::function<void(const JobContext&)>& work,
             const std::function<void()>& tick = {});

    /// Called by the work: `call` is made on the waiting thread; returns when that is done. Not made any more
    /// after an exception.
    void call(const std::function<void()>& call);
    /// The same without waiting. `call` must own what it refers to.
    void post(std::function<void()> call);

 private:
    struct Call {
        std::function<void()> what;
        bool* done;  ///< null when nobody waits
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
