// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/graph_plan.hpp"
#include "backends/interface/backend.hpp"

namespace splitscope {

/// Computes on the CPU with the calling thread and a thread pool (backend-api.md §8). Synchronous. Kernel
/// failures caused by data, such as a row index out of range, are thrown as Error.
class CpuBackend final : public Backend {
 public:
    static constexpr int kDefaultThreads = 4;

    explicit CpuBackend(CpuDevice& device);

    Guid guid() const override;

    /// Applies to later computations and plans. ≤ 0: the size of the pool, or 4 without a pool.
    void set_threads(int threads) { requested_threads_ = threads; }
    int threads() const;
    /// A pool to share with other backends; null: a private pool.
    void set_thread_pool(std::shared_ptr<ThreadPool> pool) { shared_pool_ = std::move(pool); }
    /// The shared pool; null if there is none.
    const std::shared_ptr<ThreadPool>& thread_pool() const { return shared_pool_; }
    /// Called after every node and between parts of large ones, on the computing thread; true ends the
    /// computation with status aborted. Null: never.
    void set_abort_callback(cpu::AbortCallback callback) { abort_ = std::move(callback); }

    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;

    bool has_plans() const override { return true; }
    /// The plan stores tensor addresses and current settings: graph and buffers must outlive it.
    std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    Status compute_plan(GraphPlan& plan) override;

 private:
    std::shared_ptr<ThreadPool> pool_for(int threads);

    std::shared_ptr<ThreadPool> shared_pool_;
    std::shared_ptr<ThreadPool> own_pool_;
    cpu::AbortCallback abort_;
    int requested_threads_ = kDefaultThreads;
    cpu::WorkBuffer work_;
};

}  // namespace splitscope
