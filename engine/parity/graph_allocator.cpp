// SPDX-License-Identifier: MIT
#include "engine/parity/graph_allocator.hpp"

#include <utility>

#include "engine/memory/messages.hpp"
#include "engine/memory/plan_graph.hpp"
#include "engine/parity/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

GraphAllocator::GraphAllocator(const AllocationPolicy& policy, std::vector<BufferType*> types)
    : policy_(policy), allocators_(policy, std::move(types)) {
    buffers_.resize(allocators_.size());
    has_buffers_.resize(allocators_.size(), false);
}

GraphAllocator::Slot GraphAllocator::slot_for(const GraphPlanner& planner, const AllocationRequest& request,
                                              TensorId id) const {
    if (!id.valid() || request.graph[id].is_view() || request.has_data(id)) return {};
    const auto place = planner.place_of(id);
    if (!place) return {};
    const BufferType& type = allocators_.type(place->buffer.index());
    return {static_cast<std::int16_t>(place->buffer.value), static_cast<std::int16_t>(place->chunk),
            place->offset, type.alloc_size(request.graph, id)};
}

void GraphAllocator::plan_and_record(const AllocationRequest& request) {
    allocators_.reset();
    GraphPlanner planner(policy_, allocators_, request);
    planner.run();
    const GraphView& graph = request.graph;
    leafs_.clear();
    nodes_.clear();
    sources_.clear();
    first_source_.assign(1, 0);
    for (const TensorId leaf : graph.leafs()) leafs_.push_back(slot_for(planner, request, leaf));
    for (const TensorId node : graph.nodes()) {
        nodes_.push_back(slot_for(planner, request, node));
        const Sources& sources = graph.sources(node);
        std::size_t used = sources.size();
        while (used > 0 && !sources[used - 1].valid()) --used;
        for (std::size_t s = 0; s < used; ++s) sources_.push_back(slot_for(planner, request, sources[s]));
        first_source_.push_back(sources_.size());
    }
    events_ = planner.take_events();
    events_graph_ = &graph.graph();
}

bool GraphAllocator::must_grow(std::size_t position) const {
    if (!has_buffers_[position]) return true;
    const BestFitAllocator& allocator = allocators_.at(position);
    const auto& chunks = buffers_[position];
    for (std::size_t c = 0; c < allocator.chunk_count(); ++c) {
        const std::uint64_t present = c < chunks.size() && chunks[c] != nullptr ? chunks[c]->size() : 0;
        if (allocator.max_size(c) > present) return true;
    }
    return false;
}

bool GraphAllocator::reserve(const AllocationRequest& request) {
    plan_and_record(request);
    failure_.clear();
    for (std::size_t p = 0; p < allocators_.size(); ++p) {
        if (allocators_.owner(p) != p || !must_grow(p)) continue;
        const BestFitAllocator& allocator = allocators_.at(p);
        buffers_[p].clear();
        has_buffers_[p] = false;
        try {
            for (std::size_t c = 0; c < allocator.chunk_count(); ++c) {
                buffers_[p].push_back(allocators_.type(p).allocate(allocator.max_size(c)));
                buffers_[p].back()->set_usage(BufferUsage::compute);
            }
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            buffers_[p].clear();
            failure_ = error.what();
            return false;
        }
        has_buffers_[p] = true;
    }
    return true;
}

std::vector<std::uint64_t> GraphAllocator::reserve_size(const AllocationRequest& request) {
    plan_and_record(request);
    std::vector<std::uint64_t> sizes(allocators_.size(), 0);
    for (std::size_t p = 0; p < allocators_.size(); ++p) {
        const BestFitAllocator& allocator = allocators_.at(p);
        for (std::size_t c = 0; c < allocator.chunk_count(); ++c) sizes[p] += allocator.max_size(c);
        if (allocators_.owner(p) == p && must_grow(p)) {
            buffers_[p].clear();
            has_buffers_[p] = false;
        }
    }
    return sizes;
}

bool GraphAllocator::fits(const AllocationRequest& request, TensorId id, const Slot& slot) const {
    if (request.graph[id].is_view() || request.has_data(id)) return true;
    if (slot.position < 0) return false;
    return allocators_.type(static_cast<std::size_t>(slot.position)).alloc_size(request.graph, id) <=
           slot.size_max;
}

