// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/models/check_file.hpp"
#include "engine/planning/lint_schedule.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/format_bytes.hpp"

namespace splitscope {
namespace {

using Findings = std::vector<LintFinding>;

void check_memory(const DevicePlan& d, Findings& out) {
    if (d.lacking() == 0) return;
    std::string parts;
    const auto add = [&](std::string_view name, std::uint64_t bytes) {
        if (bytes > 0) parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, format_bytes(bytes));
    };
    add("weights", d.weights);
    add("caches", d.cache);
    add("compute buffer", d.compute);
    add("results", d.output);
    std::string remedy;
    const std::uint64_t lacking = d.lacking();
    if (d.compute >= lacking && d.compute > d.cache)
        remedy = "lower --ubatch: the compute buffer grows with it; or ";
    else if (d.cache > lacking)
        remedy = "lower --context or take smaller cache types; or ";
    out.push_back({Severity::error, "does-not-fit",
                   fmt::format("{} needs {} and has {}: {} too little", d.name, format_bytes(d.total()),
                               format_bytes(d.memory), format_bytes(lacking)),
                   parts, remedy + "place fewer layers there; 'splitscope suggest' finds out which"});
}

void check_verdict(const Verdict& verdict, Findings& out) {
    if (verdict.kind == Verdict::Kind::cannot_run) {
        out.push_back({Severity::error, "cannot-run", "the model cannot run", verdict.reason,
                       "convert or download the model again, or change the switch that is named"});
    } else if (verdict.kind == Verdict::Kind::not_known) {
        out.push_back({Severity::warning, "not-known", "it is not known whether the model fits",
                       verdict.reason, "record the program that runs it: see 'splitscope record'"});
    }
}

void check_unread(const std::string& unread, Findings& out) {
    if (unread.empty()) return;
    out.push_back({Severity::note, "tensors-unread", "the file has " + unread,
                   "graphs of this architecture have no use for them",
                   "compare with another conversion of the model"});
}

void check_overrides(const ModelLayout& layout, Findings& out) {
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

/// `plan`: null when what pipelining costs was not planned.
void check_pipeline(const ModelLayout& layout, const ModelPlan* plan, Findings& out) {
    if (!layout.pipeline.on) return;
    std::string what = "inputs of every split exist four times";
    std::uint64_t bytes = 0;
    if (plan != nullptr)
        for (const DevicePlan& d : plan->devices) bytes += d.pipeline;
    if (bytes > 0) {
        what += fmt::format("; without pipelining {} less", format_bytes(bytes));
        for (const DevicePlan& d : plan->devices) {
            if (d.pipeline > 0) what += fmt::format(", {} on {}", format_bytes(d.pipeline), d.name);
        }
    }
    out.push_back({Severity::note, "pipelining-multiplies-inputs", std::move(what), layout.pipeline.reason,
                   "accept the memory, or place one layer less on the devices, which switches it off"});
}

/// Attention that a cache type or a missing operation drives from the device of its block.
void check_attention(const ModelLayout& layout, const Schedule& schedule, Findings& out) {
    if (schedule.error) return;
    std::int32_t block = 0;
    std::size_t elsewhere = 0;
    std::string device;
    TensorId first;
    for (const TensorId node : schedule.graph->nodes) {
        if ((*schedule.graph)[node].op != Op::flash_attn_ext) continue;
        const BackendId wanted = layout.layers.backend_of(block++);
        const BackendId computed = schedule.backend[node.index()];
        if (!computed.valid() || computed == wanted || wanted == layout.layers.cpu()) continue;
        if (elsewhere++ > 0) continue;
        device = layout.machine.backends[wanted.index()].name;
        first = node;
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
         "use --flash-attention auto, or cache types such as f16 or q8_0", first});
}

void check_graph(const PlannedGraph& graph, std::string_view title, Findings& out) {
    const Simulation& simulation = graph.simulation;
    lint_schedule({*simulation.schedule, *simulation.plan, *simulation.schedule->machine, graph.cost, title},
                  out);
}

/// What one graph alone takes of each device.
std::vector<DevicePlan> devices_of(const Analysis& analysis, const Summary& summary) {
    std::vector<DevicePlan> devices;
    for (const Summary::BackendShare& share : summary.backends) {
        DevicePlan& device = devices.emplace_back();
        device.backend = share.backend;
        device.name = analysis.machine->backends[share.backend.index()].name;
        device.weights = share.weights_bytes;
        device.cache = share.cache_bytes;
        device.compute = share.compute_bytes;
        device.memory = share.memory_bytes;
    }
    return devices;
}

/// A detour of both graphs is told once, as the one token's: that is where it hurts most.
void drop_repeated(Findings& out) {
    Findings kept;
    for (LintFinding& f : out) {
        const auto subject = [](const LintFinding& finding) {
            return std::string_view(finding.what).substr(0, finding.what.find(" ("));
        };
        const bool repeated = (f.rule == "cpu-detour" || f.rule == "cpu-fallback") &&
                              std::ranges::any_of(kept, [&](const LintFinding& other) {
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
    check_verdict(plan.verdict, out);
    check_unread(plan.unread, out);
    for (const DevicePlan& d : plan.devices) check_memory(d, out);
    check_overrides(*plan.layout, out);
    check_pipeline(*plan.layout, &plan, out);
    if (plan.decode) check_attention(*plan.layout, *plan.decode->simulation.schedule, out);
    if (plan.decode) check_graph(*plan.decode, "one token", out);
    if (plan.prompt)
        check_graph(*plan.prompt, fmt::format("a prompt of {} tokens", plan.prompt->tokens), out);
    drop_repeated(out);
    std::ranges::stable_sort(out, std::ranges::greater{}, &LintFinding::severity);
    return out;
}

std::vector<LintFinding> lint(const Analysis& analysis, const Summary& summary, const ModelPlan* plan) {
    Findings out;
    for (const DevicePlan& device : plan != nullptr ? plan->devices : devices_of(analysis, summary))
        check_memory(device, out);
    if (plan != nullptr) check_verdict(plan->verdict, out);
    if (analysis.model_graph && analysis.session.file->model) {
        const GgufFile& file = analysis.session.file->model->file();
        const auto error = plan == nullptr ? why_not_loadable(file) : std::nullopt;
        if (error) check_verdict(Verdict::cannot_run(*error, file), out);
        const auto unread = unread_tensors(file, *analysis.model_graph);
        check_unread(unread.empty() ? std::string() : unread_text(file, unread), out);
    }
    if (analysis.layout) {
        check_overrides(*analysis.layout, out);
        check_pipeline(*analysis.layout, nullptr, out);
        check_attention(*analysis.layout, *analysis.schedule, out);
    }
    const Estimate cost = estimate(*analysis.schedule, hardware_of(analysis.session));
    lint_schedule(
        {*analysis.schedule, *analysis.plan, *analysis.machine, cost, analysis.session.file->title()}, out);
    for (const std::string& remark : analysis.session.file->remarks) {
        out.push_back({Severity::note, "import-remark", remark,
                       "the file that was opened does not say everything, or not in words known here",
                       "give what is missing by a machine file, or record the program instead"});
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &LintFinding::severity);
    return out;
}

std::vector<LintFinding> lint(const Analysis& analysis, const ModelPlan* plan) {
    return lint(analysis, summarise(analysis), plan);
}

}  // namespace splitscope
