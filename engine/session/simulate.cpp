// SPDX-License-Identifier: MIT
#include "engine/session/simulate.hpp"

#include <utility>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"

namespace splitscope {

Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job, bool trace) {
    const EmptyTensors empty_tensors = allocation_policy(generation).empty_sizes_wrap
                                           ? EmptyTensors::wrap_around
                                           : EmptyTensors::have_no_bytes;
    const SimulatedMachine simulated(std::move(machine), graph.get(), empty_tensors);
    Simulation result;
    result.schedule = std::make_shared<const Schedule>(
        make_schedule(std::move(graph), simulated.live(), {.generation = generation, .trace = trace}, job));
    job.check();
    result.plan = plan_allocation(*result.schedule, simulated.live(), true, job);
    return result;
}

}  // namespace splitscope
