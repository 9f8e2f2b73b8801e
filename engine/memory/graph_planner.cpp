// SPDX-License-Identifier: MIT
#include "engine/memory/graph_planner.hpp"

#include <algorithm>
#include <array>

#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/for_each_checked.hpp"
#include "engine/support/large_pages.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

TensorFacts collected_facts(const GraphView& graph, Generation generation) {
    TensorFacts facts;
    facts.collect(graph.graph(), generation);
    facts.follow(graph);
    return facts;
}

}  // namespace

std::uint64_t table_capacity(std::uint64_t wanted) {
    static constexpr std::array<std::uint64_t, 32> kSizes = {
        2,        3,        5,        11,        17,        37,        67,         131,
        257,      521,      1031,     2053,      4099,      8209,      16411,      32771,
        65537,    131101,   262147,   524309,    1048583,   2097169,   4194319,    8388617,
        16777259, 33554467, 67108879, 134217757, 268435459, 536870923, 1073741827, 2147483659};
    const auto found = std::ranges::lower_bound(kSizes, wanted);
    return found != kSizes.end() ? *found : wanted | 1;
}

PositionAllocators::PositionAllocators(const AllocationPolicy& policy, std::vector<BufferType*> types)
    : types_(std::move(types)) {
    for (std::size_t i = 0; i < types_.size(); ++i) {
        const auto first = std::ranges::find(types_, types_[i]);
        owner_.push_back(static_cast<std::size_t>(first - types_.begin()));
        allocators_.push_back(
            policy.max_chunks > 1
                ? BestFitAllocator::chunked(types_[i]->alignment(), types_[i]->max_size(), policy.max_chunks)
                : BestFitAllocator::single(types_[i]->alignment()));
    }
}

void PositionAllocators::reset() {
    for (BestFitAllocator& allocator : allocators_) allocator.reset();
}

GraphPlanner::GraphPlanner(const AllocationPolicy& policy, PositionAllocators& allocators,
                           const AllocationRequest& request)
    : policy_(policy),
      allocators_(allocators),
      request_(request),
      graph_(request.graph),
      // "No tensor" is never unused, so it is never released.
      uses_(graph_.tensor_count(), {.children = 0, .views = 1}) {
    // ggml's table has 25 % more slots than the lists have entries.
    const std::size_t listed = graph_.nodes().size() + graph_.leafs().size();
    capacity_ = table_capacity(listed + listed / 4);
    may_overflow_ = graph_.tensor_count() > capacity_;
    if (request.facts == nullptr) collected_ = collected_facts(graph_, policy.generation);
    const TensorFacts& facts = request.facts != nullptr ? *request.facts : collected_;
    first_sources_ = facts.first_sources.view();
    view_src_ = facts.view_src.view();
    traits_ = facts.traits;
    mark_placed();
    reserve_large(places_, graph_.tensor_count());
    places_.resize(graph_.tensor_count());
    sizes_ = std::make_unique_for_overwrite<std::uint64_t[]>(graph_.tensor_count());
    if (request.trace) reserve_large(events_, 2 * listed);
}

void GraphPlanner::mark_placed() {
    add(TensorId(), TensorTraits::placed | kSeen);
    for (std::size_t i = 0; i < request_.places.size(); ++i) {
        const TensorId id(i);
        const bool placed = has(traits_[id], TensorTraits::view) || request_.places[i].has_data ||
                            (policy_.buffer_counts_as_placed && request_.places[i].buffer != nullptr);
        remove(id, TensorTraits::placed);
        if (placed) add(id, TensorTraits::placed);
    }
    for (const TensorId id : request_.extra_outputs) add(id, TensorTraits::output);
}

/// Counts slots in ggml's hash table: every tensor that planning touches takes one, so graphs with many
/// tensors outside the lists can overflow it.
void GraphPlanner::count_touched(TensorId id) {
    add(id, kSeen);
    if (++seen_ > capacity_) {
        throw Error(ErrorKind::limit,
                    msg::kTensorsNotListed(capacity_, graph_.nodes().size() + graph_.leafs().size()),
                    graph_[id].name, msg::kListConstants);
    }
}

