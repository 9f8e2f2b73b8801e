// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "backends/interface/buffer_type.hpp"
#include "backends/interface/tensor_place.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/best_fit_allocator.hpp"
#include "engine/support/error.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/by_tensor.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/tensor_facts.hpp"

namespace splitscope {

/// A graph to allocate.
struct AllocationRequest {
    GraphView graph;
    std::span<const BufferPosition> node_positions{};    ///< by position in graph.nodes(); empty = all 0
    std::span<const BufferPosition> leaf_positions{};    ///< by position in graph.leafs(); empty = all 0
    std::span<const BufferPosition> tensor_positions{};  ///< by tensor; only generation 2024-01 asks for them
    std::span<const TensorId> extra_outputs{};  ///< protected from reuse like tensors flagged as outputs
    /// Of the graph's tensors, for the generation that allocates; null = collected here.
    const TensorFacts* facts = nullptr;
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
    /// Uses of a tensor that are still to come.
    struct Uses {
        std::int32_t children = 0;
        std::int32_t views = 0;

        bool none() const { return (children | views) == 0; }
    };
    // Further traits of tensors during planning; those that the plan places become `placed`, too.
    static constexpr auto kOwned = static_cast<TensorTraits>(1 << 14);  ///< currently placed by this plan
    static constexpr auto kSeen = static_cast<TensorTraits>(1 << 15);   ///< counted by count_touched()

    void add(TensorId id, TensorTraits traits) { traits_[id] = traits_[id] | traits; }
    void remove(TensorId id, TensorTraits traits) { traits_[id] = without(traits_[id], traits); }
    /// Whether its place can be freed, or taken over by another tensor.
    bool is_disposable(TensorId id) const {
        return (traits_[id] & (kOwned | TensorTraits::output)) == kOwned;
    }
    void touch(TensorId id) {
        if (may_overflow_ && !has(traits_[id], kSeen)) count_touched(id);
    }
    void count_touched(TensorId id);
    /// Calls `visit` with each source, and perhaps with "no tensor", which counts as placed elsewhere and is
    /// never released.
    template <class Visit>
    void for_sources(TensorId id, const Visit& visit) {
        const auto [first, second] = first_sources_[id];
        visit(first);
        visit(second);
        if (has(traits_[id], TensorTraits::more_sources)) {
            for (const TensorId source : further_sources(id)) visit(source);
        }
    }
    std::span<const TensorId> further_sources(TensorId id) const {
        return std::span(graph_.sources(id)).subspan(2);
    }
    void mark_placed();
    void count_uses();
    void count_uses_by(std::size_t node);
    void place_nodes();
    void place_sources(TensorId node, BufferPosition position);
    void release_sources(TensorId node);
    void count_reader_done(TensorId source) {
        Uses& uses = uses_[source];
        uses.children -= 1;
        if (uses.none()) release_unused(source);
    }
    void release_unused(TensorId source);
    void place_checked(TensorId id, BufferPosition position) {
        if (policy_.checks_position && !position.valid()) refuse_position(id);
        place(id, position);
    }
    /// At a position that is valid if the generation checks it.
    void place(TensorId id, BufferPosition position) {
        touch(id);
        if (!has(traits_[id], TensorTraits::placed)) find_place(id, position);
    }
    [[noreturn]] void refuse_position(TensorId id) const;
    [[noreturn]] void refuse_allocation(const Error& error, TensorId id, BufferPosition position) const;
    [[noreturn]] void refuse_reuse(TensorId id, TensorId source) const;
    TensorId first_source_or_itself(TensorId id) const;
    void find_place(TensorId id, BufferPosition position);
    bool can_take_place_of(TensorId source, TensorId id);
    // Inlined in find_place().
    [[gnu::always_inline]] TensorId overwritable_source(TensorId id);
    [[gnu::always_inline]] void take_place_of(TensorId source, TensorId id);
    const PlannedPlace& keep_place(TensorId id, BufferPosition position, ChunkPlace place, std::uint64_t size,
                                   std::uint64_t rounded_size);
    void release(TensorId id) {
        if (is_disposable(id)) free_place(id);
    }
    void free_place(TensorId id);
    void free_surplus(TensorId id, TensorId source);
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
    TensorFacts collected_;  ///< if the request has no facts
    ByTensor<TensorFacts::FirstSources>::View first_sources_;
    ByTensor<TensorTraits> traits_;
    ByTensor<TensorId>::View view_src_;
    ByTensor<Uses> uses_;
    std::vector<std::optional<PlannedPlace>> places_;
    /// Of placed tensors, not rounded, in the type of their position; others are not initialised.
    std::unique_ptr<std::uint64_t[]> sizes_;
    std::size_t seen_ = 0;
    std::size_t capacity_ = 0;
    bool may_overflow_ = false;  ///< whether the graph has more tensors than the capacity
    std::size_t current_node_ = kBeforeNodes;
    std::vector<AllocationEvent> events_;
};

/// The smallest table size of scheduler.md §8.1 that is at least `wanted`.
std::uint64_t table_capacity(std::uint64_t wanted);

}  // namespace splitscope
