// SPDX-License-Identifier: MIT
// Scheduler and allocator on any valid graph and machine, all generations.
#include <algorithm>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/scheduler/compare.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/findings.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/support/error.hpp"
#include "tests/fuzz/arbitrary_case.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

void check(const Schedule& schedule) {
    const std::size_t backends = schedule.machine->backends.size();
    if (schedule.error) return;
    std::size_t end = 0;
    for (const Split& split : schedule.splits) {
        // A graph that computes nothing has a split that belongs to nobody.
        const bool computes =
            std::any_of(schedule.graph->nodes.begin() + static_cast<std::ptrdiff_t>(split.start),
                        schedule.graph->nodes.begin() + static_cast<std::ptrdiff_t>(split.end),
                        [&](TensorId id) { return !is_view_op((*schedule.graph)[id].op); });
        require(!computes || (split.backend.valid() && split.backend.index() < backends),
                "splits that compute have a backend");
        require(static_cast<std::size_t>(split.start) == end && split.end >= split.start,
                "splits follow each other");
        end = static_cast<std::size_t>(split.end);
    }
    require(schedule.splits.empty() || end == schedule.graph->nodes.size(), "splits cover all nodes");
}

void check(const AllocationPlan& plan) {
    if (plan.error) return;
    for (const auto& place : plan.places) {
        if (!place) continue;
        require(place->buffer.valid() && place->buffer.index() < plan.buffers.size(), "places have a buffer");
    }
}

}  // namespace

void schedules(Bytes bytes) {
    ByteSource source(bytes);
    const auto input = arbitrary_case(source);
    if (!input) return;
    std::shared_ptr<const Schedule> previous;
    for (const Generation generation : kGenerations) {
        try {
            const EmptyTensors empty = allocation_policy(generation).empty_sizes_wrap
                                           ? EmptyTensors::wrap_around
                                           : EmptyTensors::have_no_bytes;
            const SimulatedMachine simulated(input->machine, input->graph.get(), empty);
            const auto schedule = std::make_shared<const Schedule>(
                make_schedule(input->graph, simulated.live(), {.generation = generation}));
            check(*schedule);
            const auto plan = plan_allocation(*schedule, simulated.live());
            check(*plan);
            require(!write_schedule_json(*schedule, *plan).empty(), "a schedule can be written");
            for (const Finding& finding : find_hazards(*schedule, *plan)) describe(finding, *schedule);
            if (!schedule->error) debug_log(*schedule);
            Replay replay(schedule);
            replay.seek(schedule->decisions.size());
            require(replay.backend() == schedule->backend, "replay ends where the schedule ends");
            replay.seek(schedule->decisions.size() / 2);
            previous = schedule;
        } catch (const Error& error) {
            require(!error.problem().empty(), "errors say what is wrong");
        }
    }
}

}  // namespace splitscope::fuzz
