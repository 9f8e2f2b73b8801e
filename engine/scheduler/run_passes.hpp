// SPDX-License-Identifier: MIT
#pragma once

#include "engine/scheduler/split_pass.hpp"

namespace splitscope {

/// Input of one split call: everything that influences its decisions.
struct SplitCall {
    std::shared_ptr<const Graph> graph;
    const LiveMachine& live;
    Generation generation;
    std::span<const Assignment> assignments;
    bool op_offload = true;
    int n_copies = 1;
    int current_copy = 0;
    bool trace = true;
    /// Full splits end in generations with that rule, which llama.cpp v0.5.0 no longer has.
    bool ends_full_splits = true;
};

/// Runs all passes and builds the schedule graph. `slots` persists between calls, like the scheduler. Errors
/// are returned in Schedule::error; only Cancelled is thrown.
Schedule run_passes(const SplitCall& call, SplitSlots& slots, const JobContext& job);

}  // namespace splitscope
