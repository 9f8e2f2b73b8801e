// SPDX-License-Identifier: MIT
#include "engine/scheduler/plan_allocation.hpp"

#include "engine/memory/plan_graph.hpp"

namespace splitscope {
namespace {

BufferPosition position_of(BackendId backend) {
    return BufferPosition(backend.value);
}

std::vector<BufferPosition> positions_of(const std::vector<ScheduledItem>& items) {
    std::vector<BufferPosition> positions(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) positions[i] = position_of(items[i].backend);
    return positions;
}

}  // namespace

ScheduleAllocation::ScheduleAllocation(const Schedule& schedule, bool trace, const JobContext& job)
    : nodes_(positions_of(schedule.nodes)), leafs_(positions_of(schedule.leafs)), request_{schedule.view()} {
    if (allocation_policy(schedule.generation).live_tensors) {
        tensors_.reserve(schedule.backend.size() + schedule.added.size());
        for (const BackendId backend : schedule.backend) tensors_.push_back(position_of(backend));
        for (const AddedTensor& added : schedule.added_info) tensors_.push_back(position_of(added.backend));
    }
    request_.node_positions = nodes_;
    request_.leaf_positions = leafs_;
    request_.tensor_positions = tensors_;
    request_.extra_outputs = schedule.extra_outputs;
    if (!schedule.facts.empty()) request_.facts = &schedule.facts;
    request_.trace = trace;
    request_.job = job;
}

std::vector<BufferType*> allocation_types(const LiveMachine& live) {
    std::vector<BufferType*> types;
    for (std::size_t b = 0; b < live.backends.size(); ++b)
        types.push_back(&live.buffer_type_of(BackendId(b)));
    return types;
}

std::shared_ptr<const AllocationPlan> plan_allocation(const Schedule& schedule, const LiveMachine& live,
                                                      bool trace, const JobContext& job) {
    if (schedule.error) {
        AllocationPlan plan;
        plan.error = schedule.error->message;
        plan.places.resize(schedule.graph->tensors.size() + schedule.added.size());
        plan.buffers.resize(live.backends.size());
        return std::make_shared<const AllocationPlan>(std::move(plan));
    }
    const ScheduleAllocation allocation(schedule, trace, job);
    return std::make_shared<const AllocationPlan>(
        plan_graph(allocation_policy(schedule.generation), allocation_types(live), allocation.request()));
}

}  // namespace splitscope
