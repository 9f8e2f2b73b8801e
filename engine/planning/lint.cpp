// SPDX-License-Identifier: MIT
#include "engine/planning/lint.hpp"

#include <algorithm>
#include <utility>

#include "engine/messages/messages.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/models/placement/weight_rule.hpp"
#include "engine/planning/lint_schedule.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/placed_graph.hpp"
#include "engine/support/checked.hpp"

namespace splitscope {
namespace {

using Findings = std::vector<Finding>;

/// Maximum number of differing tensors that are listed.
constexpr std::size_t kMaxRecorded = 100;

/// `layout`: null for a graph file; `plan`: null if there is none.
Message memory_remedy(const DevicePlan& d, std::uint64_t lacking, const ModelLayout* layout,
                      const ModelPlan* plan) {
    if (d.compute >= lacking && d.compute > d.cache) return msg::kLowerMicroBatch;
    if (d.cache > lacking) return msg::kLowerContext;
    if (layout == nullptr || !holds_experts(*layout, d.backend)) return msg::kPlaceFewerLayers;
    return plan == nullptr || plan->expert_remedy.empty() ? Message(msg::kKeepMoreExperts)
                                                          : plan->expert_remedy;
}

void check_memory(const DevicePlan& d, const ModelLayout* layout, const ModelPlan* plan, Findings& out) {
    if (d.lacking() == 0) return;
    std::vector<Message> parts;
    const auto add = [&](const Sentence<Bytes>& part, std::uint64_t bytes) {
        if (bytes > 0) parts.push_back(part(bytes));
    };
    add(msg::kWeightsTake, d.weights);
    add(msg::kCachesTake, d.cache);
    add(msg::kComputeTakes, d.compute);
    add(msg::kResultsTake, d.output);
    add(msg::kCompanionsTake, d.companions);
    const std::uint64_t lacking = d.lacking();
    if (d.lacks_pages()) {
        out.push_back({Severity::warning, "reads-from-disk",
                       msg::kReadsFromDisk(d.name, d.total(), d.memory, lacking),
                       Message::list(std::move(parts), msg::kComma), msg::kUseMoreMemory});
        return;
    }
    out.push_back({Severity::error, "does-not-fit", msg::kDoesNotFit(d.name, d.total(), d.memory, lacking),
                   Message::list(std::move(parts), msg::kComma), memory_remedy(d, lacking, layout, plan)});
}

void check_verdict(const Verdict& verdict, Findings& out) {
    if (verdict.kind == Verdict::Kind::cannot_run) {
        out.push_back({Severity::error, "cannot-run", msg::kModelCannotRun, verdict.reason,
                       verdict.remedy.empty() ? Message(msg::kConvertOrChangeSwitch) : verdict.remedy});
    } else if (verdict.kind == Verdict::Kind::not_known) {
        out.push_back(
            {Severity::warning, "not-known", msg::kFitNotKnown, verdict.reason, msg::kRecordProgram});
    } else if (verdict.kind == Verdict::Kind::need_known) {
        out.push_back({Severity::warning, "memory-not-known", msg::kFitNotKnown, msg::kNoMemoryOfDevices,
                       msg::kNameDevices});
    }
}

void check_unread(const Message& unread, Findings& out) {
    if (unread.empty()) return;
    out.push_back({Severity::note, "tensors-unread", msg::kFileHas(unread), msg::kGraphsDoNotUseThem,
                   msg::kCompareConversion});
}

/// The rules of --cpu-moe and --n-cpu-moe together: some blocks usually have no experts, and more blocks than
/// the model has mean all of them.
void check_cpu_experts(const ModelLayout& layout, Findings& out) {
    const auto is_used = [](const RuleUse& use) { return use.decided > 0 || use.shadowed > 0; };
    bool given = false;
    for (const RuleUse& use : layout.rules) {
        if (!keeps_experts(use.rule)) continue;
        if (is_used(use)) return;
        given = true;
    }
    if (!given) return;
    out.push_back({Severity::warning, "cpu-experts-no-effect", msg::kCpuExpertsNoEffect,
                   has_experts(layout) ? Message(msg::kNoExpertsInFirst(cpu_expert_blocks(layout)))
                                       : Message(msg::kNoExperts),
                   msg::kLeaveCpuExpertsOut});
}

void check_overrides(const ModelLayout& layout, Findings& out) {
    check_cpu_experts(layout, out);
    for (const RuleUse& use : layout.rules) {
        if (use.decided == 0 && use.shadowed == 0) {
            if (keeps_experts(use.rule)) continue;
            out.push_back({Severity::warning, "override-matches-nothing",
                           msg::kOverrideNoEffect(use.rule.pattern, use.rule.target),
                           msg::kOverrideMatchesNothing, msg::kCompareNames});
        } else if (use.shadowed > 0) {
            const auto& earlier = layout.rules[static_cast<std::size_t>(use.shadowed_by)].rule;
            out.push_back({use.decided == 0 ? Severity::warning : Severity::note, "override-shadowed",
                           msg::kOverrideShadowed(use.rule.pattern, use.rule.target, use.shadowed),
                           msg::kMatchedFirst(earlier.pattern), msg::kNarrowerFirst});
        }
    }
    if (!layout.rules.empty() && !layout.pipeline.on &&
        layout.pipeline.reason == Message(msg::kPipelineOverrides)) {
        out.push_back({Severity::note, "overrides-stop-pipelining", msg::kDevicesTakeTurns,
                       msg::kOverridesStopPipelining, msg::kUseTensorSplit});
    }
}

void check_shares(const ModelLayout& layout, Findings& out) {
    const std::size_t shares = layout.flags.tensor_split.size();
    const std::size_t devices = layout.layers.devices().size();
    if (devices == 0 || shares <= devices) return;
    out.push_back({Severity::note, "shares-unused", msg::kSharesUnused(shares, devices),
                   msg::kOneSharePerDevice, msg::kFewerShares});
}

/// `trained`: 0 = not stated.
void check_context(const ModelLayout& layout, std::uint32_t trained, Findings& out) {
    const std::uint32_t cells = layout.cache_layout.context.cells;
    if (trained == 0 || cells <= round_up(trained, kCellMultiple)) return;
    const bool shared = layout.flags.sequences > 1 && layout.cache_layout.context.streams == 1;
    out.push_back({Severity::note, "context-beyond-training", msg::kContextBeyondTraining(cells, trained),
                   msg::kServerLimitsRequests(trained),
                   shared ? msg::kLowerUnsharedContext(trained) : msg::kLowerContextTo(trained)});
}

/// Memory cost of pipelining, in total and per device.
Message pipeline_cost(const ModelPlan& plan) {
    std::uint64_t bytes = 0;
    for (const DevicePlan& d : plan.devices) bytes += d.pipeline;
    if (bytes == 0) return {};
    std::vector<Message> parts{msg::kWithoutPipelining(bytes)};
    for (const DevicePlan& d : plan.devices) {
        if (d.pipeline > 0) parts.push_back(msg::kBytesOn(d.pipeline, d.name));
    }
    return Message::list(std::move(parts), msg::kComma);
}

/// `plan`: null if the cost of pipelining was not planned.
void check_pipeline(const ModelLayout& layout, const ModelPlan* plan, Findings& out) {
    if (!layout.pipeline.on) return;
    Message what = msg::kInputsFourfold;
    if (Message cost = plan != nullptr ? pipeline_cost(*plan) : Message(); !cost.empty())
        what = Message::list({std::move(what), std::move(cost)}, msg::kSemicolon);
    out.push_back(
        {Severity::note, "pipelining-multiplies-inputs", std::move(what), layout.pipeline.reason,
         layout.flags.pipeline ? Message(msg::kAcceptOrNotParallel) : Message(msg::kAcceptOrOneLayerLess)});
}

/// Attention that does not run on its block's device because of a cache type or an unsupported operation.
void check_attention(const ModelLayout& layout, const ModelGraph& graph, const Schedule& schedule,
                     Findings& out) {
    if (schedule.error) return;
    std::vector<MovedAttention> moved = moved_attentions(graph, schedule, layout);
    std::erase_if(moved, [&](const MovedAttention& one) { return one.wanted == layout.layers.cpu(); });
    if (moved.empty()) return;
    const std::string& device = layout.machine.backends[moved.front().wanted.index()].name;
    out.push_back({Severity::warning, "attention-unsupported", msg::kAttentionNotOn(moved.size(), device),
                   layout.flags.kv_offload
                       ? msg::kNoFlashAttention(device, name_of(layout.flags.cache_type_k),
                                                name_of(layout.flags.cache_type_v))
                       : Message(msg::kCachesStayOnCpu),
                   // Quantised values cannot do without it.
                   traits_of(layout.flags.cache_type_v).quantised ? Message(msg::kChooseSupportedCaches)
                                                                  : Message(msg::kUseFlashAuto),
                   moved.front().node});
}

void check_graph(const ModelPlan& plan, const PlannedGraph& graph, const Message& title, Findings& out) {
    const Simulation& simulation = graph.simulation;
    lint_schedule({*simulation.schedule, *simulation.plan, *simulation.schedule->machine, graph.reserved_cost,
                   title, plan.layout.get(), plan.upload_remedy},
                  out);
}

/// Decisions that differ from a log or a recording.
void check_recorded(const Analysis& analysis, Findings& out) {
    const auto& recorded = analysis.session.file->recorded;
    if (!recorded || analysis.schedule->error) return;
    const Schedule& schedule = *analysis.schedule;
    const RecordedComparison compared = compare_with_recorded(schedule, *recorded);
    const Message of = msg::kOfRecorded(compared.elsewhere.size(), compared.compared);
    for (std::size_t i = 0; i < std::min(compared.elsewhere.size(), kMaxRecorded); ++i) {
        const RecordedDifference& d = compared.elsewhere[i];
        const std::string& name = (*schedule.graph)[d.tensor].name;
        const Message what = d.ours.empty() ? Message(msg::kNowhereButRecorded(name, d.recorded))
                                            : Message(msg::kElsewhereThanRecorded(name, d.ours, d.recorded));
        out.push_back(
            {Severity::note, "elsewhere-than-recorded", what, of, msg::kUseRecordedSetUp, d.tensor});
    }
    if (compared.elsewhere.empty() && compared.first_split) {
        out.push_back({Severity::note, "elsewhere-than-recorded",
                       msg::kFirstOtherSplit(compared.first_split->value), of, msg::kUseRecordedSetUp,
                       TensorId(), *compared.first_split});
    }
}

/// Device memory of one graph alone.
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
        if (!analysis.layout) continue;
        for (const LayoutBuffer& buffer : analysis.layout->buffers)
            if (buffer.mapped && buffer.owner == share.backend) device.mapped += buffer.bytes();
    }
    return devices;
}

