// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace splitscope {

/// A barrier that spins briefly before it sleeps: well under a microsecond if every thread has a core, and
/// cheap otherwise.
class SpinBarrier {
 public:
    explicit SpinBarrier(int threads) : threads_(threads) {}
    /// Memory written before the barrier by any thread is visible to all threads after it.
    void wait();

 private:
    const int threads_;
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<std::uint32_t> passes_{0};
};

/// A pool of worker threads. One computation runs at a time; several backends may share a pool.
class ThreadPool {
 public:
    /// `threads` ≥ 1 includes the calling thread. Throws Error(limit) if threads cannot be started.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return static_cast<int>(workers_.size()) + 1; }

    /// Runs work(0) on the calling thread and work(1) … work(threads - 1) on workers, and returns when all
    /// have returned. `threads` must not exceed size(). `work` must not throw.
    void run(int threads, const std::function<void(int thread)>& work);

 private:
    /// Without workers. Lets the delegating constructor throw: the destructor still runs.
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
