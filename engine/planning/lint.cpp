// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/scheduler/findings.hpp"
#include "engine/support/format_bytes.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using Findings = std::vector<LintFinding>;

void check_memory(const ModelPlan& plan, Findings& out) {
    for (const DevicePlan& d : plan.devices) {
        if (d.fits()) continue;
        out.push_back(
            {Severity::error, "does-not-fit",
             fmt::format("{} needs {} and has {}", d.name, format_bytes(d.total()), format_bytes(d.memory)),
             fmt::format("weights {}, cache {}, compute {}", format_bytes(d.weights), format_bytes(d.cache),
                         format_bytes(d.compute)),
             "place fewer layers there, keep experts on the CPU, or lower --context or --ubatch"});
    }
}

void check_overrides(const ModelPlan& plan, Findings& out) {
    const ModelLayout& layout = *plan.layout;
    for (const RuleUse& use : layout.rules) {
        const std::string text = fmt::format("'{}={}'", use.rule.pattern, use.rule.target);
        if (use.decided == 0 && use.shadowed == 0) {
            out.push_back({Severity::warning, "override-matches-nothing",
                           "the override " + text + " has no effect",
                           "no tensor of the file has a name that it matches",
                           "compare it with the names that 'splitscope inspect' lists"});
        } else if (use.shadowed > 0) {
            const auto& earlier = layout.rules[static_cast<std::size_t>(use.shadowed_by)].rule;
            out.push_back({use.decided == 0 ? Severity::warning : Severity::note, "override-shadowed",
                           fmt::format("the override {} comes too late for {} tensors", text, use.shadowed),
                           fmt::format("'{}' matches them first", earlier.pattern),
                           "put the narrower rule first"});
        }
    }
    if (!layout.rules.empty() && !layout.pipeline.on && layout.pipeline.reason == "there are overrides") {
        out.push_back({Severity::note, "overrides-stop-pipelining", "several devices work one after another",
                       "any override switches pipelining off",
                       "express the placement by --tensor-split and --gpu-layers if prompts matter"});
    }
}

void check_pipeline(const ModelPlan& plan, Findings& out) {
    if (!plan.layout->pipeline.on) return;
    out.push_back({Severity::note, "pipelining-multiplies-inputs", "inputs of every split exist four times",
                   plan.layout->pipeline.reason,
                   "accept the memory, or place one layer less on the devices"});
}

/// Operations that run on the CPU because every device refused them, between nodes of a device.
void check_fallbacks(const ModelPlan& plan, const PlannedGraph& graph, std::string_view title,
                     Findings& out) {
    const Schedule& schedule = *graph.simulation.schedule;
    const BackendId cpu(plan.layout->machine.backends.size() - 1);
    for (std::size_t s = 1; s + 1 < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        if (split.backend != cpu) continue;
        const BackendId before = schedule.splits[s - 1].backend;
        if (before == cpu || schedule.splits[s + 1].backend == cpu) continue;
        std::map<Op, std::size_t> operations;
        bool weights = false;
        for (std::size_t p = split.start; p < split.end; ++p) {
            const Tensor& t = (*schedule.graph)[schedule.graph->nodes[p]];
            if (is_view_op(t.op)) continue;
            ++operations[t.op];
            for (const TensorId source : t.src)
                weights |= source.valid() && (*schedule.graph)[source].buffer.valid();
        }
        // Operations on weights and caches of the CPU belong there.
        if (weights || operations.empty()) continue;
        std::uint64_t bytes = 0;
        for (const std::size_t with : {s, s + 1})
            for (const TensorId input : schedule.splits[with].inputs)
                bytes += byte_size((*schedule.graph)[input]);
        const Op op = operations.begin()->first;
        const std::string name = plan.layout->machine.backends[before.index()].name;
        const auto same = std::ranges::find_if(out, [&](const LintFinding& f) {
            return f.rule == "cpu-detour" && f.what.starts_with(std::string(name_of(op)) + " ");
        });
        if (same != out.end()) continue;
        out.push_back(
            {Severity::warning, "cpu-detour",
             fmt::format("{} leaves {} for the CPU and comes back ({})", name_of(op), name, title),
             fmt::format("{} does not run it here; each detour copies {}", name, format_bytes(bytes)),
             "choose cache types and attention that the device supports"});
    }
}

void check_graph(const ModelPlan& plan, const PlannedGraph& graph, std::string_view title, Findings& out) {
    const Simulation& simulation = graph.simulation;
    if (simulation.schedule->error) {
        out.push_back({Severity::error, "scheduler-aborts", simulation.schedule->error->message,
                       fmt::format("in the graph of {}", title),
                       "place the tensor where its operation can run"});
        return;
    }
    if (simulation.plan->error) {
        out.push_back({Severity::error, "allocation-fails", *simulation.plan->error,
                       fmt::format("in the graph of {}", title), "lower --ubatch or --context"});
        return;
    }
    check_fallbacks(plan, graph, title, out);
    if (graph.uploaded_weight_bytes > 0) {
        out.push_back({Severity::warning, "weights-uploaded",
                       fmt::format("{} of weights cross the link for each batch of {} tokens",
                                   format_bytes(graph.uploaded_weight_bytes), graph.tokens),
                       "devices take over operations on weights that stay in the CPU's memory",
                       "compare with --no-op-offload, or make micro-batches larger"});
    }
    const auto hazards = find_hazards(*simulation.schedule, *simulation.plan);
    if (!hazards.empty()) {
        out.push_back(
            {Severity::error, "scheduler-hazard",
             fmt::format("{} copies of the graph of {} read the wrong bytes", hazards.size(), title),
             describe(hazards.front(), *simulation.schedule), "choose another placement"});
    }
}

}  // namespace

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "error";
}

std::vector<LintFinding> lint(const ModelPlan& plan) {
    Findings out;
    check_memory(plan, out);
    check_overrides(plan, out);
    check_pipeline(plan, out);
    if (plan.decode) check_graph(plan, *plan.decode, "one token", out);
    if (plan.prompt) check_graph(plan, *plan.prompt, "a prompt", out);
    std::ranges::stable_sort(out, std::ranges::greater{}, &LintFinding::severity);
    return out;
}

}  // namespace splitscope
