// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <new>
#include <span>
#include <vector>

#include "backends/cpu/op_context.hpp"
#include "backends/interface/backend.hpp"

namespace splitscope::cpu {

/// A growing buffer, aligned for vectors.
class WorkBuffer {
 public:
    /// False if allocation fails; the buffer is then empty.
    bool ensure(std::size_t bytes);
    std::span<std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
    };
    static constexpr std::align_val_t kAlignment{64};

    std::unique_ptr<std::byte, Free> memory_;
    std::size_t size_ = 0;
};

/// Nodes resolved to addresses and kernels, with their work memory.
class NodeList {
 public:
    /// Skips NONE, view operations and empty results. Throws Error(unsupported) for an operation without a
    /// kernel, Error(no_buffer) for a tensor that is not in host memory.
    NodeList(const BoundGraph& graph, std::span<const TensorId> nodes, int threads);

    std::span<const OpNode> nodes() const { return nodes_; }
    /// 1 if no node can use more.
    int threads() const { return threads_; }
    std::size_t work_bytes() const { return scratch_offset(threads_); }

    /// Computes all nodes with `work`, which has work_bytes(). Throws the first error of a kernel.
    Status compute(ThreadPool* pool, std::span<std::byte> work, const AbortCallback& abort) const;

 private:
    struct Run;
    void compute_part(Run& run, int thread) const;
    /// Offset of a thread's scratch memory in the work buffer.
    std::size_t scratch_offset(int thread) const {
        return shared_bytes_ + static_cast<std::size_t>(thread) * scratch_floats_ * sizeof(float);
    }

    std::vector<OpNode> nodes_;
    int threads_;
    std::size_t shared_bytes_ = 0;
    std::size_t scratch_floats_ = 0;
};

}  // namespace splitscope::cpu
