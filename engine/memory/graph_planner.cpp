// SPDX-License-Identifier: MIT
#include "engine/memory/graph_planner.hpp"

#include <algorithm>
#include <array>

#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/large_pages.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// By operation: whether its result may overwrite a source.
const std::array<bool, kOpCount>& overwriting_ops(Generation generation) {
    static const auto kTables = [] {
        std::array<std::array<bool, kOpCount>, kGenerations.size()> tables;
        for (const Generation each : kGenerations) {
            for (std::size_t i = 0; i < kOpCount; ++i)
                tables[static_cast<std::size_t>(each)][i] = may_overwrite_source(static_cast<Op>(i), each);
        }
        return tables;
    }();
    return kTables[static_cast<std::size_t>(generation)];
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
      stop_check_(request.job) {
    // ggml's table has 25 % more slots than the lists have entries.
    const std::size_t listed = graph_.nodes().size() + graph_.leafs().size();
    capacity_ = table_capacity(listed + listed / 4);
    may_overflow_ = graph_.tensor_count() > capacity_;
    collect_records();
    reserve_large(places_, graph_.tensor_count());
    places_.resize(graph_.tensor_count());
    if (request.trace) reserve_large(events_, 2 * listed);
}

void GraphPlanner::collect_records() {
    const std::array<bool, kOpCount>& overwriting = overwriting_ops(policy_.generation);
    const std::size_t count = graph_.tensor_count();
    reserve_large(records_, count + 1);
    records_.resize(count + 1);
    const auto or_last_record = [last = static_cast<std::uint32_t>(count)](TensorId source) {
        return TensorId(std::size_t{std::min(static_cast<std::uint32_t>(source.value), last)});
    };
    const auto collect = [&](Record& r, const TensorFacts& facts) {
        stop_check_.step();
        r.first_sources = {or_last_record(facts.first_sources[0]), or_last_record(facts.first_sources[1])};
        r.view_src = facts.view_src;
        r.has_more_sources = facts.has_more_sources();
        r.in_place_op = overwriting[static_cast<std::size_t>(facts.op)];
        r.counts_as_view = facts.is_view() && facts.op != Op::none;
        r.has_place = facts.is_view() || facts.buffer.valid();
        r.input = has_flag(facts.flags, TensorFlags::input);
        r.output = has_flag(facts.flags, TensorFlags::output);
    };
    const auto collect_from_graph = [&](TensorId id) {
        collect(record(id), TensorFacts::of(graph_[id], graph_.sources(id)));
    };
    const std::size_t known = request_.facts.size();
    for (std::size_t i = 0; i < known; ++i) collect(records_[i], request_.facts[i]);
    if (graph_.has_rewired_sources()) {
        for (std::size_t i = 0; i < known; ++i) {
            if (graph_.is_rewired(TensorId(i))) collect_from_graph(TensorId(i));
        }
    }
    for (std::size_t i = known; i < count; ++i) collect_from_graph(TensorId(i));
    for (std::size_t i = 0; i < request_.places.size(); ++i) {
        Record& r = records_[i];
        r.has_place = r.view_src.valid() || request_.places[i].has_data ||
                      (policy_.buffer_counts_as_placed && request_.places[i].buffer != nullptr);
    }
    Record& none = records_[count];
    none.first_sources.fill(TensorId(count));
    none.has_place = none.seen = true;
    none.views = 1;
    for (const TensorId id : request_.extra_outputs) record(id).output = true;
}

/// Counts slots in ggml's hash table: every tensor that planning touches takes one, so graphs with many
/// tensors outside the lists can overflow it.
void GraphPlanner::count_touched(TensorId id, Record& r) {
    r.seen = true;
    if (++seen_ > capacity_) {
        throw Error(ErrorKind::limit,
                    msg::kTensorsNotListed(capacity_, graph_.nodes().size() + graph_.leafs().size()),
                    graph_[id].name, msg::kListConstants);
    }
}

void GraphPlanner::run() {
    for (std::size_t i = 0; i < graph_.leafs().size(); ++i) {
        stop_check_.step();
        place_checked(graph_.leafs()[i], request_.leaf_position(i));
    }
    count_uses();
    place_nodes();
}

void GraphPlanner::count_uses() {
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
        stop_check_.step();
        const TensorId node = graph_.nodes()[i];
        const Record& r = record(node);
        if (r.counts_as_view) touch(r.view_src).views += 1;
        if (r.input) place_checked(node, request_.node_position(i));
        for_sources(node, [&](TensorId source) {
            Record& from = touch(source);
            from.children += 1;
            if (from.input) place_checked(source, request_.node_position(i));
        });
    }
}

