// SPDX-License-Identifier: MIT
#include "engine/session/summary.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "backends/interface/machine_buffers.hpp"
#include "backends/interface/messages.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/placement/place_model.hpp"
#include "engine/scheduler/link_copies.hpp"
#include "engine/session/messages.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// The backend with this default buffer type; on ties the first.
BackendId backend_of_buffer(const Machine& machine, const MachineBuffer& buffer) {
    const auto owner = std::ranges::find(machine.backends, buffer.buffer_type, &MachineBackend::buffer_type);
    return owner == machine.backends.end() ? BackendId()
                                           : BackendId(std::size_t(owner - machine.backends.begin()));
}

/// For a model, everything that is loaded, whether or not this graph uses it.
void count_layout(const ModelLayout& layout, Summary& summary) {
    for (const LayoutBuffer& buffer : layout.buffers) {
        auto& share = summary.backends[buffer.owner.index()];
        (buffer.purpose == BufferPurpose::weights ? share.weights_bytes : share.cache_bytes) +=
            buffer.bytes();
    }
}

void count_tensors(const Analysis& analysis, Summary& summary) {
    const Machine& machine = *analysis.machine;
    const auto buffers = machine_buffers(machine, *analysis.graph);
    for (const Tensor& t : analysis.graph->tensors) {
        if (!t.buffer.valid() || t.is_view()) continue;
        const MachineBuffer* buffer = buffers[t.buffer.index()];
        const BackendId backend = buffer == nullptr ? BackendId() : backend_of_buffer(machine, *buffer);
        if (!backend.valid()) continue;
        auto& share = summary.backends[backend.index()];
        (buffer->usage == BufferUsage::weights ? share.weights_bytes : share.cache_bytes) += byte_size(t);
    }
}

void count_buffers(const Analysis& analysis, Summary& summary) {
    if (analysis.layout) {
        count_layout(*analysis.layout, summary);
    } else {
        count_tensors(analysis, summary);
    }
    for (std::size_t p = 0; p < analysis.plan->buffers.size() && p < summary.backends.size(); ++p) {
        summary.backends[p].compute_bytes = analysis.plan->buffers[p].size;
    }
}

}  // namespace

/// Nodes whose final decision on the last backend has a refusal as evidence.
std::vector<Summary::Fallback> find_fallbacks(const Schedule& schedule) {
    const Machine& machine = *schedule.machine;
    const BackendId cpu(machine.backends.size() - 1);
    std::vector<const Decision*> last(schedule.graph->tensors.size());
    for (const Decision& decision : schedule.decisions) {
        // Copies are not nodes.
        if (decision.to.valid() && decision.tensor.index() < last.size())
            last[decision.tensor.index()] = &decision;
    }
    const GraphView view(*schedule.graph);
    std::map<std::tuple<Op, std::int32_t, RefusalRule, ElementType>, Summary::Fallback> grouped;
    for (const TensorId node : schedule.graph->nodes) {
        const Decision* decided = last[node.index()];
        if (decided == nullptr || decided->to != cpu) continue;
        const Evidence& evidence = decided->evidence;
        for (std::uint32_t r = 0; r < evidence.refusal_count; ++r) {
            const Refusal& refusal = schedule.refusals[evidence.first_refusal + r];
            if (refusal.buffer_type_refused || refusal.op) continue;
            const bool of_type =
                refusal.op.rule == RefusalRule::type || refusal.op.rule == RefusalRule::op_with_type;
            const OpSupport support{refusal.op.rule, {}, of_type ? refusal.op.type : ElementType::f32};
            const Op op = view[node].op;
            auto& fallback = grouped[{op, refusal.backend.value, support.rule, support.type}];
            if (fallback.count++ == 0) fallback = {op, 1, node, refusal.backend, support};
            break;
        }
    }
    std::vector<Summary::Fallback> fallbacks;
    fallbacks.reserve(grouped.size());
    for (const auto& [key, fallback] : grouped) fallbacks.push_back(fallback);
    std::ranges::stable_sort(fallbacks, std::ranges::greater{}, &Summary::Fallback::count);
    return fallbacks;
}

Summary summarise(const Analysis& analysis) {
    const Schedule& schedule = *analysis.schedule;
    Summary summary;
    for (std::size_t b = 0; b < analysis.machine->backends.size(); ++b) {
        Summary::BackendShare share;
        share.backend = BackendId(b);
        const auto facts = analysis.session.devices.find(analysis.machine->backends[b].name);
        if (facts != analysis.session.devices.end()) share.memory_bytes = facts->second.memory_free;
        summary.backends.push_back(share);
    }
    const GraphView view(*analysis.graph);
    for (const TensorId node : analysis.graph->nodes) {
        if (is_view_op(view[node].op)) continue;
        const double flops = node_flops(view, node);
        ++summary.nodes;
        summary.flops += flops;
        const BackendId backend = schedule.backend[node.index()];
        if (!backend.valid()) continue;
        ++summary.backends[backend.index()].nodes;
        summary.backends[backend.index()].flops += flops;
    }
    summary.splits = schedule.splits.size();
    for (const Split& split : schedule.splits) summary.copies += split.inputs.size();
    summary.copied_bytes = copied_bytes(schedule);
    if (analysis.model_graph) summary.tokens = analysis.model_graph->options.tokens;
    count_buffers(analysis, summary);
    summary.fallbacks = find_fallbacks(schedule);
    return summary;
}

std::uint64_t buffer_bytes(const Analysis& analysis) {
    std::uint64_t bytes = 0;
    for (const auto& buffer : analysis.plan->buffers) bytes += buffer.size;
    return bytes;
}

Message Summary::Fallback::reason(const Schedule& schedule) const {
    const GraphView view(*schedule.graph);
    return msg::kDeviceRefuses(schedule.machine->backends[refused_by.index()].name,
                               describe(refusal, {view, first}));
}

std::string Summary::line(const Schedule& schedule, std::span<const std::string> labels) const {
    const auto& machine = schedule.machine->backends;
    const auto label = [&](const std::string& name) {
        const auto found = std::ranges::find(machine, name, &MachineBackend::name);
        const auto at = static_cast<std::size_t>(found - machine.begin());
        return at < labels.size() ? labels[at] : name;
    };
    const auto count = [](std::size_t number) { return format_count(static_cast<std::int64_t>(number)); };
    std::string text;
    for (const BackendShare& share : backends) {
        if (share.nodes == 0) continue;
        if (!text.empty()) text += " · ";
        text +=
            fmt::format("{} {} of {} nodes, {:.0f} % of FLOPs", label(machine[share.backend.index()].name),
                        count(share.nodes), count(nodes), flops > 0 ? 100.0 * share.flops / flops : 0.0);
    }
    if (!text.empty()) text += " · ";
    text += fmt::format("{} · {} copied per {}", english(msg::kSplitCount(splits)),
                        format_bytes(copied_bytes_per_token()), tokens > 0 ? "token" : "run");
    if (tokens > 1) text += fmt::format(" ({} for {} tokens)", format_bytes(copied_bytes), tokens);
    for (const Fallback& fallback : fallbacks) {
        text += fmt::format(" · CPU fallback: {} ×{} ({})", name_of(fallback.op), fallback.count,
                            english(with_names(fallback.reason(schedule), label)));
    }
    return text;
}

}  // namespace splitscope
