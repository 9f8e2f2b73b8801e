// SPDX-License-Identifier: MIT
// Plans, suggestions and findings as dictionaries, with the names and units of 'splitscope plan --json'.
#include "python/module/bind.hpp"

namespace splitscope::python {
namespace {

py::object bytes_or_none(std::uint64_t bytes) {
    return bytes > 0 ? py::object(py::int_(bytes)) : py::none();
}

py::list device_list(const ModelPlan& plan) {
    py::list devices;
    for (const DevicePlan& device : plan.devices) {
        py::dict out;
        std::int64_t layers = 0;
        for (std::int32_t l = 0; l <= static_cast<std::int32_t>(plan.layout->blocks); ++l)
            layers += plan.layout->layers.backend_of(l) == device.backend ? 1 : 0;
        out["name"] = text(device.name);
        out["layers"] = layers;
        out["weights"] = device.weights;
        out["cache"] = device.cache;
        out["compute"] = device.complete ? py::object(py::int_(device.compute)) : py::none();
        out["output"] = device.output;
        out["companions"] = device.companions;
        out["total"] = device.is_known() ? py::object(py::int_(device.total())) : py::none();
        out["memory"] = bytes_or_none(device.memory);
        out["fits"] = or_none(device.fits());
        out["pipeline"] = device.pipeline;
        out["offload_from"] = or_none(device.offload_from);
        devices.append(out);
    }
    return devices;
}

py::object graph_dict(const std::optional<PlannedGraph>& graph, const ModelPlan& plan) {
    if (!graph) return py::none();
    py::dict out;
    out["tokens"] = graph->tokens;
    out["reserved_tokens"] = graph->reserved_tokens;
    out["nodes"] = graph->nodes;
    out["splits"] = graph->splits;
    out["copied_bytes"] = graph->copied_bytes;
    out["uploaded_weight_bytes"] = graph->uploaded_weight_bytes;
    py::list links;
    for (const LinkCopies& link : graph->links) {
        const py::object from = link.from.valid() ? py::object(text(plan.devices[link.from.index()].name))
                                                  : py::object(py::none());
        links.append(py::make_tuple(from, text(plan.devices[link.to.index()].name), link.copies, link.bytes));
    }
    out["links"] = links;
    const bool known = plan.has_speed() && graph->cost.is_reliable();
    out["seconds"] = known ? py::object(py::float_(graph->cost.seconds)) : py::none();
    out["copy_seconds"] = known ? py::object(py::float_(graph->cost.copy_seconds)) : py::none();
    py::dict compute;
    py::dict peaks;
    for (std::size_t b = 0; b < graph->compute_bytes.size(); ++b) {
        const py::str name = text(plan.devices[b].name);
        compute[name] = graph->compute_bytes[b];
        py::list largest;
        if (b < graph->peaks.size()) {
            for (const PeakTensor& tensor : graph->peaks[b])
                largest.append(py::make_tuple(text(tensor.name), text(tensor.op), tensor.bytes));
        }
        peaks[name] = largest;
    }
    out["compute"] = compute;
    out["peaks"] = peaks;
    return out;
}

py::dict verdict_dict(const Verdict& verdict) {
    py::dict out;
    out["kind"] = text(name_of(verdict.kind));
    out["text"] = text(verdict.text());
    out["reason"] = text(verdict.reason);
    py::dict shortages;
    for (const Verdict::Shortage& shortage : verdict.shortages)
        shortages[text(shortage.device)] = shortage.bytes;
    out["shortages"] = shortages;
    return out;
}

py::object suggested_dict(const std::optional<SuggestedPlan>& suggested) {
    if (!suggested) return py::none();
    py::dict out;
    out["gpu_layers"] = suggested->choice.gpu_layers;
    out["cpu_expert_blocks"] = suggested->choice.cpu_expert_blocks;
    out["kv_offload"] = suggested->choice.kv_offload;
    out["op_offload"] = suggested->plan.layout->flags.op_offload;
    out["device_layers"] = suggested->choice.device_layers;
    out["switches"] = switches_of(suggested->choice);
    out["plan"] = plan_dict(suggested->plan);
    return out;
}

}  // namespace

py::dict plan_dict(const ModelPlan& plan) {
    py::dict out;
    const ModelLayout& layout = *plan.layout;
    out["machine"] = text(layout.machine.name);
    out["switches"] = text(command_line_of(layout.flags));
    out["verdict"] = verdict_dict(plan.verdict);
    const bool answered =
        plan.verdict.kind != Verdict::Kind::need_known && plan.verdict.kind != Verdict::Kind::not_known;
    out["fits"] = answered ? py::object(py::bool_(plan.fits())) : py::none();
    out["devices"] = device_list(plan);
    out["flash_attention"] = layout.flash_attention;
    const ContextSize& context = layout.cache_layout.context;
    out["context"] = context.cells;
    out["context_total"] = std::uint64_t{context.cells} * context.streams;
    out["pipeline"] = layout.pipeline.on;
    out["pipeline_reason"] = text(layout.pipeline.reason);
    out["decode"] = graph_dict(plan.decode, plan);
    out["prompt"] = graph_dict(plan.prompt, plan);
    out["tokens_per_second"] = known(plan.tokens_per_second());
    out["prompt_tokens_per_second"] = known(plan.prompt_tokens_per_second());
    out["notes"] = texts(plan.notes);
    out["unread"] = text(plan.unread);
    out["assumptions"] = text(plan.assumptions);
    return out;
}

py::dict suggestion_dict(const Suggestion& suggestion) {
    py::dict out;
    out["best"] = suggested_dict(suggestion.best);
    out["default"] = suggested_dict(suggestion.baseline);
    out["margin"] = suggestion.margin;
    out["placements"] = suggestion.choices;
    out["planned"] = suggestion.planned;
    out["exact"] = suggestion.exact;
    out["reason"] = text(suggestion.reason);
    out["verdict"] = verdict_dict(suggestion.verdict);
    return out;
}

py::list finding_list(const std::vector<Finding>& findings) {
    py::list list;
    for (const Finding& finding : findings) {
        py::dict out;
        out["severity"] = text(name_of(finding.severity));
        out["rule"] = text(finding.rule);
        out["what"] = text(finding.finding());
        out["cause"] = text(finding.cause);
        out["remedy"] = text(finding.remedy);
        list.append(out);
    }
    return list;
}

}  // namespace splitscope::python
