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

/// The first split of a new scheduler of this generation on a simulated machine, with its memory plan.
/// Without `trace`, the schedule has no decisions. Scheduling and planning errors are in the results. Throws
/// Error(bad_file) if machine and graph do not match, and Cancelled.
Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job = {}, bool trace = true);

}  // namespace splitscope
