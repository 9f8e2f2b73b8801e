// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// What a scheduler and its allocator decided, as one JSON object on one line: generation, error, passes,
/// splits, rewired, schedule_nodes, schedule_leafs, alloc. With an error every other key is null. Tensors and
/// backends are indices into the graph and machine files.
std::string write_schedule_json(const Schedule& schedule, const AllocationPlan& plan);

}  // namespace splitscope
