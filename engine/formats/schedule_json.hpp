// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/formats/json_writer.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// A schedule and its allocation plan as one JSON object on one line, with keys generation, error, passes,
/// splits, rewired, schedule_nodes, schedule_leafs, alloc. If there is an error, all other keys are null.
/// Tensors and backends are indices into the graph and machine files.
std::string write_schedule_json(const Schedule& schedule, const AllocationPlan& plan);

/// The member "splits" of such a document, and of recordings.
void write_splits(JsonWriter& json, const std::vector<Split>& splits);

}  // namespace splitscope
