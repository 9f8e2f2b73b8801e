// SPDX-License-Identifier: MIT
#include "engine/memory/plan_graph.hpp"

#include <numeric>

#include "engine/memory/live_graph_allocator.hpp"
#include "engine/memory/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Stores the error in the plan.
template <class Work>
void or_keep_error(AllocationPlan& plan, const Work& work) {
    try {
        work();
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        plan.error = error.message();
    }
}

/// Measures with unbounded buffers, then places in buffers of the measured size (allocator.md §8).
AllocationPlan plan_live(const AllocationPolicy& policy, const std::vector<BufferType*>& types,
                         const AllocationRequest& request) {
    AllocationPlan plan;
    std::vector<TensorSlot> slots;
    slots.reserve(types.size());
    for (BufferType* type : types) slots.emplace_back(*type);
    or_keep_error(plan, [&] {
        AllocationRequest measure = request;
        measure.trace = false;
        LiveGraphAllocator(policy, slots, measure).run();
        for (TensorSlot& slot : slots) {
            const std::uint64_t measured = slot.peak();
            plan.buffers.push_back({.buffer_type = slot.type().name(),
                                    .size = slot.size_with_margin(),
                                    .chunk_sizes = {slot.size_with_margin()},
                                    .shared_with = {},
                                    .measured_size = measured});
            slot.make_real(slot.size_with_margin());
        }
        LiveGraphAllocator real(policy, slots, request);
        or_keep_error(plan, [&] { real.run(); });
        plan.places.resize(request.graph.tensor_count());
        for (std::size_t i = 0; i < plan.places.size(); ++i) plan.places[i] = real.place_of(TensorId(i));
        plan.events = real.take_events();
    });
    return plan;
}

}  // namespace

std::vector<AllocationPlan::BufferInfo> planned_buffers(const AllocationPolicy& policy,
                                                        const PositionAllocators& allocators) {
    std::vector<AllocationPlan::BufferInfo> buffers(allocators.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        AllocationPlan::BufferInfo& info = buffers[i];
        const BestFitAllocator& allocator = allocators.at(i);
        info.buffer_type = allocators.type(i).name();
        for (std::size_t c = 0; c < allocator.chunk_count(); ++c)
            info.chunk_sizes.push_back(allocator.max_size(c));
        if (!policy.buffers_on_demand && info.chunk_sizes.empty()) info.chunk_sizes.push_back(0);
        if (allocators.owner(i) == i) {
            info.size = std::accumulate(info.chunk_sizes.begin(), info.chunk_sizes.end(), std::uint64_t{0});
        } else {
            info.shared_with = BufferPosition(allocators.owner(i));
        }
    }
    return buffers;
}

void check_empty_buffers(const AllocationPolicy& policy, const AllocationRequest& request,
                         const AllocationPlan& plan) {
    if (!policy.empty_buffers_have_no_address) return;
    bool any_empty = false;
    for (const auto& buffer : plan.buffers) {
        for (const std::uint64_t size : buffer.chunk_sizes) any_empty |= size == 0;
    }
    if (!any_empty) return;
    std::vector<bool> met(request.graph.tensor_count(), false);
    const auto meet = [&](TensorId id) {
        const auto& place = plan.places[id.index()];
        if (!place) return;
        const auto& chunks = plan.buffers[place->buffer.index()].chunk_sizes;
        if (chunks[static_cast<std::size_t>(place->chunk)] != 0) return;
        if (met[id.index()]) {
            throw Error(ErrorKind::placement,
                        msg::kEmptyInEmptyBuffer(plan.buffers[place->buffer.index()].buffer_type),
                        request.graph[id].name, msg::kLeaveEmptyOut);
        }
        met[id.index()] = true;
    };
    for (const TensorId leaf : request.graph.leafs()) meet(leaf);
    for (const TensorId node : request.graph.nodes()) {
        for (const TensorId source : request.graph.sources(node)) {
            if (source.valid()) meet(source);
        }
        meet(node);
    }
}

AllocationPlan plan_graph(const AllocationPolicy& policy, const std::vector<BufferType*>& types,
                          const AllocationRequest& request) {
    if (policy.live_tensors) return plan_live(policy, types, request);
    AllocationPlan plan;
    PositionAllocators allocators(policy, types);
    GraphPlanner planner(policy, allocators, request);
    or_keep_error(plan, [&] { planner.run(); });
    plan.buffers = planned_buffers(policy, allocators);
    plan.places = planner.take_places();
    plan.events = planner.take_events();
    if (!plan.error) or_keep_error(plan, [&] { check_empty_buffers(policy, request, plan); });
    return plan;
}

}  // namespace splitscope