void GraphPlanner::run() {
    for_each_checked(request_.job, graph_.leafs().size(),
                     [&](std::size_t i) { place_checked(graph_.leafs()[i], request_.leaf_position(i)); });
    count_uses();
    place_nodes();
}

void GraphPlanner::count_uses() {
    // Copies of members in local variables save loads.
    const std::span<const TensorId> nodes = graph_.nodes();
    const auto first_sources = first_sources_;
    const auto view_src = view_src_;
    constexpr TensorTraits kRare = TensorTraits::input | TensorTraits::more_sources;
    for_each_checked(request_.job, nodes.size(), [&](std::size_t i) {
        const TensorId node = nodes[i];
        const auto [first, second] = first_sources[node];
        const TensorTraits traits = traits_[node];
        if (may_overflow_ || has(traits | traits_[first] | traits_[second], kRare)) {
            count_uses_by(i);
            return;
        }
        uses_[first].children += 1;
        uses_[second].children += 1;
        if (has(traits, TensorTraits::operation)) uses_[view_src[node]].views += 1;
    });
}

void GraphPlanner::count_uses_by(std::size_t i) {
    const TensorId node = graph_.nodes()[i];
    const TensorTraits traits = traits_[node];
    // Dependency views of the scheduler, which have no operation, only count as readers.
    if (has(traits, TensorTraits::operation)) {
        touch(view_src_[node]);
        uses_[view_src_[node]].views += 1;
    }
    if (has(traits, TensorTraits::input)) place_checked(node, request_.node_position(i));
    for_sources(node, [&](TensorId source) {
        touch(source);
        uses_[source].children += 1;
        if (has(traits_[source], TensorTraits::input)) place_checked(source, request_.node_position(i));
    });
}

void GraphPlanner::place_nodes() {
    const std::span<const TensorId> nodes = graph_.nodes();
    const auto first_sources = first_sources_;
    const bool checks_position = policy_.checks_position;
    for_each_checked(request_.job, nodes.size(), [&](std::size_t i) {
        current_node_ = i;
        const TensorId node = nodes[i];
        const BufferPosition position = request_.node_position(i);
        if (checks_position && !position.valid()) refuse_position(first_source_or_itself(node));
        const auto [first, second] = first_sources[node];
        const bool more = has(traits_[node], TensorTraits::more_sources);
        if (more || !has(traits_[first] & traits_[second], TensorTraits::placed))
            place_sources(node, position);
        place(node, position);
        if (more) {
            release_sources(node);
        } else {
            count_reader_done(first);
            count_reader_done(second);
        }
    });
}

/// count_uses() touched them.
void GraphPlanner::place_sources(TensorId node, BufferPosition position) {
    for_sources(node, [&](TensorId source) {
        if (!has(traits_[source], TensorTraits::placed)) find_place(source, position);
    });
}

void GraphPlanner::release_sources(TensorId node) {
    for_sources(node, [&](TensorId source) { count_reader_done(source); });
}

void GraphPlanner::release_unused(TensorId source) {
    const TensorId viewed = view_src_[source];
    if (!viewed.valid()) {
        release(source);
        return;
    }
    touch(viewed);
    Uses& uses = uses_[viewed];
    uses.views -= 1;
    if (uses.none()) release(viewed);
}

TensorId GraphPlanner::first_source_or_itself(TensorId id) const {
    const Sources& sources = graph_.sources(id);
    const auto first = std::ranges::find_if(sources, &TensorId::valid);
    return first != sources.end() ? *first : id;
}

void GraphPlanner::refuse_position(TensorId id) const {
    throw Error(ErrorKind::no_backend, msg::kNoBackendNoBuffer, graph_[id].name, msg::kAssignBackend);
}

