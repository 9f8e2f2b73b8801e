// SPDX-License-Identifier: MIT
// Scheduling and allocating graphs of 100 to 100,000 nodes on 1 to 16 backends, with and without a trace.
#include <benchmark/benchmark.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "tests/generator/random_case.hpp"

namespace splitscope {
namespace {

/// Bytes held by a schedule and its plan, without strings.
double bytes_of(const Schedule& schedule, const AllocationPlan& plan) {
    double bytes = 0;
    const auto count = [&](const auto& vector) {
        bytes += static_cast<double>(vector.size() * sizeof(*vector.data()));
    };
    count(schedule.decisions);
    count(schedule.refusals);
    count(schedule.backend);
    count(schedule.cause);
    count(schedule.added);
    count(schedule.added_info);
    count(schedule.rewired);
    count(schedule.rewired_row);
    count(schedule.rewired_sources);
    count(schedule.nodes);
    count(schedule.leafs);
    count(schedule.node_ids);
    count(schedule.leaf_ids);
    bytes += static_cast<double>(schedule.facts.traits.size()) *
             (sizeof(TensorFacts::FirstSources) + sizeof(TensorTraits) + sizeof(TensorId) + sizeof(Op));
    count(plan.events);
    count(plan.places);
    return bytes;
}

void schedule_and_allocate(benchmark::State& state, bool trace, bool refusals) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const auto backends = static_cast<std::size_t>(state.range(1));
    const auto input = test::random_case(
        {.seed = 1, .nodes = nodes, .backends = backends, .plain = true, .refusals = refusals});
    const SimulatedMachine simulated(input.machine, input.graph.get());
    double bytes = 0;
    std::size_t splits = 0;
    for (auto _ : state) {
        const Schedule schedule = make_schedule(input.graph, simulated.live(),
                                                {.generation = Generation::g2026_08, .trace = trace});
        const auto plan = plan_allocation(schedule, simulated.live(), trace);
        benchmark::DoNotOptimize(plan->buffers.data());
        bytes = bytes_of(schedule, *plan);
        splits = schedule.splits.size();
        if (schedule.error || plan->error) state.SkipWithError("the graph cannot be scheduled");
    }
    state.SetComplexityN(state.range(0));
    state.counters["bytes_per_node"] = bytes / static_cast<double>(nodes);
    state.counters["splits"] = static_cast<double>(splits);
}

void with_trace(benchmark::State& state) {
    schedule_and_allocate(state, true, false);
}
void without_trace(benchmark::State& state) {
    schedule_and_allocate(state, false, false);
}
/// Accelerators refuse operations of every layer: a split every few nodes.
void with_trace_many_splits(benchmark::State& state) {
    schedule_and_allocate(state, true, true);
}

void sizes(benchmark::internal::Benchmark* bench) {
    for (const int nodes : {100, 1000, 5000, 10000, 100000}) bench->Args({nodes, 2});
    for (const int backends : {1, 4, 16}) bench->Args({5000, backends});
    bench->Unit(benchmark::kMillisecond);
}

BENCHMARK(with_trace)->Apply(sizes);
BENCHMARK(without_trace)->Apply(sizes);
BENCHMARK(with_trace_many_splits)->Apply(sizes);

}  // namespace
}  // namespace splitscope
