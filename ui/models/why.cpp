// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/why.hpp"

#include <algorithm>
#include <utility>

#include "engine/scheduler/explain.hpp"
#include "engine/session/decision_evidence.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

std::string backend_name(const Machine& machine, BackendId id) {
    return id.valid() ? machine.backends[id.index()].name : std::string("none");
}

std::string buffer_type_name(const Machine& machine, BufferTypeId id) {
    return id.valid() ? machine.buffer_types[id.index()].name : std::string();
}

Message role_of(const Decision& d) {
    switch (d.cause.kind) {
        case CauseKind::wgt:
        case CauseKind::off:
            return d.evidence.source_slot >= 0 ? msg::kRoleWeightsOf(d.evidence.source_slot)
                                               : Message(msg::kRoleWeights);
        case CauseKind::vsrc1:
        case CauseKind::vsrc3:
        case CauseKind::vsrc4:
            return msg::kRoleViewed;
        case CauseKind::cur3:
        case CauseKind::cur4:
            return msg::kRoleReader;
        case CauseKind::sup:
        case CauseKind::sweep1:
        case CauseKind::sweep2:
        case CauseKind::sweep3:
        case CauseKind::sweep4:
            return msg::kRoleNeighbour;
        case CauseKind::cpy:
            return msg::kRoleOriginal;
        default:
            return msg::kRoleOther;
    }
}

WhyStep step_of(const Analysis& analysis, std::size_t number) {
    const Schedule& schedule = *analysis.schedule;
    const Machine& machine = *analysis.machine;
    const Decision& d = schedule.decisions[number];
    WhyStep step;
    step.number = number;
    step.pass = d.pass;
    step.from = d.from;
    step.to = d.to;
    step.label = label_of(d.cause);
    step.explanation = explain(d.cause);
    step.via = d.evidence.via;
    step.via_role = role_of(d);
    step.buffer_type = buffer_type_name(machine, d.evidence.buffer_type);
    if (auto rule = rule_behind(analysis, d)) step.rule = std::move(rule->cause);
    if (d.evidence.usable_sources >= 0) step.usable_sources = d.evidence.usable_sources;
    for (std::uint32_t r = 0; r < d.evidence.refusal_count; ++r) {
        const Refusal& refusal = schedule.refusals[d.evidence.first_refusal + r];
        step.refusals.push_back(
            {refusal.backend, explain(schedule, d.tensor, refusal, d.evidence.buffer_type)});
    }
    return step;
}

/// Derived from the last decision, whose evidence determines the placement.
std::vector<WhyChange> changes_of(const Analysis& analysis, const WhyStory& story) {
    std::vector<WhyChange> changes;
    const Machine& machine = *analysis.machine;
    const WhyStep* last = nullptr;
    for (const WhyStep& step : story.steps) {
        if (step.to.valid()) last = &step;
    }
    if (!last) return {{msg::kAssignOrSupport, {}, {}}};
    const Decision& d = analysis.schedule->decisions[last->number];
    const TensorId via = d.evidence.via;
    const std::string name = via.valid() ? analysis.schedule->tensor(via).name : std::string();
    std::optional<WeightRule> rule = rule_behind(analysis, d);
    const bool ruled = rule && !rule->remedy.empty();
    switch (d.cause.kind) {
        case CauseKind::wgt:
            changes.push_back({ruled ? std::move(rule->remedy) : msg::kMoveWeights(name), via, {}});
            break;
        case CauseKind::off:
            changes.push_back({msg::kSmallerBatch, {}, {}});
            break;
        case CauseKind::dst:
            changes.push_back({ruled ? std::move(rule->remedy) : Message(msg::kAllocateElsewhere), {}, {}});
            break;
        case CauseKind::vsrc1:
            changes.push_back({msg::kAllocateElsewhere, {}, {}});
            break;
        case CauseKind::inp:
            changes.push_back({msg::kNotAnInput, {}, {}});
            break;
        case CauseKind::usr:
            changes.push_back({msg::kRemoveAssignment, {}, {}});
            break;
        case CauseKind::sup:
        case CauseKind::sweep1:
        case CauseKind::sweep2:
        case CauseKind::sweep3:
        case CauseKind::sweep4:
            changes.push_back({msg::kMoveNeighbour, via, {}});
            break;
        case CauseKind::best:
            changes.push_back({msg::kMoreUsableSources, {}, {}});
            break;
        default:
            if (!name.empty()) changes.push_back({msg::kMoveOther(name), via, {}});
    }
    for (const WhyRefusal& refusal : last->refusals) {
        changes.push_back(
            {msg::kIfSupported(backend_name(machine, refusal.backend), refusal.reason), {}, refusal.backend});
    }
    return changes;
}

