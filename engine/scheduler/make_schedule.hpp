// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

struct ScheduleOptions {
    Generation generation = Generation::g2024_10;
    bool trace = true;             ///< record decisions and their evidence
    int current_copy = 0;          ///< pipeline copy in use, when the machine is parallel
    bool ends_full_splits = true;  ///< SplitCall::ends_full_splits
};

/// The first split of a new scheduler, with the machine's assignments, pipelining and offloading. Errors are
/// returned in Schedule::error with the decisions so far; only Cancelled is thrown.
Schedule make_schedule(std::shared_ptr<const Graph> graph, const LiveMachine& live,
                       const ScheduleOptions& options, const JobContext& job = {});

/// Why no scheduler of this generation supports the machine; empty if it does (scheduler.md §8.1).
std::optional<ScheduleError> why_not_schedulable(const LiveMachine& live, Generation generation);

}  // namespace splitscope
