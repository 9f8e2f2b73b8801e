// SPDX-License-Identifier: MIT
#include "backends/cpu/thread_pool.hpp"

#include <algorithm>
#include <system_error>

#include "backends/cpu/messages.hpp"
#include "engine/support/error.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace splitscope {
namespace {

// About 10 to 40 µs: longer than the gap between nodes, shorter than a time slice.
constexpr int kSpins = 600;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Waits until `value` is no longer `old`.
template <class T>
void wait_for_change(const std::atomic<T>& value, T old) {
    for (int spin = 0; spin < kSpins; ++spin) {
        if (value.load(std::memory_order_acquire) != old) return;
        relax();
    }
    while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

void SpinBarrier::wait() {
    if (threads_ == 1) return;
    const std::uint32_t pass = passes_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
        arrived_.store(0, std::memory_order_relaxed);
        // Not a plain store: it must be ordered before notify_all's check for waiters.
        passes_.fetch_add(1, std::memory_order_seq_cst);
        passes_.notify_all();
    } else {
        wait_for_change(passes_, pass);
    }
}

ThreadPool::ThreadPool(int threads) : ThreadPool() {
    workers_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
    try {
        for (int thread = 1; thread < threads; ++thread) {
            workers_.emplace_back([this, thread] { serve(thread); });
        }
    } catch (const std::system_error&) {
        throw Error(ErrorKind::limit, msg::kCannotStartThreads(threads), {}, msg::kUseFewerThreads);
    }
}

ThreadPool::~ThreadPool() {
    {
        const std::scoped_lock lock(one_at_a_time_);
        stop_.store(true, std::memory_order_relaxed);
        generation_.fetch_add(1, std::memory_order_seq_cst);
        generation_.notify_all();
    }
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int threads, const std::function<void(int)>& work) {
    const std::scoped_lock lock(one_at_a_time_);
    if (threads <= 1) {
        work(0);
        return;
    }
    work_ = &work;
    wanted_ = threads;
    // Every worker reports, including those without work, so that none still reads this job when the next one
    // is set up.
    running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_seq_cst);
    generation_.notify_all();
    work(0);
    for (int left = running_.load(std::memory_order_acquire); left != 0;
         left = running_.load(std::memory_order_acquire)) {
        wait_for_change(running_, left);
    }
}

void ThreadPool::serve(int thread) {
    std::uint32_t seen = 0;
    for (;;) {
        wait_for_change(generation_, seen);
        seen = generation_.load(std::memory_order_acquire);
        if (stop_.load(std::memory_order_relaxed)) return;
        if (thread < wanted_) (*work_)(thread);
        if (running_.fetch_sub(1, std::memory_order_seq_cst) == 1) running_.notify_all();
    }
}

}  // namespace splitscope
