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

/// The first decision of a fresh scheduler of the generation on a simulated machine, and the fresh plan of
/// its memory. Without `trace` the schedule holds no decisions. Errors of scheduling and planning are in the
/// results. Machine and graph fit (validate()); throws Cancelled.
Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job = {}, bool trace = true);

}  // namespace splitscope
