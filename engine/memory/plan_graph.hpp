// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/memory/allocation_plan.hpp"
#include "engine/memory/graph_planner.hpp"

namespace splitscope {

/// Plans a graph from scratch: what a fresh allocator of the generation decides. `types` by buffer position.
/// An error does not escape: it is in AllocationPlan::error, with the events up to there. Throws Cancelled
/// when the request's job is to stop.
AllocationPlan plan_graph(const AllocationPolicy& policy, const std::vector<BufferType*>& types,
                          const AllocationRequest& request);

/// Buffer sizes as `allocators` need them now.
std::vector<AllocationPlan::BufferInfo> planned_buffers(const AllocationPolicy& policy,
                                                        const PositionAllocators& allocators);

/// Placing a tensor in a buffer without memory leaves it without an address, and the second time it is met
/// that is an error. Throws Error(placement) when a graph does that (generations that have such buffers).
void check_empty_buffers(const AllocationPolicy& policy, const AllocationRequest& request,
                         const AllocationPlan& plan);

}  // namespace splitscope
