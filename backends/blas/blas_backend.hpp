// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "backends/blas/blas_device.hpp"
#include "backends/cpu/graph_plan.hpp"
#include "backends/cpu/thread_pool.hpp"

namespace splitscope {

/// Large matrix products with OpenBLAS. Weights that are not floats are dequantised before each product.
/// Synchronous.
class BlasBackend final : public Backend {
 public:
    explicit BlasBackend(BlasDevice& device) : Backend(device) {}

    Guid guid() const override;

    /// Number of threads for the library and for dequantisation; ≤ 0: the size of the pool.
    void set_threads(int threads) { threads_ = threads; }
    void set_thread_pool(std::shared_ptr<ThreadPool> pool) { pool_ = std::move(pool); }
    /// Called after every node and between parts of large ones; true ends the computation with status
    /// aborted. Null: never.
    void set_abort_callback(std::function<bool()> callback) { abort_ = std::move(callback); }

    /// Throws Error(unsupported) for an operation that supports_op() refuses.
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;

 private:
    int threads() const;
    bool should_stop() const { return abort_ && abort_(); }
    /// Returns success, aborted or allocation_failed.
    Status multiply(const BoundGraph& graph, TensorId node);
    Status outer_product(const BoundGraph& graph, TensorId node) const;
    /// A matrix of weights as floats.
    const float* expand(const Tensor& weights, const std::byte* plane);

    std::shared_ptr<ThreadPool> pool_;
    std::function<bool()> abort_;
    cpu::WorkBuffer work_;
    int threads_ = 0;
};

}  // namespace splitscope
