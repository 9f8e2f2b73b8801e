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

/// The graph allocator that lives from graph to graph: it reserves places by position in the graph, and
/// reuses them as long as the next graph fits (allocator.md §5, §7.5). Generations from 2024-10 on.
class GraphAllocator {
 public:
    GraphAllocator(const AllocationPolicy& policy, std::vector<BufferType*> types);

    /// Plans the graph, records its places by position and lets the buffers grow to what they need. False
    /// when a buffer cannot be allocated; failure() says why. Throws what GraphPlanner::run throws.
    bool reserve(const AllocationRequest& request);
    /// The same without allocating: buffers that would have to grow are dropped. Returns the bytes each
    /// position needs, also for positions that share a buffer.
    std::vector<std::uint64_t> reserve_size(const AllocationRequest& request);
    /// The graph does not fit what was reserved last.
    bool needs_reserve(const AllocationRequest& request) const;
    /// Places the graph by the recorded positions. False when that needs a reservation that only the caller
    /// can make, because there are several buffer types. Throws Error(placement) for an empty tensor placed
    /// twice.
    bool allocate(const AllocationRequest& request);

    /// Where the last successful allocate() put things. Events are those of the reservation, and only there
    /// when the graph is the one it was made for.
    const AllocationPlan& plan() const { return plan_; }
    /// Bytes of the position's buffers; 0 for a position that shares an earlier one's. Errors: unknown.
    std::uint64_t buffer_size(std::size_t position) const;
    /// The chunk's buffer, or null when it has none. Errors: unknown.
    Buffer* buffer(std::size_t position, std::size_t chunk) const;
    const std::string& failure() const { return failure_; }

 private:
    /// A recorded place. Position -1: the slot was a hole, a view or had data.
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
    const Graph* events_graph_ = nullptr;                        ///< the graph they are about
    AllocationPlan plan_;
    std::string failure_;
};

}  // namespace splitscope
