// SPDX-License-Identifier: MIT
// Scheduler and allocator on any valid graph and machine, all generations: new for each graph, and reused
// with calls in any order.
#include <algorithm>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/context_allocator.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/parity/scheduler.hpp"
#include "engine/scheduler/compare.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/decision_stop.hpp"
#include "engine/scheduler/explain.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/scheduler/replay.hpp"
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
        // A graph that computes nothing has a split without a backend.
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
    for (const BufferTimeline& timeline : usage_timelines(plan)) {
        for (const std::size_t block : timeline.live_at_peak)
            require(block < timeline.blocks.size(), "what lives at the peak has a place");
    }
}

EmptyTensors empty_tensors(Generation generation) {
    return allocation_policy(generation).empty_sizes_wrap ? EmptyTensors::wrap_around
                                                          : EmptyTensors::have_no_bytes;
}

/// The stepper: states, stops and causes.
void step_through(const std::shared_ptr<const Schedule>& schedule, ByteSource& source) {
    Replay replay(schedule);
    replay.seek(schedule->decisions.size());
    require(replay.backend() == schedule->backend, "replay ends where the schedule ends");
    replay.seek(schedule->decisions.size() / 2);
    for (const Decision& decision : schedule->decisions) {
        const std::string label = label_of(decision.cause);
        require(!explain(decision.cause).empty(), "causes have words");
        const DecisionStop stop{StopKind::cause, label, true};
        require(label.empty() || stops_at(stop, *schedule, decision),
                "a stop at a cause's label waits for it");
    }
    std::vector<DecisionStop> stops;
    for (const StopKind kind : {StopKind::tensor, StopKind::cause, StopKind::backend})
        stops.push_back({kind, source.text(8), true});
    stops.push_back({StopKind::backend, schedule->machine->backends.front().name, source.chance(128)});
    const std::size_t all = schedule->decisions.size();
    std::size_t count = 0;
    for (auto at = next_stop(*schedule, stops, 0, all); at; at = next_stop(*schedule, stops, *at, all))
        ++count;
    for (auto at = previous_stop(*schedule, stops, all + 1); at; at = previous_stop(*schedule, stops, *at)) {
        require(count > 0, "as many stops backwards as forwards");
        --count;
    }
    require(count == 0, "as many stops forwards as backwards");
}

RecordedSchedule recording_of(const Schedule& schedule) {
    RecordedSchedule recorded;
    for (const MachineBackend& backend : schedule.machine->backends)
        recorded.backends.push_back(backend.name);
    recorded.backend.assign(
        schedule.backend.begin(),
        schedule.backend.begin() + static_cast<std::ptrdiff_t>(schedule.graph->tensors.size()));
    // A split that computes nothing may have no backend.
    if (std::ranges::all_of(schedule.splits, [](const Split& split) { return split.backend.valid(); }))
        recorded.splits = schedule.splits;
    return recorded;
}

/// A reused scheduler with calls in any order.
void call_in_any_order(const ArbitraryCase& input, const std::shared_ptr<const Graph>& other,
                       Generation generation, ByteSource& source) {
    const SimulatedMachine simulated(input.machine, input.graph.get(), empty_tensors(generation));
    SchedulerSettings settings;
    settings.generation = generation;
    settings.parallel = input.machine->parallel;
    settings.op_offload = input.machine->op_offload;
    Scheduler scheduler(simulated.live(), settings);
    for (std::size_t calls = 2 + source.below(8); calls > 0; --calls) {
        const auto& graph = source.chance(64) ? other : input.graph;
        expecting_errors([&] {
            switch (source.below(9)) {
                case 0:
                    scheduler.reset();
                    break;
                case 1:
                    scheduler.set_tensor_backend(TensorId(source.below(graph->tensors.size())),
                                                 BackendId(source.below(scheduler.backend_count() + 1)));
                    break;
                case 2:
                    scheduler.reserve(graph);
                    break;
                case 3:
                    scheduler.reserve_size(graph);
                    break;
                case 4:
                    scheduler.init_measure(graph);
                    break;
                case 5:
                    scheduler.split(graph);
                    break;
                case 6:
                    if (scheduler.alloc(graph)) check(*scheduler.plan());
                    break;
                case 7:
                    if (scheduler.prepare_compute(graph)) {
                        check(*scheduler.schedule());
                        scheduler.finish_compute(source.chance(32) ? Status::failed : Status::success);
                    } else {
                        require(!scheduler.failure().empty(), "what fails says why");
                    }
                    break;
                default:
                    scheduler.synchronise();
            }
            for (std::size_t b = 0; b < scheduler.backend_count(); ++b) scheduler.buffer_size(BackendId(b));
        });
    }
}

/// All tensors of the graph, consecutively.
void allocate_in_order(const ArbitraryCase& input, Generation generation) {
    const SimulatedMachine simulated(input.machine, input.graph.get(), empty_tensors(generation));
    BufferType& type = *simulated.live().buffer_types.front();
    const AllocationPolicy& policy = allocation_policy(generation);
    std::vector<TensorPlace> places(input.graph->tensors.size());
    const BoundGraph bound(GraphView(*input.graph), places);
    std::vector<TensorId> all;
    for (std::size_t i = 0; i < places.size(); ++i) all.emplace_back(i);
    const std::uint64_t expected = context_size(policy, type, bound, all);
    const auto buffer = allocate_context(policy, type, bound, all);
    require((buffer == nullptr ? 0 : buffer->size()) == expected, "a context takes what was said");
    if (buffer == nullptr) return;
    buffer->set_usage(BufferUsage::weights);
    buffer->clear(std::byte{0});
}

/// The same graph without its last node.
std::shared_ptr<const Graph> shorter(const Graph& graph) {
    Graph other = graph;
    if (!other.nodes.empty()) other.nodes.pop_back();
    return std::make_shared<const Graph>(std::move(other));
}

}  // namespace

void schedules(Bytes bytes) {
    ByteSource source(bytes);
    const auto input = arbitrary_case(source);
    if (!input) return;
    std::shared_ptr<const Schedule> previous;
    for (const Generation generation : kGenerations) {
        expecting_errors([&] {
            const SimulatedMachine simulated(input->machine, input->graph.get(), empty_tensors(generation));
            const auto schedule = std::make_shared<const Schedule>(
                make_schedule(input->graph, simulated.live(), {.generation = generation}));
            check(*schedule);
            const auto plan = plan_allocation(*schedule, simulated.live());
            check(*plan);
            require(!write_schedule_json(*schedule, *plan).empty(), "a schedule can be written");
            for (const Hazard& hazard : find_hazards(*schedule, *plan)) describe(hazard, *schedule);
            if (!schedule->error) debug_log(*schedule);
            step_through(schedule, source);
            require(compare_with_recorded(*schedule, recording_of(*schedule)).same(),
                    "a schedule is what was recorded of it");
            if (previous) {
                const ScheduleComparison comparison = compare(*previous, *schedule);
                require(comparison.elsewhere <= comparison.tensors.size(), "what went elsewhere differs");
            }
            previous = schedule;
        });
    }
    const Generation generation = kGenerations[source.below(kGenerations.size())];
    expecting_errors([&] {
        call_in_any_order(*input, shorter(*input->graph), generation, source);
        allocate_in_order(*input, generation);
    });
}

}  // namespace splitscope::fuzz
