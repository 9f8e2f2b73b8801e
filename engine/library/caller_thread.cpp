// SPDX-License-Identifier: MIT
#include "engine/library/caller_thread.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "engine/support/stop_scope.hpp"

namespace splitscope {
namespace {

constexpr std::chrono::milliseconds kTick{50};

}  // namespace

void CallerThread::run(const JobContext& job, const std::function<void(const JobContext&)>& work,
                       const std::function<void()>& tick) {
    stop_ = std::stop_source();
    ended_ = false;
    error_ = nullptr;
    const std::stop_callback forward(job.stop_token(), [this] { stop_.request_stop(); });
    const JobContext inner = JobContext(stop_.get_token(), [&job](double fraction, const Message& doing) {
                                 job.report(fraction, doing);
                             }).with(job.memory_bound());
    std::exception_ptr failed;
    std::thread worker([&] {
        const StopScope scope(inner.stop_token());
        try {
            work(inner);
        } catch (...) {
            failed = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        to_caller_.notify_one();
    });
    {
        std::unique_lock lock(mutex_);
        auto next_tick = std::chrono::steady_clock::now() + kTick;
        while (!ended_ || !calls_.empty()) {
            to_caller_.wait_until(lock, next_tick, [this] { return ended_ || !calls_.empty(); });
            if (const auto now = std::chrono::steady_clock::now(); now >= next_tick) {
                next_tick = now + kTick;
                if (tick) serve(lock, tick);
            }
            while (!calls_.empty()) {
                const Call call = std::move(calls_.front());
                calls_.pop_front();
                serve(lock, call.what);
                if (call.done != nullptr) *call.done = true;
                to_work_.notify_all();
            }
        }
    }
    worker.join();
    // An exception caused by the stop is less important than the stop's cause.
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (failed) std::rethrow_exception(failed);
}

/// Requires the lock to be released; serves nothing after an exception.
void CallerThread::serve(std::unique_lock<std::mutex>& lock, const std::function<void()>& what) {
    if (error_) return;
    lock.unlock();
    std::exception_ptr error;
    try {
        what();
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    if (!error) return;
    error_ = error;
    stop_.request_stop();
}

void CallerThread::call(const std::function<void()>& call) {
    std::unique_lock lock(mutex_);
    bool done = false;
    calls_.push_back({call, &done});
    to_caller_.notify_one();
    to_work_.wait(lock, [&done] { return done; });
}

void CallerThread::post(std::function<void()> call) {
    const std::scoped_lock lock(mutex_);
    calls_.push_back({std::move(call), nullptr});
    to_caller_.notify_one();
}

}  // namespace splitscope
