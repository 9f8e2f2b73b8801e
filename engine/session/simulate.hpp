// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/machine.hpp"
#include "engine/memory/allocation_plan.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What a fresh scheduler of a generation does with a graph on a described machine.
struct Simulation {
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
};

/// Schedules the graph once on simulated backends and plans its memory. A decision the real scheduler would
/// abort on ends the schedule with Schedule::error; nothing is thrown for it.
Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job = {});

}  // namespace splitscope
