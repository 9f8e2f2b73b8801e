// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/interface/buffer.hpp"
#include "backends/interface/device.hpp"
#include "backends/interface/device_work.hpp"
#include "backends/interface/event.hpp"
#include "backends/interface/status.hpp"
#include "backends/interface/tensor_place.hpp"

namespace splitscope {

using Guid = std::array<std::uint8_t, 16>;

/// A graph prepared for repeated computation; implemented by backends.
class GraphPlan {
 public:
    GraphPlan() = default;
    virtual ~GraphPlan() = default;
    GraphPlan(const GraphPlan&) = delete;
    GraphPlan& operator=(const GraphPlan&) = delete;
};

/// A result whose memory must not be reused before node `until` has been computed, because a fused kernel
/// that ends with that node still reads it.
struct KeptTensor {
    TensorId tensor;
    TensorId until;
};

/// One stream of a device (backend-api.md §4). Non-pure virtual functions are optional.
class Backend {
 public:
    explicit Backend(Device& device) : device_(device) {}
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    Device& device() const { return device_; }
    virtual const std::string& name() const { return device_.name(); }
    virtual Guid guid() const = 0;

    BufferType& default_buffer_type() const { return device_.buffer_type(); }
    OpSupport supports_op(const OpQuery& query) const { return device_.supports_op(query); }
    bool supports_buffer_type(const BufferType& type) const { return device_.supports_buffer_type(type); }
    bool offload_op(const OpQuery& query) const { return device_.offload_op(query); }

    /// Starts computing `nodes` in order. Returns the status of the submission; for a synchronous backend, of
    /// the computation.
    virtual Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) = 0;
    /// compute_async(), then synchronize(), also on failure.
    Status compute(const BoundGraph& graph, std::span<const TensorId> nodes);
    /// Waits for all queued work.
    virtual void synchronize() {}
    /// Enables timing of each node with the device's clock. False if it has no such clock, so that only the
    /// host can time nodes, one by one.
    virtual bool time_nodes(bool /*on*/) { return false; }
    /// Duration of each node of the last compute_async(), in order; call after synchronize(). 0 for nodes
    /// that compute nothing. Empty without time_nodes().
    virtual std::vector<std::chrono::nanoseconds> take_node_times() { return {}; }

    /// Whether a whole split is much faster than the same nodes in short ranges: runs with a debugger then
    /// observe nodes only if needed.
    virtual bool prefers_whole_splits() const { return false; }

    /// Whether every node's result must be in memory after a computation; the default. Otherwise results that
    /// only nodes of the same fused kernel read may be omitted.
    virtual void keep_results(bool /*all*/) {}
    /// The commands given to the device since the last call; empty for backends without a queue.
    virtual std::optional<DeviceWork> take_work() { return std::nullopt; }

    /// Queued transfers. False if not available for this tensor: then use synchronize() and a synchronous
    /// transfer. The host memory must stay valid until synchronize().
    virtual bool set_async(const BoundGraph&, TensorId, std::span<const std::byte> /*data*/,
                           std::uint64_t /*offset*/) {
        return false;
    }
    /// As set_async() for a whole tensor, with memory that the caller may reuse when it returns.
    virtual bool upload(const BoundGraph&, TensorId, std::span<const std::byte> /*data*/) { return false; }
    virtual bool get_async(const BoundGraph&, TensorId, std::span<std::byte> /*data*/,
                           std::uint64_t /*offset*/) {
        return false;
    }
    /// As get_async() for a whole tensor, at the end of the next computation. False if not available.
    virtual bool get_with_next(const BoundGraph&, TensorId, std::span<std::byte> /*data*/) { return false; }
    /// Queued copy between tensors of equal layout, called on the destination's backend. False if declined.
    virtual bool copy_async(Backend& /*source_backend*/, const BoundGraph&, TensorId /*source*/,
                            TensorId /*destination*/) {
        return false;
    }

    /// These throw Error(unsupported) by default; called only for devices with events.
    virtual void record(Event& event);
    virtual void wait(Event& event);

    /// May reorder a split's nodes before allocation, and extend the lifetime of results (generation
    /// 2026-08).
    virtual void optimize_graph(const GraphView&, std::vector<TensorId>& /*nodes*/,
                                std::vector<KeptTensor>& /*kept*/) {}

    /// Whether plans are supported; otherwise these throw Error(unsupported).
    virtual bool has_plans() const { return false; }
    /// Null if a stop was requested meanwhile.
    virtual std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph, std::span<const TensorId> nodes);
    virtual Status compute_plan(GraphPlan& plan);
    /// Whether to create plans before the first computation, because they do most of its setup.
    virtual bool plans_ahead() const { return false; }
    /// Allocates staging memory ahead of a computation: for uploads of these sizes in bytes, and for tensors
    /// that get_with_next() will read.
    virtual void prepare_transfers(const BoundGraph&, std::span<const std::uint64_t> /*uploads*/,
                                   std::span<const TensorId> /*wanted*/) {}

 private:
    Device& device_;
};

}  // namespace splitscope
