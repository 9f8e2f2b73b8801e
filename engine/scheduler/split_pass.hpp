// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engine/scheduler/scheduling_context.hpp"
#include "engine/scheduler/split_copies.hpp"

namespace splitscope {

/// State of a scheduler's split slots between graphs (scheduler.md §4.1, §4.4).
struct SplitSlots {
    BackendId first_backend;              ///< of split 0 of the previous graph
    bool used = false;                    ///< false: the generation's initial value applies
    std::vector<std::size_t> capacities;  ///< inputs each slot has room for, where it grows; 0 = none yet
};

/// Pass 5: splits the graph and creates copies (scheduler.md §4, §10). Fills splits, added tensors, rewired
/// sources and graph inputs of the schedule.
void run_split_pass(SchedulingContext& context, SplitSlots& slots, CopyTable& copies);

/// Builds the graph for the allocator (scheduler.md §5, §10).
void build_schedule_graph(SchedulingContext& context, const CopyTable& copies);

}  // namespace splitscope
