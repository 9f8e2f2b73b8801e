// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/interface/buffer_type.hpp"
#include "backends/interface/tensor_place.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/best_fit_allocator.hpp"
#include "engine/support/error.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/tensor_facts.hpp"

namespace splitscope {

/// A graph to allocate.
struct AllocationRequest {
    GraphView graph;
    std::span<const BufferPosition> node_positions{};    ///< by position in graph.nodes(); empty = all 0
    std::span<const BufferPosition> leaf_positions{};    ///< by position in graph.leafs(); empty = all 0
    std::span<const BufferPosition> tensor_positions{};  ///< by tensor; only generation 2024-01 asks for them
    std::span<const TensorId> extra_outputs{};  ///< protected from reuse like tensors flagged as outputs
    /// By tensor of graph.graph(); empty = collected here.
    std::span<const TensorFacts> facts{};
    /// Existing placement by tensor; empty = tensors that name a buffer count as placed.
    std::span<const TensorPlace> places{};
    bool trace = true;  ///< record events
    JobContext job{};   ///< for cancellation

    BufferPosition node_position(std::size_t i) const {
        return node_positions.empty() ? BufferPosition(std::size_t{0}) : node_positions[i];
    }
    BufferPosition leaf_position(std::size_t i) const {
        return leaf_positions.empty() ? BufferPosition(std::size_t{0}) : leaf_positions[i];
    }
    /// Whether the tensor (or the base of a view) is in memory that this allocation does not manage.
    bool has_data(TensorId id) const {
        const TensorId base = graph.memory_of(id);
        return places.empty() ? graph[base].buffer.valid() : places[base.index()].has_data;
    }
    bool has_own_buffer(TensorId id) const {
        return places.empty() ? graph[id].buffer.valid() : places[id.index()].buffer != nullptr;
    }
};

/// Buffer types by position; positions with the same type share one best-fit allocator.
class PositionAllocators {
 public:
    PositionAllocators(const AllocationPolicy& policy, std::vector<BufferType*> types);

    void reset();
    std::size_t size() const { return types_.size(); }
    BufferType& type(std::size_t position) const { return *types_[position]; }
    /// The first position with the same type.
    std::size_t owner(std::size_t position) const { return owner_[position]; }
    BestFitAllocator& at(std::size_t position) { return allocators_[owner_[position]]; }
    const BestFitAllocator& at(std::size_t position) const { return allocators_[owner_[position]]; }

 private:
    std::vector<BufferType*> types_;
    std::vector<std::size_t> owner_;
    std::vector<BestFitAllocator> allocators_;  ///< entries of non-owners are unused
};

/// Assigns a place to every tensor of a graph (allocator.md §4). Use once per graph; partial results remain
/// accessible after an exception.
class GraphPlanner {
 public:
    GraphPlanner(const AllocationPolicy& policy, PositionAllocators& allocators,
                 const AllocationRequest& request);

    /// Errors: memory (tensor, size, largest block), limit, no-backend (a tensor without position). Throws
    /// Cancelled.
    void run();

    const std::vector<AllocationEvent>& events() const { return events_; }
    std::vector<AllocationEvent> take_events() { return std::move(events_); }
    /// The tensor's place, also after it was freed; empty if the plan did not place it.
    const std::optional<PlannedPlace>& place_of(TensorId id) const { return places_[id.index()]; }
    std::vector<std::optional<PlannedPlace>> take_places() { return std::move(places_); }

 private:
    /// Planning state of a tensor, packed for locality.
    struct Record {
        std::uint64_t size = 0;  ///< not rounded, in the type of its position
        std::int32_t children = 0;
        std::int32_t views = 0;
        /// Those in slots 0 and 1; if missing, the record behind that of the last tensor.
        std::array<TensorId, 2> first_sources;
        TensorId view_src;
        bool has_more_sources = false;
        /// A view, lies in memory that is not managed here, or is currently placed by this plan.
        bool has_place = false;
        bool input = false;
        bool output = false;
        bool owned = false;  ///< currently placed by this plan
        bool seen = false;
        bool in_place_op = false;
        /// False for dependency views of the scheduler, which have no operation and only count as readers.
        bool counts_as_view = false;
    };

    Record& record(TensorId id) { return records_[id.index()]; }
    /// As record(), and marks the tensor as touched.
    Record& touch(TensorId id) {
        Record& r = record(id);
        if (may_overflow_ && !r.seen) count_touched(id, r);
        return r;
    }
    void count_touched(TensorId id, Record& record);
    /// Calls `visit` with each source. The first two calls need no branch: missing sources are padded with a
    /// record that is always placed and never released. Few tensors have more than two.
    template <class Visit>
    void for_sources(TensorId id, const Visit& visit) {
        const Record& r = record(id);
        const std::array<TensorId, 2> first_sources = r.first_sources;
        const bool has_more_sources = r.has_more_sources;
        for (const TensorId source : first_sources) visit(source);
        if (has_more_sources) {
            for (const TensorId source : std::span(graph_.sources(id)).subspan(first_sources.size())) {
                if (source.valid()) visit(source);
            }
        }
    }
    void collect_records();
    void count_uses();
    void place_nodes();
    void release_sources(TensorId node);
    void place_checked(TensorId id, BufferPosition position) {
        if (policy_.checks_position && !position.valid()) refuse_position(id);
        place(id, position);
    }
    /// At a position that is valid if the generation checks it.
    void place(TensorId id, BufferPosition position) {
        if (!touch(id).has_place) find_place(id, position);
    }
    [[noreturn]] void refuse_position(TensorId id) const;
    [[noreturn]] void refuse_allocation(const Error& error, TensorId id, BufferPosition position) const;
    [[noreturn]] void refuse_reuse(TensorId id, TensorId source) const;
    TensorId first_source_or_itself(TensorId id) const;
    void find_place(TensorId id, BufferPosition position);
    bool place_in_place(TensorId id);
    bool can_take_place_of(TensorId source, TensorId id);
    void take_place_of(TensorId source, TensorId id);
    ChunkPlace allocate(TensorId id, BufferPosition position);
    void keep_place(TensorId id, BufferPosition position, ChunkPlace place);
    void release(TensorId id);
    void free_surplus(TensorId id, TensorId source);
    std::uint64_t alloc_size(TensorId id, BufferPosition position) const {
        return allocators_.type(position.index()).alloc_size(graph_, id);
    }
    void note(AllocationEventKind kind, TensorId tensor, const PlannedPlace& place, TensorId from = {}) {
        if (!request_.trace) return;
        AllocationEvent& event = events_.emplace_back();
        event.kind = kind;
        event.tensor = tensor;
        event.reused_from = from;
        event.place = place;
        event.node = current_node_;
    }

    const AllocationPolicy& policy_;
    PositionAllocators& allocators_;
    const AllocationRequest& request_;
    const GraphView& graph_;
    StopCheck stop_check_;
    std::vector<Record> records_;
    std::vector<std::optional<PlannedPlace>> places_;
    std::size_t seen_ = 0;
    std::size_t capacity_ = 0;
    bool may_overflow_ = false;  ///< whether the graph has more tensors than the capacity
    std::size_t current_node_ = kBeforeNodes;
    std::vector<AllocationEvent> events_;
};

/// The smallest table size of scheduler.md §8.1 that is at least `wanted`.
std::uint64_t table_capacity(std::uint64_t wanted);

}  // namespace splitscope
