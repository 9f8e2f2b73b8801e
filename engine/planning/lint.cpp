// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/planning/lint_schedule.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/format_bytes.hpp"

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
    std::string what = "inputs of every split exist four times";
    std::uint64_t bytes = 0;
    for (const DevicePlan& d : plan.devices) bytes += d.pipeline;
    if (bytes > 0) {
        what += fmt::format("; without pipelining {} less", format_bytes(bytes));
        for (const DevicePlan& d : plan.devices) {
            if (d.pipeline > 0) what += fmt::format(", {} on {}", format_bytes(d.pipeline), d.name);
        }
    }
    out.push_back({Severity::note, "pipelining-multiplies-inputs", std::move(what),
                   plan.layout->pipeline.reason,
                   "accept the memory, or place one layer less on the devices"});
}

/// Attention that a cache type or a missing operation drives from the device of its block.
void check_attention(const ModelPlan& plan, const PlannedGraph& graph, Findings& out) {
    const ModelLayout& layout = *plan.layout;
    const Schedule& schedule = *graph.simulation.schedule;
    if (schedule.error) return;
    std::int32_t block = 0;
    std::size_t elsewhere = 0;
    std::string device;
    for (const TensorId node : schedule.graph->nodes) {
        if ((*schedule.graph)[node].op != Op::flash_attn_ext) continue;
        const BackendId wanted = layout.layers.backend_of(block++);
        const BackendId computed = schedule.backend[node.index()];
        if (!computed.valid() || computed == wanted || wanted == layout.layers.cpu()) continue;
        if (elsewhere++ == 0) device = layout.machine.backends[wanted.index()].name;
    }
    if (elsewhere == 0) return;
    out.push_back(
        {Severity::warning, "attention-unsupported",
         fmt::format("attention of {} block{} does not run on {}", elsewhere, elsewhere == 1 ? "" : "s",
                     device),
         layout.flags.kv_offload
             ? fmt::format("{} has no flash attention with keys of {} and values of {} for this shape",
                           device, name_of(layout.flags.cache_type_k), name_of(layout.flags.cache_type_v))
             : std::string("the caches stay on the CPU"),
         "use --flash-attention auto, or cache types such as f16 or q8_0"});
}

void check_graph(const PlannedGraph& graph, std::string_view title, Findings& out) {
    const Simulation& simulation = graph.simulation;
    lint_schedule({*simulation.schedule, *simulation.plan, *simulation.schedule->machine, graph.cost, title},
                  out);
}

/// A detour of both graphs is told once, as the one token's: that is where it hurts most.
void drop_repeated(Findings& out) {
    Findings kept;
    for (LintFinding& f : out) {
        const auto subject = [](const LintFinding& finding) {
            return std::string_view(finding.what).substr(0, finding.what.find(" leaves "));
        };
        const bool repeated =
            f.rule == "cpu-detour" && std::ranges::any_of(kept, [&](const LintFinding& other) {
                return other.rule == f.rule && subject(other) == subject(f);
            });
        if (!repeated) kept.push_back(std::move(f));
    }
    out = std::move(kept);
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
    if (plan.decode) check_attention(plan, *plan.decode, out);
    if (plan.decode) check_graph(*plan.decode, "one token", out);
    if (plan.prompt)
        check_graph(*plan.prompt, fmt::format("a prompt of {} tokens", plan.prompt->tokens), out);
    drop_repeated(out);
    std::ranges::stable_sort(out, std::ranges::greater{}, &LintFinding::severity);
    return out;
}

std::vector<LintFinding> lint(const Analysis& analysis) {
    Findings out;
    const Estimate cost = estimate(*analysis.schedule, hardware_of(analysis.session));
    lint_schedule(
        {*analysis.schedule, *analysis.plan, *analysis.machine, cost, analysis.session.file->title()}, out);
    std::ranges::stable_sort(out, std::ranges::greater{}, &LintFinding::severity);
    return out;
}

}  // namespace splitscope
