// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace splitscope {

/// Where the threads of one computation meet. Waits by spinning for a moment, then sleeps, so that a barrier
/// costs well under a microsecond when every thread has a core and little when it has not.
class SpinBarrier {
 public:
    explicit SpinBarrier(int threads) : threads_(threads) {}
    /// Everything written before by any thread is seen by all threads behind it.
    void wait();

 private:
    const int threads_;
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<std::uint32_t> passes_{0};
};

/// Threads that stay ready between computations. One computation runs at a time; several backends may share a
/// pool.
class ThreadPool {
 public:
    /// `threads` ≥ 1 counts the calling thread. Throws Error(limit) when they cannot all be started.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return static_cast<int>(workers_.size()) + 1; }

    /// Runs work(0) on the calling thread and work(1) … work(threads - 1) on the pool's, and returns when all
    /// have returned. `threads` is at most size(). `work` must not throw.
    void run(int threads, const std::function<void(int thread)>& work);

 private:
    /// Only the calling thread. A constructor that builds on it may throw: the destructor runs all the same.
    ThreadPool() = default;

    void serve(int thread);

    std::mutex one_at_a_time_;
    const std::function<void(int)>* work_ = nullptr;
    int wanted_ = 0;
    alignas(64) std::atomic<std::uint32_t> generation_{0};
    alignas(64) std::atomic<int> running_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::thread> workers_;
};

}  // namespace splitscope
