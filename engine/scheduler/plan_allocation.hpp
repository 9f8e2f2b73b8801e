// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/live_machine.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/graph_planner.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// A schedule's graph as an allocation request; owns the lists that the request refers to. The schedule must
/// outlive it.
class ScheduleAllocation {
 public:
    explicit ScheduleAllocation(const Schedule& schedule, bool trace = true, const JobContext& job = {});
    ScheduleAllocation(const ScheduleAllocation&) = delete;
    ScheduleAllocation& operator=(const ScheduleAllocation&) = delete;

    const AllocationRequest& request() const { return request_; }

 private:
    std::vector<BufferPosition> nodes_;
    std::vector<BufferPosition> leafs_;
    std::vector<BufferPosition> tensors_;
    AllocationRequest request_;
};

/// The default buffer type of each backend, indexed by buffer position.
std::vector<BufferType*> allocation_types(const LiveMachine& live);

/// The plan of a new allocator of the schedule's generation. A schedule with an error yields an empty plan
/// with the same error. Throws Cancelled.
std::shared_ptr<const AllocationPlan> plan_allocation(const Schedule& schedule, const LiveMachine& live,
                                                      bool trace = true, const JobContext& job = {});

}  // namespace splitscope
