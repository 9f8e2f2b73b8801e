// SPDX-License-Identifier: MIT
#include "engine/memory/graph_planner.hpp"

#include <algorithm>
#include <array>

#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/prefetch.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {

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
    collect_records();
    if (request.trace) events_.reserve(2 * graph_.nodes().size());
}

void GraphPlanner::collect_records() {
    records_.resize(graph_.tensor_count());
    sources_.reserve(2 * records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
        stop_check_.step();
        const TensorId id(i);
        if (i + kPrefetchAhead < records_.size()) prefetch(graph_[TensorId(i + kPrefetchAhead)]);
        const Tensor& t = graph_[id];
        Record& r = records_[i];
        r.in_place_op = may_overwrite_source(t.op, policy_.generation);
        r.counts_as_view = t.is_view() && t.op != Op::none;
        r.view_src = t.view_src.value;
        r.external =
            request_.has_data(id) || (policy_.buffer_counts_as_placed && request_.has_own_buffer(id));
        r.input = t.is_input();
        r.output = t.is_output();
        r.first_source = static_cast<std::uint32_t>(sources_.size());
        for (const TensorId source : graph_.sources(id)) {
            if (source.valid()) sources_.push_back(source);
        }
        r.source_count = static_cast<std::uint8_t>(sources_.size() - r.first_source);
    }
    for (const TensorId id : request_.extra_outputs) records_[id.index()].output = true;
}

/// Counts slots in ggml's hash table: every tensor that planning touches takes one, so graphs with many
/// tensors outside the lists can overflow it.
GraphPlanner::Record& GraphPlanner::touch(TensorId id) {
    Record& r = record(id);
    if (!r.seen) {
        r.seen = true;
        if (++seen_ > capacity_) {
            throw Error(ErrorKind::limit,
                        msg::kTensorsNotListed(capacity_, graph_.nodes().size() + graph_.leafs().size()),
                        graph_[id].name, msg::kListConstants);
        }
    }
    return r;
}

void GraphPlanner::run() {
    for (std::size_t i = 0; i < graph_.leafs().size(); ++i) {
        stop_check_.step();
        place(graph_.leafs()[i], request_.leaf_position(i));
    }
    count_uses();
    place_nodes();
}

void GraphPlanner::count_uses() {
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
        stop_check_.step();
        const TensorId node = graph_.nodes()[i];
        const Record& r = record(node);
        if (r.counts_as_view) touch(TensorId(r.view_src)).views += 1;
        if (r.input) place(node, request_.node_position(i));
        for (const TensorId source : sources(r)) {
            Record& from = touch(source);
            from.children += 1;
            if (from.input) place(source, request_.node_position(i));
        }
    }
}

void GraphPlanner::place_nodes() {
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
        stop_check_.step();
        current_node_ = i;
        const TensorId node = graph_.nodes()[i];
        for (const TensorId source : sources(record(node))) place(source, request_.node_position(i));
        place(node, request_.node_position(i));
        release_sources(record(node));
    }
}

void GraphPlanner::release_sources(const Record& node) {
    for (const TensorId source : sources(node)) {
        Record& r = record(source);
        r.children -= 1;
        if (r.children != 0 || r.views != 0) continue;
        if (r.view_src >= 0) {
            const TensorId viewed(r.view_src);
            Record& base = touch(viewed);
            base.views -= 1;
            if (base.views == 0 && base.children == 0 && base.owned) release(viewed);
        } else if (r.owned) {
            release(source);
        }
    }
}

void GraphPlanner::place(TensorId id, BufferPosition position) {
    if (policy_.checks_position && !position.valid()) {
        throw Error(ErrorKind::no_backend, msg::kNoBackendNoBuffer, graph_[id].name, msg::kAssignBackend);
    }
    Record& r = touch(id);
    if (r.view_src >= 0 || r.external || r.owned) return;
    if (r.in_place_op && place_in_place(id)) return;
    if (!position.valid() || position.index() >= allocators_.size()) {
        throw Error(ErrorKind::no_backend, msg::kNoBackendNoBuffer, graph_[id].name, msg::kAssignBackend);
    }
    r.position = static_cast<std::int16_t>(position.value);
    r.size = alloc_size(id, r.position);
    try {
        const ChunkPlace found = allocators_.at(position.index()).allocate(r.size);
        r.chunk = static_cast<std::int16_t>(found.chunk);
        r.offset = found.offset;
        r.owned = r.placed = true;
    } catch (const Error& error) {
        throw error.within(msg::kTensorIn(graph_[id].name, allocators_.type(position.index()).name()));
    }
    note(AllocationEventKind::allocate, id, planned(r, r.size));
}

bool GraphPlanner::place_in_place(TensorId id) {
    Record& r = record(id);
    for (const TensorId source : sources(r)) {
        Record& from = touch(source);
        // Views are never owned, so only whole tensors placed by this plan can be reused. (A tensor can list
        // itself as source; it has no place yet.)
        if (source == id || !from.owned || from.output || from.children != 1 || from.views != 0) continue;
        if (!same_layout(graph_[source], graph_[id])) continue;
        r.position = from.position;
        r.chunk = from.chunk;
        r.offset = from.offset;
        r.size = alloc_size(id, r.position);
        r.owned = r.placed = true;
        from.owned = false;
        note(AllocationEventKind::reuse_in_place, id, planned(r, r.size), source);
        if (policy_.frees_surplus) free_surplus(id, source);
        return true;
    }
    return false;
}

/// Frees the part of the source's place that the successor does not need (allocator.md §7.4).
void GraphPlanner::free_surplus(TensorId id, TensorId source) {
    const Record& r = record(id);
    const std::uint64_t source_size = record(source).size;
    if (source_size < r.size) {
        throw Error(ErrorKind::internal, msg::kInPlaceTooSmall(source_size, r.size), graph_[id].name,
                    msg::kTypeSizesDiffer);
    }
    BestFitAllocator& allocator = allocators_.at(static_cast<std::size_t>(r.position));
    const std::uint64_t surplus = allocator.round_up(source_size) - allocator.round_up(r.size);
    if (surplus == 0) return;
    const ChunkPlace rest{r.chunk, r.offset + allocator.round_up(r.size)};
    allocator.free(rest, surplus);
    PlannedPlace place = planned(r, surplus);
    place.offset = rest.offset;
    note(AllocationEventKind::free, source, place);
}

void GraphPlanner::release(TensorId id) {
    Record& r = record(id);
    if (r.output) return;
    note(AllocationEventKind::free, id, planned(r, r.size));
    allocators_.at(static_cast<std::size_t>(r.position)).free({r.chunk, r.offset}, r.size);
    r.owned = false;
}

std::uint64_t GraphPlanner::alloc_size(TensorId id, std::int16_t position) const {
    return allocators_.type(static_cast<std::size_t>(position)).alloc_size(graph_, id);
}

PlannedPlace GraphPlanner::planned(const Record& r, std::uint64_t size) const {
    return {BufferPosition(r.position), r.chunk, r.offset,
            allocators_.at(static_cast<std::size_t>(r.position)).round_up(size)};
}

std::optional<PlannedPlace> GraphPlanner::place_of(TensorId id) const {
    const Record& r = records_[id.index()];
    if (!r.placed) return std::nullopt;
    return planned(r, r.size);
}

void GraphPlanner::note(AllocationEventKind kind, TensorId tensor, const PlannedPlace& place, TensorId from) {
    if (request_.trace) events_.push_back({kind, tensor, from, place, current_node_});
}

}  // namespace splitscope