/// How findings name the displayed graph.
Message displayed_title(const Analysis& analysis) {
    if (!analysis.model_graph) return Message::verbatim(analysis.session.file->title());
    if (analysis.session.model_options.kind == GraphKind::decode) return msg::kOneToken;
    return msg::kPromptOf(analysis.model_graph->options.tokens);
}

/// The graph of the plan that is not displayed: its tensors are not those of the displayed one.
void check_other_graph(const Analysis& analysis, const ModelPlan& plan, Findings& out) {
    const bool shows_decode = analysis.session.model_options.kind == GraphKind::decode;
    Findings of_other;
    if (shows_decode && plan.prompt)
        check_graph(plan, *plan.prompt, msg::kPromptOf(plan.prompt->tokens), of_other);
    if (!shows_decode && plan.decode) check_graph(plan, *plan.decode, msg::kOneToken, of_other);
    for (Finding& f : of_other) {
        f.tensor = {};
        f.split = {};
        out.push_back(std::move(f));
    }
}

/// A detour in both graphs is reported once, for the one-token graph, where it costs most.
void drop_repeated(Findings& out) {
    Findings kept;
    for (Finding& f : out) {
        const bool repeated = (f.rule == "cpu-detour" || f.rule == "cpu-fallback") &&
                              std::ranges::any_of(kept, [&](const Finding& other) {
                                  return other.rule == f.rule && other.what == f.what;
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

Message Finding::finding() const {
    return graph.empty() ? what : msg::kFindingIn(what, graph);
}

std::vector<Finding> lint(const ModelPlan& plan) {
    Findings out;
    check_verdict(plan.verdict, out);
    check_unread(plan.unread, out);
    for (const DevicePlan& d : plan.devices) check_memory(d, plan.layout.get(), &plan, out);
    check_overrides(*plan.layout, out);
    check_shares(*plan.layout, out);
    check_context(*plan.layout, plan.trained_context, out);
    check_pipeline(*plan.layout, &plan, out);
    if (plan.decode)
        check_attention(*plan.layout, *plan.decode->model_graph, *plan.decode->simulation.schedule, out);
    if (plan.decode) check_graph(plan, *plan.decode, msg::kOneToken, out);
    if (plan.prompt) check_graph(plan, *plan.prompt, msg::kPromptOf(plan.prompt->tokens), out);
    drop_repeated(out);
    std::ranges::stable_sort(out, std::ranges::greater{}, &Finding::severity);
    return out;
}

std::vector<Finding> lint(const Analysis& analysis, const Summary& summary, const ModelPlan* plan) {
    Findings out;
    for (const DevicePlan& device : plan != nullptr ? plan->devices : devices_of(analysis, summary))
        check_memory(device, analysis.layout.get(), plan, out);
    if (plan != nullptr) check_verdict(plan->verdict, out);
    if (analysis.model_graph && analysis.session.file->model) {
        const GgufFile& file = analysis.session.file->model->file();
        Message unread = plan != nullptr ? plan->unread : Message();
        if (plan == nullptr) {
            const auto why = why_not_planned(file, analysis.session.file->model.get(), &unread);
            if (why) check_verdict(*why, out);
        }
        check_unread(unread, out);
    }
    if (analysis.layout) {
        check_overrides(*analysis.layout, out);
        check_shares(*analysis.layout, out);
        if (analysis.session.file->model)
            check_context(*analysis.layout, trained_context(analysis.session.file->model->file()), out);
        check_pipeline(*analysis.layout, plan, out);
        if (analysis.model_graph)
            check_attention(*analysis.layout, *analysis.model_graph, *analysis.schedule, out);
    }
    const Estimate cost = estimate(*analysis.schedule, hardware_of(analysis.session));
    Findings of_schedule;
    lint_schedule({*analysis.schedule, *analysis.plan, *analysis.machine, cost, displayed_title(analysis),
                   analysis.layout.get(), plan != nullptr ? plan->upload_remedy : Message()},
                  of_schedule);
    for (Finding& f : of_schedule) {
        // The only graph needs no name beside each finding.
        f.graph = {};
        out.push_back(std::move(f));
    }
    if (plan != nullptr && analysis.model_graph) check_other_graph(analysis, *plan, out);
    drop_repeated(out);
    check_recorded(analysis, out);
    for (const Message& remark : analysis.session.file->remarks) {
        out.push_back(
            {Severity::note, "import-remark", remark, msg::kFileIncomplete, msg::kCompleteByMachine});
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &Finding::severity);
    return out;
}

std::vector<Finding> lint(const Analysis& analysis, const ModelPlan* plan) {
    return lint(analysis, summarise(analysis), plan);
}

}  // namespace splitscope
