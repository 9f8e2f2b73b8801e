// SPDX-License-Identifier: MIT
#include "engine/memory/live_graph_allocator.hpp"

#include "backends/interface/messages.hpp"
#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {

LiveGraphAllocator::LiveGraphAllocator(const AllocationPolicy& policy, std::span<TensorSlot> slots,
                                       const AllocationRequest& request)
    : policy_(policy), slots_(slots), request_(request), graph_(request.graph), stop_check_(request.job) {
    live_.resize(graph_.tensor_count());
    for (std::size_t i = 0; i < live_.size(); ++i) {
        stop_check_.step();
        const TensorId id(i);
        const Tensor& t = graph_[id];
        Live& state = live_[i];
        state.view_src = t.view_src;
        state.view_offs = t.view_offs;
        if (request.has_own_buffer(id)) state.buffer = kExternal;
        if (request.has_data(id)) {
            state.has_data = true;
            state.space = -2 - graph_.memory_of(id).value;
            state.address = t.view_offs;
        }
    }
    if (request.trace) events_.reserve(2 * (graph_.nodes().size() + graph_.leafs().size()));
}

std::size_t LiveGraphAllocator::slot_of(TensorId id) const {
    const BufferPosition slot = id.index() < request_.tensor_positions.size()
                                    ? request_.tensor_positions[id.index()]
                                    : BufferPosition();
    if (!slot.valid() || slot.index() >= slots_.size()) {
        throw Error(ErrorKind::no_backend, msg::kNoBackendNoBuffer, graph_[id].name, msg::kAssignBackend);
    }
    return slot.index();
}

std::span<const TensorId> LiveGraphAllocator::sources(TensorId id) const {
    const Sources& all = graph_.sources(id);
    std::size_t n = 0;
    while (n < all.size() && all[n].valid()) ++n;
    return {all.data(), n};
}

bool LiveGraphAllocator::owns(std::size_t slot, TensorId id) const {
    const Live& state = live_[id.index()];
    const auto buffer = static_cast<std::int32_t>(slot);
    if (state.buffer != buffer) return false;
    return !state.view_src.valid() || live_[state.view_src.index()].buffer == buffer;
}

void LiveGraphAllocator::run() {
    count_uses();
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
        visit(i);
        release_sources(i);
    }
}

void LiveGraphAllocator::run(std::span<const std::int32_t> sequence) {
    count_uses();
    std::size_t since = 0;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        if (sequence[i] >= 0) {
            visit(static_cast<std::size_t>(sequence[i]));
            continue;
        }
        for (; since < i; ++since) {
            if (sequence[since] >= 0) release_sources(static_cast<std::size_t>(sequence[since]));
        }
    }
}

void LiveGraphAllocator::count_uses() {
    for (const TensorId node : graph_.nodes()) {
        stop_check_.step();
        if (live(node).view_src.valid()) {
            live(live(node).view_src).views += 1;
            if (live(node).has_data && live(node).buffer == kNoBuffer) view_init(node);
        }
        for (const TensorId source : sources(node)) {
            Live& state = live(source);
            state.children += 1;
            if (state.view_src.valid() && state.has_data && state.buffer == kNoBuffer) view_init(source);
        }
    }
}

void LiveGraphAllocator::view_init(TensorId id) {
    Live& view = live(id);
    const Live& base = live(view.view_src);
    if (!base.has_data) {
        throw Error(ErrorKind::unallocated, msg::kBaseNoData(graph_[view.view_src].name), graph_[id].name,
                    msg::kViewedFirst);
    }
    // The view's own slot instead of its base's, as in this generation.
    view.buffer = static_cast<std::int32_t>(slot_of(id));
    view.space = base.space;
    // Unsigned: sums in a file's graph may overflow.
    view.address = static_cast<std::int64_t>(static_cast<std::uint64_t>(base.address) +
                                             static_cast<std::uint64_t>(view.view_offs));
    view.has_data = true;
}

void LiveGraphAllocator::visit(std::size_t node) {
    stop_check_.step();
    current_node_ = node;
    const TensorId id = graph_.nodes()[node];
    for (const TensorId source : sources(id)) place(source);
    place(id);
}

