// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

struct Simulation {
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
};

/// The first schedule of a new scheduler of the generation on a simulated machine, and its memory plan.
/// Without `trace`, the schedule has no decisions. `ends_full_splits`: see SplitCall. Errors of scheduling
/// and planning are in the results. Machine and graph must match (validate()). Throws Cancelled.
Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job = {}, bool trace = true,
                    bool ends_full_splits = true);

}  // namespace splitscope
