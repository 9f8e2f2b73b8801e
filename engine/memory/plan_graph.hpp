// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/graph_planner.hpp"

namespace splitscope {

/// Plans a graph with a new allocator of the generation. `types` by buffer position. Errors are returned in
/// AllocationPlan::error with the events so far. Throws Cancelled.
AllocationPlan plan_graph(const AllocationPolicy& policy, const std::vector<BufferType*>& types,
                          const AllocationRequest& request);

/// Current buffer sizes of `allocators`.
std::vector<AllocationPlan::BufferInfo> planned_buffers(const AllocationPolicy& policy,
                                                        const PositionAllocators& allocators);

/// In generations whose empty buffers have no address, a tensor placed in one is an error when it is visited
/// again: throws Error(placement) for such graphs.
void check_empty_buffers(const AllocationPolicy& policy, const AllocationRequest& request,
                         const AllocationPlan& plan);

}  // namespace splitscope