const GraphAllocator::Slot& GraphAllocator::source_slot(std::size_t node, std::size_t source) const {
    static const Slot kNone;
    const std::size_t at = first_source_[node] + source;
    return at < first_source_[node + 1] ? sources_[at] : kNone;
}

bool GraphAllocator::needs_reserve(const AllocationRequest& request) const {
    const GraphView& graph = request.graph;
    if (graph.nodes().size() != nodes_.size() || graph.leafs().size() != leafs_.size()) return true;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (!fits(request, graph.nodes()[i], nodes_[i])) return true;
        const Sources& sources = graph.sources(graph.nodes()[i]);
        for (std::size_t s = 0; s < sources.size(); ++s) {
            if (sources[s].valid() && !fits(request, sources[s], source_slot(i, s))) return true;
        }
    }
    // Leaf sizes are not checked; only a leaf without a place requires a reservation.
    for (std::size_t i = 0; i < leafs_.size(); ++i) {
        const TensorId leaf = graph.leafs()[i];
        if (leafs_[i].position < 0 && !graph[leaf].is_view() && !request.has_data(leaf)) return true;
    }
    return false;
}

bool GraphAllocator::allocate(const AllocationRequest& request) {
    if (needs_reserve(request)) {
        if (allocators_.size() > 1) return false;
        if (!reserve(request)) return false;
    }
    for (const auto& chunks : buffers_) {
        for (const auto& chunk : chunks) chunk->reset();
    }
    plan_ = {};
    plan_.places.resize(request.graph.tensor_count());
    const GraphView& graph = request.graph;
    for (std::size_t i = 0; i < leafs_.size(); ++i) place(request, graph.leafs()[i], leafs_[i]);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const Sources& sources = graph.sources(graph.nodes()[i]);
        for (std::size_t s = 0; s < sources.size(); ++s) {
            if (sources[s].valid()) place(request, sources[s], source_slot(i, s));
        }
        place(request, graph.nodes()[i], nodes_[i]);
    }
    plan_.buffers = planned_buffers(policy_, allocators_);
    for (std::size_t p = 0; p < plan_.buffers.size(); ++p) {
        auto& info = plan_.buffers[p];
        info.chunk_sizes.clear();
        for (const auto& chunk : buffers_[allocators_.owner(p)]) info.chunk_sizes.push_back(chunk->size());
        info.size = buffer_size(p);
    }
    if (&graph.graph() == events_graph_) plan_.events = events_;
    check_empty_buffers(policy_, request, plan_);
    return true;
}

void GraphAllocator::place(const AllocationRequest& request, TensorId id, const Slot& slot) {
    auto& place = plan_.places[id.index()];
    if (place || slot.position < 0 || request.graph[id].is_view() || request.has_data(id)) return;
    const auto position = static_cast<std::size_t>(slot.position);
    const std::uint64_t size = allocators_.type(position).alloc_size(request.graph, id);
    place = {BufferPosition(std::int32_t{slot.position}), slot.chunk, slot.offset,
             allocators_.at(position).round_up(size)};
}

std::uint64_t GraphAllocator::buffer_size(std::size_t position) const {
    if (position >= buffers_.size()) {
        throw Error(ErrorKind::unknown, msg::kNoPosition(position), msg::kPlaceGraphAllocator,
                    msg::kUsePositionBelow(buffers_.size()));
    }
    std::uint64_t sum = 0;
    for (const auto& chunk : buffers_[position]) sum += chunk->size();
    return sum;
}

Buffer* GraphAllocator::buffer(std::size_t position, std::size_t chunk) const {
    if (position >= buffers_.size()) {
        throw Error(ErrorKind::unknown, msg::kNoPosition(position), msg::kPlaceGraphAllocator,
                    msg::kUsePositionBelow(buffers_.size()));
    }
    const auto& chunks = buffers_[allocators_.owner(position)];
    return chunk < chunks.size() ? chunks[chunk].get() : nullptr;
}

}  // namespace splitscope
