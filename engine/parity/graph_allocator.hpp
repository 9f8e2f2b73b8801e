// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/interface/buffer.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/graph_planner.hpp"

namespace splitscope {

/// The persistent graph allocator: reserves places by graph position and reuses them while later graphs fit
/// (allocator.md §5, §7.5). Since generation 2024-10.
class GraphAllocator {
 public:
    GraphAllocator(const AllocationPolicy& policy, std::vector<BufferType*> types);

    /// Plans the graph, records places by position and grows the buffers. False if a buffer cannot be
    /// allocated; see failure(). Throws what GraphPlanner::run throws.
    bool reserve(const AllocationRequest& request);
    /// As reserve(), without allocating: buffers that would have to grow are freed. Returns the required
    /// bytes of each position, also of positions that share a buffer.
    std::vector<std::uint64_t> reserve_size(const AllocationRequest& request);
    /// Whether the graph does not fit the last reservation.
    bool needs_reserve(const AllocationRequest& request) const;
    /// Places the graph by the recorded positions. False if it needs a new reservation that only the caller
    /// can make, because there are several buffer types. Throws Error(placement) for an empty tensor that is
    /// placed twice.
    bool allocate(const AllocationRequest& request);

    /// Result of the last successful allocate(). Events are those of the reservation, and present only for
    /// the graph it was made with.
    const AllocationPlan& plan() const { return plan_; }
    /// Bytes of the position's buffers; 0 if it shares those of an earlier position. Errors: unknown.
    std::uint64_t buffer_size(std::size_t position) const;
    /// The buffer of a chunk, or null. Errors: unknown.
    Buffer* buffer(std::size_t position, std::size_t chunk) const;
    const std::string& failure() const { return failure_; }

 private:
    /// A recorded place. Position -1: the slot was empty, a view, or already had data.
    struct Slot {
        std::int16_t position = -1;
        std::int16_t chunk = 0;
        std::uint64_t offset = 0;
        std::uint64_t size_max = 0;
    };

    void plan_and_record(const AllocationRequest& request);
    Slot slot_for(const GraphPlanner& planner, const AllocationRequest& request, TensorId id) const;
    bool fits(const AllocationRequest& request, TensorId id, const Slot& slot) const;
    bool must_grow(std::size_t position) const;
    void place(const AllocationRequest& request, TensorId id, const Slot& slot);
    const Slot& source_slot(std::size_t node, std::size_t source) const;

    const AllocationPolicy& policy_;
    PositionAllocators allocators_;
    std::vector<Slot> leafs_;
    std::vector<Slot> nodes_;
    std::vector<std::size_t> first_source_;  ///< per node, into sources_; one more at the end
    std::vector<Slot> sources_;
    std::vector<std::vector<std::unique_ptr<Buffer>>> buffers_;  ///< chunks of each owning position
    std::vector<bool> has_buffers_;                              ///< the position has been given its list
    std::vector<AllocationEvent> events_;                        ///< of the last reservation
    const Graph* events_graph_ = nullptr;                        ///< the graph that they refer to
    AllocationPlan plan_;
    std::string failure_;
};

}  // namespace splitscope
