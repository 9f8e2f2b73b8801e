// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "backends/cpu/thread_pool.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope::cpu {

/// A tensor and the address of its first element. Empty for an unused source slot.
struct TensorRef {
    const Tensor* tensor = nullptr;
    std::byte* data = nullptr;

    explicit operator bool() const { return tensor != nullptr; }
    const Tensor* operator->() const { return tensor; }
    const Tensor& operator*() const { return *tensor; }

    std::byte* at(std::int64_t i1, std::int64_t i2, std::int64_t i3) const {
        return data + i1 * tensor->nb[1] + i2 * tensor->nb[2] + i3 * tensor->nb[3];
    }
    std::byte* at(std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3) const {
        return at(i1, i2, i3) + i0 * tensor->nb[0];
    }
    /// One element of a type with a C++ equivalent.
    template <class T>
    T& value(std::int64_t i0, std::int64_t i1 = 0, std::int64_t i2 = 0, std::int64_t i3 = 0) const {
        return *reinterpret_cast<T*>(at(i0, i1, i2, i3));
    }
    template <class T>
    T* row(std::int64_t i1, std::int64_t i2, std::int64_t i3) const {
        return reinterpret_cast<T*>(at(i1, i2, i3));
    }
};

struct OpKernel;

/// A node ready to compute, with tensors resolved to addresses.
struct OpNode {
    const OpKernel* kernel = nullptr;
    TensorRef dst;
    std::array<TensorRef, kMaxSources> src;
    int tasks = 1;  ///< number of participating threads

    const Tensor& tensor() const { return *dst.tensor; }
    std::int32_t param(std::size_t i) const { return dst->op_params[i]; }
    float param_f32(std::size_t i) const { return dst->param_f32(i); }
};

/// The first error of a kernel. Kernels must not throw, because the node's other threads would wait for them
/// at a barrier.
class FirstError {
 public:
    template <class E>
    void set(E error) {
        const std::scoped_lock lock(mutex_);
        if (!error_) error_ = std::make_exception_ptr(std::move(error));
        set_.store(true, std::memory_order_release);
    }
    bool is_set() const { return set_.load(std::memory_order_acquire); }
    /// Rethrows the original exception. Requires is_set().
    [[noreturn]] void raise() const { std::rethrow_exception(error_); }

 private:
    std::mutex mutex_;
    std::exception_ptr error_;
    std::atomic<bool> set_{false};
};

/// Called after every node and between parts of large ones; true ends the computation.
using AbortCallback = std::function<bool()>;

/// Ends a computation early, also within a node.
class StopSignal {
 public:
    explicit StopSignal(const AbortCallback& callback) : callback_(callback) {}

    /// Calls the callback. Only thread 0 does.
    bool ask() {
        if (!stopped() && callback_ && callback_()) stopped_.store(true, std::memory_order_relaxed);
        return stopped();
    }
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
    const AbortCallback& callback_;
    std::atomic<bool> stopped_{false};
};

/// Half-open index range.
struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// A kernel's input: the node, the thread's share of the work, and work memory.
class OpContext {
 public:
    OpContext(const OpNode& op_node, int thread_index, std::span<std::byte> shared_memory,
              std::span<float> scratch_memory, SpinBarrier& barrier, std::atomic<std::int64_t>& next_chunk,
              FirstError& error, StopSignal& stop)
        : node(op_node),
          thread(thread_index),
          threads(op_node.tasks),
          shared(shared_memory),
          scratch(scratch_memory),
          barrier_(barrier),
          next_chunk_(next_chunk),
          error_(error),
          stop_(stop) {}

    const OpNode& node;
    const int thread;
    const int threads;
    /// Memory shared by the node's threads, of OpKernel::shared_bytes.
    const std::span<std::byte> shared;
    /// Memory of this thread, of OpKernel::scratch_floats.
    const std::span<float> scratch;

    const TensorRef& dst() const { return node.dst; }
    const TensorRef& src(std::size_t i) const { return node.src[i]; }

    /// This thread's share of `count` items.
    Range thread_part(std::int64_t count) const {
        const std::int64_t size = (count + threads - 1) / threads;
        const std::int64_t first = std::min(count, size * thread);
        return {first, std::min(count, first + size)};
    }
    /// Whether the computation is to end. Kernels check between work items of a few milliseconds and return;
    /// their results are discarded.
    bool should_stop() const { return thread == 0 ? stop_.ask() : stop_.stopped(); }
    /// The next of `chunks` work items, claimed by this thread; empty if all are claimed or the computation
    /// is to end.
    std::optional<std::int64_t> next_chunk(std::int64_t chunks) {
        if (should_stop()) return std::nullopt;
        const std::int64_t chunk = next_chunk_.fetch_add(1, std::memory_order_relaxed);
        return chunk < chunks ? std::optional(chunk) : std::nullopt;
    }
    /// Barrier of the node's threads; all of them must call it.
    void sync_threads() {
        if (threads > 1) barrier_.wait();
    }

    /// Ends the computation after this node with an error.
    template <class E>
    void fail(E error) {
        error_.set(std::move(error));
    }

 private:
    SpinBarrier& barrier_;
    std::atomic<std::int64_t>& next_chunk_;
    FirstError& error_;
    StopSignal& stop_;
};

}  // namespace splitscope::cpu