void LiveGraphAllocator::release_sources(std::size_t node) {
    for (const TensorId source : sources(graph_.nodes()[node])) {
        Live& state = live(source);
        state.children -= 1;
        if (state.children != 0 || state.views != 0) continue;
        if (state.view_src.valid()) {
            Live& base = live(state.view_src);
            base.views -= 1;
            if (base.views == 0 && base.children == 0) release(state.view_src);
        } else {
            release(source);
        }
    }
}

void LiveGraphAllocator::place(TensorId id) {
    Live& state = live(id);
    if (state.has_data) return;
    if (state.view_src.valid()) {
        view_init(id);
        return;
    }
    if (may_overwrite_source(graph_[id].op, policy_.generation) && place_in_place(id)) return;
    const std::size_t slot = slot_of(id);
    const std::uint64_t size = slots_[slot].type().alloc_size(graph_, id);
    ChunkPlace found;
    try {
        found = slots_[slot].blocks().allocate(size);
    } catch (const Error& error) {
        throw error.within(msg::kTensorIn(graph_[id].name, slots_[slot].type().name()));
    }
    state.buffer = state.space = static_cast<std::int32_t>(slot);
    state.address = static_cast<std::int64_t>(found.offset);
    state.has_data = state.placed_here = true;
    state.block = state.holder = id;
    note(AllocationEventKind::allocate, id, slot, found.offset);
}

bool LiveGraphAllocator::place_in_place(TensorId id) {
    const std::size_t slot = slot_of(id);
    for (const TensorId source : sources(id)) {
        const Live& from = live(source);
        if (!owns(slot, source) || !from.has_data || from.children != 1 || from.views != 0) continue;
        if (!same_layout(graph_[id], graph_[source])) continue;
        if (from.view_src.valid()) {
            const Live& base = live(from.view_src);
            const bool same_start = base.space == from.space && base.address == from.address;
            if (base.views != 1 || base.children != 0 || !same_start) continue;
            become_view(id, from.view_src);
        } else {
            become_view(id, source);
        }
        return true;
    }
    return false;
}

void LiveGraphAllocator::become_view(TensorId id, TensorId base) {
    Live& state = live(id);
    state.view_src = base;
    live(base).views += 1;
    view_init(id);
    state.placed_here = true;
    note(AllocationEventKind::reuse_in_place, id, static_cast<std::size_t>(state.space),
         static_cast<std::uint64_t>(state.address), holder_of(base));
    state.block = live(base).block;
    if (state.block.valid()) live(state.block).holder = id;
}

TensorId LiveGraphAllocator::holder_of(TensorId id) const {
    const TensorId block = live_[id.index()].block;
    return block.valid() ? live_[block.index()].holder : id;
}

void LiveGraphAllocator::release(TensorId id) {
    const std::size_t slot = slot_of(id);
    if (!owns(slot, id)) return;
    const auto offset = static_cast<std::uint64_t>(live(id).address);
    note(AllocationEventKind::free, holder_of(id), slot, offset);
    slots_[slot].blocks().free({0, offset}, slots_[slot].type().alloc_size(graph_, id));
}

std::optional<PlannedPlace> LiveGraphAllocator::place_of(TensorId id) const {
    const Live& state = live_[id.index()];
    if (!state.placed_here || state.space < 0) return std::nullopt;
    const TensorSlot& slot = slots_[static_cast<std::size_t>(state.space)];
    return PlannedPlace{BufferPosition(state.space), 0, static_cast<std::uint64_t>(state.address),
                        slot.blocks().round_up(slot.type().alloc_size(graph_, id))};
}

void LiveGraphAllocator::note(AllocationEventKind kind, TensorId tensor, std::size_t slot,
                              std::uint64_t offset, TensorId from) {
    if (!request_.trace) return;
    const std::uint64_t size = slots_[slot].blocks().round_up(slots_[slot].type().alloc_size(graph_, tensor));
    events_.push_back({kind, tensor, from, {BufferPosition(slot), 0, offset, size}, current_node_});
}

}  // namespace splitscope
