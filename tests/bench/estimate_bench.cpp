// SPDX-License-Identifier: MIT
// Compares the cost estimate of plans with runs on this computer's CPU: measures the roofs, plans a model
// with them, runs it, and lists the times of the prompt, of one token and of each kind of operation with the
// estimate. Usage: estimate_bench [model.gguf]; default: the sample and a llama of 1.1 billion random
// weights.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/messages/render.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/estimate.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "tests/bench/machine_peak.hpp"

namespace splitscope::bench {
namespace {

constexpr std::uint32_t kPrompt = 128;
constexpr std::uint32_t kTokens = 16;

/// "weights" (products with them), "attention" and "others".
std::string class_of(const Graph& graph, TensorId node) {
    const Tensor& t = graph[node];
    if (t.op == Op::flash_attn_ext || t.op == Op::soft_max) return "attention";
    if (t.op != Op::mul_mat && t.op != Op::mul_mat_id) return "others";
    return t.src[0].valid() && graph[t.src[0]].buffer.valid() ? "weights" : "attention";
}

struct Times {
    double estimated = 0;
    double measured = 0;
};

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

void print(const std::string& what, const Times& t) {
    fmt::print("  {:<22} {:>10.3f} ms {:>10.3f} ms  {:+.0f} %\n", what, t.estimated * 1e3, t.measured * 1e3,
               100 * (t.estimated / t.measured - 1));
}

/// Per kind of operation. The executor computes several nodes together unless node times are requested.
void compare(const char* title, const Analysis& analysis, const Execution& execution, double whole,
             const DeviceFacts& cpu) {
    const Schedule& schedule = *analysis.schedule;
    Hardware hardware;
    hardware.machine = *analysis.machine;
    hardware.devices.assign(hardware.machine.backends.size(), cpu);
    const Estimate estimated = estimate(schedule, hardware);
    const std::vector<TensorId> nodes = nodes_in_order(schedule);
    const GraphView view(*schedule.graph);
    std::map<std::string, Times> classes;
    for (const TensorId node : nodes) {
        if (is_view_op(view[node].op)) continue;
        classes[class_of(*schedule.graph, node)].estimated += node_time(view, node, cpu, true);
    }
    for (const ExecutionEvent& event : execution.events) {
        if (event.kind != ExecutionEventKind::compute || event.first_node != event.last_node) continue;
        classes[class_of(*schedule.graph, nodes[event.first_node])].measured +=
            seconds(event.end - event.start);
    }
    fmt::print("{:<24} {:>13} {:>13}  error\n", title, "estimated", "measured");
    print("together", {estimated.seconds, whole});
    for (const auto& [name, times] : classes) {
        if (times.measured > 0) print(name, times);
    }
}

void check(const std::filesystem::path& path, const DeviceFacts& cpu) {
    Session session = default_session(open_file(path));
    std::erase_if(session.machine.backends,
                  [](const MachineBackend& backend) { return backend.device != DeviceKind::cpu; });
    session.model_options.context = 512;
    session.model_options.batch = kPrompt;
    session.model_options.cache_type = ElementType::f16;
    session.model_options.flash_attention = true;
    RunOptions options;
    for (std::uint32_t i = 0; i < kPrompt; ++i)
        options.prompt_tokens.push_back(static_cast<std::int32_t>(5 + i % 200));
    options.tokens = kTokens;
    options.stop_at_end = false;
    run_model(session, options);  // warms caches and the file's pages
    const RunResult whole = run_model(session, options);
    options.time_nodes = true;
    const RunResult timed = run_model(session, options);
    fmt::print("\n{}\n", session.file->title());
    compare("prompt of 128 tokens", *timed.prefill, *timed.prefill_execution, seconds(whole.prefill_time),
            cpu);
    compare("one token", *timed.decode, *timed.decode_execution, seconds(whole.decode_time) / (kTokens - 1),
            cpu);
}

int run(int argc, char** argv) {
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const MachinePeak peak = measure_peak(static_cast<int>(threads));
    DeviceFacts cpu;
    cpu.memory_bandwidth = peak.bytes_per_second;
    cpu.flops_f32 = cpu.flops_f16 = peak.flops;
    fmt::print("measured roofs: {:.1f} GB/s, {:.0f} GFLOP/s in F32, {} threads\nestimates assume {}\n",
               peak.bytes_per_second / 1e9, peak.flops / 1e9, threads,
               english(EstimateAssumptions().described()));
    if (argc > 1) {
        check(argv[1], cpu);
        return 0;
    }
    check(sample_model_path(), cpu);
    const auto made = std::filesystem::temp_directory_path() / fmt::format("estimate-{}.gguf", ::getpid());
    RandomModelOptions shape;
    shape.type = ElementType::q8_0;
    write_random_model(made, shape);
    check(made, cpu);
    std::filesystem::remove(made);
    return 0;
}

}  // namespace
}  // namespace splitscope::bench

int main(int argc, char** argv) {
    try {
        return splitscope::bench::run(argc, argv);
    } catch (const splitscope::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
