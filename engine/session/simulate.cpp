// SPDX-License-Identifier: MIT
#include "engine/session/simulate.hpp"

#include <algorithm>
#include <utility>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"

namespace splitscope {

namespace {

/// Attention keeps copies of its sources in the buffer of its result since 2026-08.
std::shared_ptr<const Machine> machine_of(std::shared_ptr<const Machine> machine, Generation generation) {
    const auto copies = [](const MachineBufferType& type) { return type.compute_capability > 0; };
    if (generation == Generation::g2026_08 || std::ranges::none_of(machine->buffer_types, copies))
        return machine;
    auto older = std::make_shared<Machine>(*machine);
    for (MachineBufferType& type : older->buffer_types) type.compute_capability = 0;
    return older;
}

}  // namespace

Simulation simulate(std::shared_ptr<const Graph> graph, std::shared_ptr<const Machine> machine,
                    Generation generation, const JobContext& job, bool trace, bool ends_full_splits) {
    const EmptyTensors empty_tensors = allocation_policy(generation).empty_sizes_wrap
                                           ? EmptyTensors::wrap_around
                                           : EmptyTensors::have_no_bytes;
    const SimulatedMachine simulated(machine_of(std::move(machine), generation), graph.get(), empty_tensors);
    Simulation result;
    result.schedule = std::make_shared<const Schedule>(
        make_schedule(std::move(graph), simulated.live(),
                      {.generation = generation, .trace = trace, .ends_full_splits = ends_full_splits}, job));
    job.check();
    result.plan = plan_allocation(*result.schedule, simulated.live(), true, job);
    return result;
}

}  // namespace splitscope
