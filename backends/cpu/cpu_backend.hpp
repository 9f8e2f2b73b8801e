// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/graph_plan.hpp"
#include "backends/interface/backend.hpp"

namespace splitscope {

/// Computes on the processor, in the calling thread and those of a pool (backend-api.md §8). Synchronous.
/// Kernel failures caused by data, such as a row index outside a table, are thrown as Error.
class CpuBackend final : public Backend {
 public:
    static constexpr int kDefaultThreads = 4;

    explicit CpuBackend(CpuDevice& device);

    Guid guid() const override;

    /// Used by later computations and plans. ≤ 0: as many as the pool has, or 4 without one.
    void set_threads(int threads) { wanted_threads_ = threads; }
    int threads() const;
    /// A pool to share with other backends; null: one of its own.
    void set_thread_pool(std::shared_ptr<ThreadPool> pool) { shared_pool_ = std::move(pool); }
    /// The shared pool; null without one.
    const std::shared_ptr<ThreadPool>& thread_pool() const { return shared_pool_; }
    /// Asked after every node, and between the pieces of large ones, by the thread that computes; true: the
    /// rest is not computed and the status is aborted. Null: off.
    void set_abort_callback(cpu::AbortCallback callback) { abort_ = std::move(callback); }

    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;

    bool has_plans() const override { return true; }
    /// The plan keeps the addresses of the tensors and the settings of now: graph and buffers must outlive
    /// it.
    std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    Status compute_plan(GraphPlan& plan) override;

 private:
    std::shared_ptr<ThreadPool> pool_for(int threads);

    std::shared_ptr<ThreadPool> shared_pool_;
    std::shared_ptr<ThreadPool> own_pool_;
    cpu::AbortCallback abort_;
    int wanted_threads_ = kDefaultThreads;
    cpu::WorkBuffer work_;
};

}  // namespace splitscope
