// SPDX-License-Identifier: MIT
#include "engine/planning/lint_schedule.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "backends/interface/machine_buffers.hpp"
#include "engine/scheduler/findings.hpp"
#include "engine/scheduler/policy.hpp"
#include "engine/support/format_bytes.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using Findings = std::vector<LintFinding>;

/// All detours of one operation from one device.
struct Detours {
    std::size_t count = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;
    TensorId first;
    SplitId split;
};

/// The operation of a split that reads no weights and caches, so nothing but a refusal brought it here.
std::optional<TensorId> stray_operation(const Schedule& schedule, const Split& split) {
    const Graph& graph = *schedule.graph;
    std::optional<TensorId> first;
    for (std::size_t p = split.start; p < split.end; ++p) {
        const TensorId node = graph.nodes[p];
        const Tensor& t = graph[node];
        if (is_view_op(t.op)) continue;
        if (!first) first = node;
        for (const TensorId source : t.src)
            if (source.valid() && graph[source].buffer.valid()) return std::nullopt;
    }
    return first;
}

/// What a device says about the operation that it does not run.
std::string refusal_of(const std::vector<Summary::Fallback>& fallbacks, Op op, const std::string& device) {
    for (const Summary::Fallback& f : fallbacks)
        if (f.op == op && f.reason.starts_with(device + " ")) return f.reason;
    return device + " does not run it";
}

/// Also of operations that were refused without a way back: at the end, or beside others of the CPU.
void check_fallbacks(const ScheduledGraph& g, const std::vector<Summary::Fallback>& fallbacks,
                     Findings& out) {
    for (const Summary::Fallback& fallback : fallbacks) {
        const std::string told = fmt::format("{} leaves ", name_of(fallback.op));
        const bool detour = std::ranges::any_of(out, [&](const LintFinding& f) {
            return f.rule == "cpu-detour" && f.what.starts_with(told) && f.cause.starts_with(fallback.reason);
        });
        if (detour) continue;
        const Tensor& first = (*g.schedule.graph)[fallback.first];
        out.push_back({Severity::warning, "cpu-fallback",
                       fmt::format("{} node{} of {} run{} on the CPU ({})", fallback.count,
                                   fallback.count == 1 ? "" : "s", name_of(fallback.op),
                                   fallback.count == 1 ? "s" : "", g.title),
                       fmt::format("{}; the first is {}", fallback.reason, first.name),
                       "choose element types and attention that the device supports", fallback.first});
    }
}

void check_detours(const ScheduledGraph& g, const std::vector<Summary::Fallback>& fallbacks, Findings& out) {
    const Schedule& schedule = g.schedule;
    const BackendId cpu(g.machine.backends.size() - 1);
    std::map<std::pair<Op, BackendId>, Detours> detours;
    for (std::size_t s = 1; s + 1 < schedule.splits.size(); ++s) {
        const BackendId before = schedule.splits[s - 1].backend;
        if (schedule.splits[s].backend != cpu || before == cpu || schedule.splits[s + 1].backend == cpu)
            continue;
        const auto node = stray_operation(schedule, schedule.splits[s]);
        if (!node) continue;
        Detours& found = detours[{(*schedule.graph)[*node].op, before}];
        if (found.count++ == 0) {
            found.first = *node;
            found.split = SplitId(s);
        }
        for (const std::size_t with : {s, s + 1}) {
            for (const TensorId input : schedule.splits[with].inputs)
                found.bytes += byte_size((*schedule.graph)[input]);
            if (g.cost.known) found.seconds += g.cost.splits[with].copy_seconds;
        }
        if (g.cost.known) found.seconds += g.cost.splits[s].compute_seconds;
    }
    for (const auto& [key, found] : detours) {
        const std::string& device = g.machine.backends[key.second.index()].name;
        std::string cause = fmt::format("{}; the first is {}; going there and back copies {} per pass",
                                        refusal_of(fallbacks, key.first, device),
                                        (*schedule.graph)[found.first].name, format_bytes(found.bytes));
        if (g.cost.known) cause += fmt::format(" and takes about {:.2g} ms", found.seconds * 1e3);
        out.push_back(
            {Severity::warning, "cpu-detour",
             fmt::format("{} leaves {} for the CPU and comes back{} ({})", name_of(key.first), device,
                         found.count > 1 ? fmt::format(", {} times", found.count) : "", g.title),
             std::move(cause), "choose cache types and attention that the device supports", found.first,
             found.split});
    }
}

