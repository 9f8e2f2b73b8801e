// SPDX-License-Identifier: MIT
// Scheduling and allocating the same graphs with the reference engine's scheduler, in turns, in this process:
// two CPU backends, the second half of the weights assigned to the second. SPLITSCOPE_REFERENCE names the
// folder of the libraries; without it nothing is measured. "First": creating a scheduler, the assignments,
// scheduling. "Repeated": resetting the scheduler of the previous graph, the assignments, scheduling in its
// buffers. "Call": of these, the call that schedules and allocates. Splitscope's times always contain all.
// A ratio is not printed, and the exit code is 3, if other programs used the processors. Exit code 1 above
// the limits. Usage: schedule_reference_bench [nodes …]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/support/large_blocks.hpp"
#include "tests/bench/machine_load.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/reference_scheduler.hpp"
#include "tests/generator/random_case.hpp"

namespace splitscope::bench {
namespace {

/// Limits of Splitscope's times as multiples of the reference's.
constexpr double kWithTrace = 0.25;
constexpr double kWithoutTrace = 1.0;
constexpr std::size_t kBackends = 2;

/// Backends that share the memory of the CPU, as the reference's do.
Machine machine_for(const Graph& graph) {
    Machine machine;
    machine.name = "two CPUs";
    MachineBufferType memory;
    memory.name = "CPU";
    memory.alignment = 32;
    memory.is_host = true;
    machine.buffer_types = {memory};
    for (std::size_t i = 0; i < kBackends; ++i) {
        MachineBackend backend;
        backend.name = fmt::format("CPU{}", i);
        backend.buffer_type = BufferTypeId(0);
        backend.supports_buffer_types = {BufferTypeId(0)};
        machine.backends.push_back(backend);
    }
    for (const std::string& name : graph.buffers)
        machine.buffers.push_back({name, BufferTypeId(0), BufferUsage::weights});
    for (std::size_t i = graph.nodes.size() / 2; i < graph.nodes.size(); ++i) {
        const Op op = graph[graph.nodes[i]].op;
        if (op == Op::mul_mat || op == Op::mul) machine.assignments.push_back({graph.nodes[i], BackendId(1)});
    }
    return machine;
}

/// In seconds, one entry per turn.
struct Times {
    std::vector<double> with_trace;
    std::vector<double> without_trace;
    std::vector<double> first;
    std::vector<double> first_call;
    std::vector<double> repeated;
    std::vector<double> repeated_call;
};

struct Verdict {
    bool quiet = true;
    bool fast = true;
};

Verdict run(const ReferenceLibrary& library, std::size_t nodes) {
    const auto input = test::random_case(
        {.seed = 1, .nodes = nodes, .backends = kBackends, .plain = true, .refusals = false});
    const auto machine = std::make_shared<const Machine>(machine_for(*input.graph));
    const SimulatedMachine simulated(machine, input.graph.get());
    ReferenceGraph graph(library, *input.graph);
    const ReferenceBackends backends(library, kBackends);
    std::size_t splits = 0;
    const auto ours = [&](bool trace) {
        const Schedule schedule = make_schedule(input.graph, simulated.live(),
                                                {.generation = Generation::g2026_08, .trace = trace});
        const auto plan = plan_allocation(schedule, simulated.live(), trace);
        if (schedule.error || plan->error) throw std::runtime_error("the graph cannot be scheduled");
        splits = schedule.splits.size();
    };
    Times times;
    const int turns = nodes > 20'000 ? 7 : nodes > 2'000 ? 21 : 101;
    int their_splits = 0;
    ours(true);
    const LoadWatch watch;
    for (int turn = 0; turn < turns; ++turn) {
        times.with_trace.push_back(seconds_of([&] { ours(true); }));
        graph.restore();
        std::optional<ReferenceScheduler> scheduler;
        const double created = seconds_of([&] {
            scheduler.emplace(library, backends, *input.graph);
            scheduler->assign(graph, machine->assignments);
        });
        times.first_call.push_back(seconds_of([&] { scheduler->schedule(graph); }));
        times.first.push_back(created + times.first_call.back());
        times.without_trace.push_back(seconds_of([&] { ours(false); }));
        graph.restore();
        const double reset = seconds_of([&] {
            scheduler->reset();
            scheduler->assign(graph, machine->assignments);
        });
        times.repeated_call.push_back(seconds_of([&] { scheduler->schedule(graph); }));
        times.repeated.push_back(reset + times.repeated_call.back());
        their_splits = scheduler->splits();
    }
    const double others = watch.others();
    if (static_cast<std::size_t>(their_splits) != splits)
        throw std::runtime_error(fmt::format("{} splits instead of {}", splits, their_splits));
    const auto ms = [](const std::vector<double>& seconds) { return median(seconds) * 1e3; };
    fmt::print("{:>7} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f}", nodes, ms(times.with_trace),
               ms(times.without_trace), ms(times.first), ms(times.first_call), ms(times.repeated),
               ms(times.repeated_call));
    if (others > LoadWatch::kMaxOthers) {
        fmt::print("   no ratios: other programs used {:.0f} % of the processors\n", others * 100);
        return {.quiet = false, .fast = true};
    }
    const double first = median_ratio(times.with_trace, times.first);
    const double repeated = median_ratio(times.without_trace, times.repeated);
    fmt::print(" {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f}\n", first,
               median_ratio(times.with_trace, times.first_call), repeated,
               median_ratio(times.without_trace, times.repeated_call));
    return {.quiet = true, .fast = first <= kWithTrace && repeated <= kWithoutTrace};
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    using namespace splitscope;
    constexpr int kBusy = 3;
    const char* const folder = std::getenv("SPLITSCOPE_REFERENCE");
    if (folder == nullptr) {
        fmt::print("no reference engine: ./dev bench schedule --reference\n");
        return 0;
    }
    keep_freed_memory();  // as commands do
    std::vector<std::size_t> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<std::size_t>(std::max(1, std::atoi(argv[i]))));
    if (sizes.empty()) sizes = {100, 1'000, 5'000, 10'000, 100'000};
    try {
        const bench::ReferenceLibrary library(folder);
        fmt::print(
            "medians in ms; ratios: with trace to a first schedule, without trace to a repeated one\n");
        fmt::print("{:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>6} {:>6} {:>6} {:>6}\n", "nodes", "trace",
                   "no trace", "first", "call", "repeated", "call", "first", "call", "rep.", "call");
        bench::Verdict all;
        for (const std::size_t nodes : sizes) {
            const bench::Verdict one = bench::run(library, nodes);
            all = {all.quiet && one.quiet, all.fast && one.fast};
            std::fflush(stdout);
        }
        if (!all.fast) return 1;
        return all.quiet ? 0 : kBusy;
    } catch (const std::runtime_error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