void GraphPlanner::find_place(TensorId id, BufferPosition position) {
    if (has(traits_[id], TensorTraits::in_place_op)) {
        if (const TensorId source = overwritable_source(id); source.valid()) {
            take_place_of(source, id);
            return;
        }
    }
    if (!position.valid() || position.index() >= allocators_.size()) refuse_position(id);
    BestFitAllocator& allocator = allocators_.at(position.index());
    const std::uint64_t size = allocators_.type(position.index()).alloc_size(graph_, id);
    try {
        const ChunkPlace found = allocator.allocate(size);
        note(AllocationEventKind::allocate, id,
             keep_place(id, position, found, size, allocator.round_up(size)));
    } catch (const Error& error) {
        refuse_allocation(error, id, position);
    }
}

void GraphPlanner::refuse_allocation(const Error& error, TensorId id, BufferPosition position) const {
    throw error.within(msg::kTensorIn(graph_[id].name, allocators_.type(position.index()).name()));
}

const PlannedPlace& GraphPlanner::keep_place(TensorId id, BufferPosition position, ChunkPlace found,
                                             std::uint64_t size, std::uint64_t rounded_size) {
    add(id, TensorTraits::placed | kOwned);
    sizes_[id.index()] = size;
    PlannedPlace& place = places_[id.index()].emplace();
    place.buffer = position;
    place.chunk = found.chunk;
    place.offset = found.offset;
    place.size = rounded_size;
    return place;
}

inline TensorId GraphPlanner::overwritable_source(TensorId id) {
    for (const TensorId source : first_sources_[id]) {
        if (can_take_place_of(source, id)) return source;
    }
    if (!has(traits_[id], TensorTraits::more_sources)) return {};
    const auto further = further_sources(id);
    const auto found =
        std::ranges::find_if(further, [&](TensorId source) { return can_take_place_of(source, id); });
    return found != further.end() ? *found : TensorId();
}

bool GraphPlanner::can_take_place_of(TensorId source, TensorId id) {
    touch(source);
    // Views are never owned, so only whole tensors placed by this plan can be reused. (A tensor can list
    // itself as source; it has no place yet.)
    const Uses& uses = uses_[source];
    return is_disposable(source) && uses.children == 1 && uses.views == 0 && source != id &&
           same_layout(graph_[source], graph_[id]);
}

inline void GraphPlanner::take_place_of(TensorId source, TensorId id) {
    const PlannedPlace& taken = *places_[source.index()];
    const std::size_t position = taken.buffer.index();
    const std::uint64_t size = allocators_.type(position).alloc_size(graph_, id);
    const std::uint64_t rounded_size = allocators_.at(position).round_up(size);
    remove(source, TensorTraits::placed | kOwned);
    note(AllocationEventKind::reuse_in_place, id,
         keep_place(id, taken.buffer, {taken.chunk, taken.offset}, size, rounded_size), source);
    if (policy_.frees_surplus && sizes_[source.index()] != size) free_surplus(id, source);
}

void GraphPlanner::refuse_reuse(TensorId id, TensorId source) const {
    throw Error(ErrorKind::internal, msg::kInPlaceTooSmall(sizes_[source.index()], sizes_[id.index()]),
                graph_[id].name, msg::kTypeSizesDiffer);
}

/// Frees the part of the source's place that the successor does not need (allocator.md §7.4).
void GraphPlanner::free_surplus(TensorId id, TensorId source) {
    const std::uint64_t source_size = sizes_[source.index()];
    if (source_size < sizes_[id.index()]) refuse_reuse(id, source);
    const PlannedPlace& place = *places_[id.index()];
    BestFitAllocator& allocator = allocators_.at(place.buffer.index());
    const std::uint64_t surplus = allocator.round_up(source_size) - place.size;
    if (surplus == 0) return;
    const ChunkPlace rest{place.chunk, place.offset + place.size};
    allocator.free(rest, surplus);
    note(AllocationEventKind::free, source,
         {place.buffer, rest.chunk, rest.offset, allocator.round_up(surplus)});
}

void GraphPlanner::free_place(TensorId id) {
    const PlannedPlace& place = *places_[id.index()];
    note(AllocationEventKind::free, id, place);
    allocators_.at(place.buffer.index()).free({place.chunk, place.offset}, place.size);
    remove(id, TensorTraits::placed | kOwned);
}

}  // namespace splitscope