void GraphPlanner::place_nodes() {
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
        stop_check_.step();
        current_node_ = i;
        const TensorId node = graph_.nodes()[i];
        const BufferPosition position = request_.node_position(i);
        if (policy_.checks_position && !position.valid()) refuse_position(first_source_or_itself(node));
        for_sources(node, [&](TensorId source) { place(source, position); });
        place(node, position);
        release_sources(node);
    }
}

void GraphPlanner::release_sources(TensorId node) {
    for_sources(node, [&](TensorId source) {
        Record& r = record(source);
        r.children -= 1;
        if (r.children != 0 || r.views != 0) return;
        if (r.view_src.valid()) {
            const TensorId viewed = r.view_src;
            Record& base = touch(viewed);
            base.views -= 1;
            if (base.views == 0 && base.children == 0 && base.owned) release(viewed);
        } else if (r.owned) {
            release(source);
        }
    });
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
    Record& r = record(id);
    if (r.in_place_op && place_in_place(id)) return;
    if (!position.valid() || position.index() >= allocators_.size()) refuse_position(id);
    r.size = alloc_size(id, position);
    keep_place(id, position, allocate(id, position));
    note(AllocationEventKind::allocate, id, *places_[id.index()]);
}

ChunkPlace GraphPlanner::allocate(TensorId id, BufferPosition position) {
    try {
        return allocators_.at(position.index()).allocate(record(id).size);
    } catch (const Error& error) {
        refuse_allocation(error, id, position);
    }
}

void GraphPlanner::refuse_allocation(const Error& error, TensorId id, BufferPosition position) const {
    throw error.within(msg::kTensorIn(graph_[id].name, allocators_.type(position.index()).name()));
}

void GraphPlanner::keep_place(TensorId id, BufferPosition position, ChunkPlace found) {
    Record& r = record(id);
    r.owned = r.has_place = true;
    PlannedPlace& place = places_[id.index()].emplace();
    place.buffer = position;
    place.chunk = found.chunk;
    place.offset = found.offset;
    place.size = allocators_.at(position.index()).round_up(r.size);
}

bool GraphPlanner::place_in_place(TensorId id) {
    const auto try_source = [&](TensorId source) {
        if (!can_take_place_of(source, id)) return false;
        take_place_of(source, id);
        return true;
    };
    const std::array<TensorId, 2> first_sources = record(id).first_sources;
    if (try_source(first_sources[0]) || try_source(first_sources[1])) return true;
    if (!record(id).has_more_sources) return false;
    return std::ranges::any_of(std::span(graph_.sources(id)).subspan(first_sources.size()),
                               [&](TensorId source) { return source.valid() && try_source(source); });
}

bool GraphPlanner::can_take_place_of(TensorId source, TensorId id) {
    const Record& from = touch(source);
    // Views are never owned, so only whole tensors placed by this plan can be reused. (A tensor can list
    // itself as source; it has no place yet.)
    return from.owned && !from.output && from.children == 1 && from.views == 0 && source != id &&
           same_layout(graph_[source], graph_[id]);
}

void GraphPlanner::take_place_of(TensorId source, TensorId id) {
    const PlannedPlace& taken = *places_[source.index()];
    record(id).size = alloc_size(id, taken.buffer);
    keep_place(id, taken.buffer, {taken.chunk, taken.offset});
    Record& from = record(source);
    from.owned = from.has_place = false;
    note(AllocationEventKind::reuse_in_place, id, *places_[id.index()], source);
    if (policy_.frees_surplus) free_surplus(id, source);
}

void GraphPlanner::refuse_reuse(TensorId id, TensorId source) const {
    throw Error(ErrorKind::internal,
                msg::kInPlaceTooSmall(records_[source.index()].size, records_[id.index()].size),
                graph_[id].name, msg::kTypeSizesDiffer);
}

/// Frees the part of the source's place that the successor does not need (allocator.md §7.4).
void GraphPlanner::free_surplus(TensorId id, TensorId source) {
    const std::uint64_t source_size = record(source).size;
    if (source_size < record(id).size) refuse_reuse(id, source);
    const PlannedPlace& place = *places_[id.index()];
    BestFitAllocator& allocator = allocators_.at(place.buffer.index());
    const std::uint64_t surplus = allocator.round_up(source_size) - place.size;
    if (surplus == 0) return;
    const ChunkPlace rest{place.chunk, place.offset + place.size};
    allocator.free(rest, surplus);
    note(AllocationEventKind::free, source,
         {place.buffer, rest.chunk, rest.offset, allocator.round_up(surplus)});
}

void GraphPlanner::release(TensorId id) {
    Record& r = record(id);
    if (r.output) return;
    const PlannedPlace& place = *places_[id.index()];
    note(AllocationEventKind::free, id, place);
    allocators_.at(place.buffer.index()).free({place.chunk, place.offset}, r.size);
    r.owned = r.has_place = false;
}

}  // namespace splitscope