/// The last answer of each backend of higher priority about a node on the last backend.
std::vector<WhyNot> not_on_of(const Analysis& analysis, const WhyStory& story) {
    std::vector<WhyNot> list;
    const std::size_t last = analysis.machine->backends.size() - 1;
    if (!story.backend.valid() || story.backend.index() != last || story.steps.empty()) return list;
    for (std::size_t b = 0; b < last; ++b) {
        WhyNot entry{BackendId(b), false, {}};
        for (const WhyStep& step : story.steps) {
            for (const WhyRefusal& refusal : step.refusals) {
                if (refusal.backend.index() != b) continue;
                entry.refused = true;
                entry.rule = refusal.reason;
            }
        }
        if (!entry.refused) entry.rule = msg::kNotAsked(story.steps.back().explanation);
        list.push_back(std::move(entry));
    }
    return list;
}

}  // namespace

WhyStory explain_placement(const Analysis& analysis, TensorId tensor) {
    const Schedule& schedule = *analysis.schedule;
    const Graph& graph = *analysis.graph;
    WhyStory story;
    story.tensor = tensor;
    if (!tensor.valid() || tensor.index() >= graph.tensors.size()) return story;
    const Tensor& t = graph[tensor];
    if (tensor.index() < schedule.backend.size()) story.backend = schedule.backend[tensor.index()];

    for (std::size_t d = 0; d < schedule.decisions.size(); ++d) {
        if (schedule.decisions[d].tensor == tensor) story.steps.push_back(step_of(analysis, d));
    }
    for (std::size_t slot = 0; slot < t.src.size(); ++slot) {
        if (!t.src[slot].valid()) continue;
        const TensorId s = t.src[slot];
        const bool copied = std::ranges::any_of(
            schedule.rewired, [&](const RewiredSource& r) { return r.node == tensor && r.slot == slot; });
        story.sources.push_back({s, static_cast<int>(slot), schedule.backend[s.index()], copied});
    }
    for (std::size_t p = 0; p < graph.nodes.size(); ++p) {
        const TensorId node = graph.nodes[p];
        if (node == tensor && !schedule.splits.empty()) story.split = schedule.split_of_position(p);
        if (std::ranges::find(graph[node].src, tensor) != graph[node].src.end())
            story.readers.push_back(node);
    }
    const TensorId memory = t.is_view() ? t.view_src : tensor;
    if (graph[memory].buffer.valid()) {
        const std::string& buffer = graph.buffers[graph[memory].buffer.index()];
        story.buffer = buffer;
        const auto& buffers = analysis.machine->buffers;
        const auto found = std::ranges::find(buffers, buffer, &MachineBuffer::name);
        if (found != buffers.end()) {
            story.buffer_type = buffer_type_name(*analysis.machine, found->buffer_type);
        }
    }
    if (!story.steps.empty()) story.changes = changes_of(analysis, story);
    if (t.op != Op::none) story.not_on = not_on_of(analysis, story);
    story.claimed = t.op != Op::none && story.backend.valid() &&
                    analysis.machine->backends[story.backend.index()].claims_all;
    return story;
}

}  // namespace splitscope::ui