/// Splits that ended because they could take no more inputs, so that the same device starts again.
void check_input_limit(const ScheduledGraph& g, Findings& out) {
    const SchedulerPolicy& policy = scheduler_policy(g.schedule.generation);
    std::size_t full = 0;
    std::size_t first = 0;
    for (std::size_t s = 0; s + 1 < g.schedule.splits.size(); ++s) {
        const Split& split = g.schedule.splits[s];
        if (split.backend != g.schedule.splits[s + 1].backend ||
            split.inputs.size() < policy.max_split_inputs || policy.split_inputs_grow)
            continue;
        if (full++ == 0) first = s;
    }
    if (full == 0) return;
    out.push_back({Severity::note, "split-input-limit",
                   fmt::format("{} split{} end{} early, the first is split {} ({})", full,
                               full == 1 ? "" : "s", full == 1 ? "s" : "", first, g.title),
                   fmt::format("a split takes at most {} inputs", policy.max_split_inputs),
                   "keep what belongs together on one device", TensorId(), SplitId(first)});
}

}  // namespace

std::uint64_t uploaded_weights(const Schedule& schedule, const Machine& machine) {
    const Graph& graph = *schedule.graph;
    const auto buffers = machine_buffers(machine, graph);
    std::uint64_t bytes = 0;
    for (const Split& split : schedule.splits) {
        for (const TensorId input : split.inputs) {
            const BufferRef buffer = graph[input].buffer;
            if (!buffer.valid() || buffers[buffer.index()] == nullptr) continue;
            if (buffers[buffer.index()]->usage == BufferUsage::weights) bytes += byte_size(graph[input]);
        }
    }
    return bytes;
}

void lint_schedule(const ScheduledGraph& g, Findings& out) {
    if (g.schedule.error) {
        out.push_back({Severity::error, "scheduler-aborts", g.schedule.error->message,
                       fmt::format("in the graph of {}", g.title),
                       "place the tensor where its operation can run", g.schedule.error->tensor});
        return;
    }
    if (g.plan.error) {
        out.push_back({Severity::error, "allocation-fails", *g.plan.error,
                       fmt::format("in the graph of {}", g.title), "lower --ubatch or --context"});
        return;
    }
    const std::vector<Summary::Fallback> fallbacks = find_fallbacks(g.schedule);
    check_detours(g, fallbacks, out);
    check_fallbacks(g, fallbacks, out);
    check_input_limit(g, out);
    if (const std::uint64_t bytes = uploaded_weights(g.schedule, g.machine); bytes > 0) {
        std::string cause = "devices take over operations on weights that stay in the CPU's memory";
        for (const MachineBackend& backend : g.machine.backends) {
            if (backend.offload_min_batch)
                cause += fmt::format(", {} from batches of {} on", backend.name, *backend.offload_min_batch);
        }
        out.push_back(
            {Severity::warning, "weights-uploaded",
             fmt::format("{} of weights cross the link for each graph of {}", format_bytes(bytes), g.title),
             std::move(cause), "compare with --no-op-offload, or make micro-batches larger"});
    }
    for (const Finding& hazard : find_hazards(g.schedule, g.plan)) {
        out.push_back({Severity::error, "scheduler-hazard",
                       fmt::format("{} ({})",
                                   hazard.kind == FindingKind::copy_overlaps_original
                                       ? "a copy lies on its own original"
                                       : "a tensor is copied before it is computed",
                                   g.title),
                       describe(hazard, g.schedule), "choose another placement", hazard.tensor,
                       hazard.split});
    }
}

}  // namespace splitscope
