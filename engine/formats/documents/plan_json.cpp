// SPDX-License-Identifier: MIT
#include "engine/formats/documents/plan_json.hpp"

#include <optional>
#include <utility>

#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {
namespace {

/// Tensors of each device's compute buffer at the peak.
void write_peaks(JsonWriter& json, const PlannedGraph& graph, const ModelPlan& plan) {
    for (std::size_t b = 0; b < graph.peaks.size(); ++b) {
        json.object([&] {
            json.member("device", plan.devices[b].name);
            json.member("compute_bytes", graph.compute_bytes[b]);
            json.objects("largest", graph.peaks[b], [&](const PeakTensor& t) {
                json.member("name", t.name);
                json.member("op", t.op);
                json.member("bytes", t.bytes);
            });
        });
    }
}

void write_links(JsonWriter& json, const PlannedGraph& graph, const ModelPlan& plan) {
    for (const LinkCopies& link : graph.links) {
        json.object([&] {
            json.member("from", link.from.valid() ? std::optional(plan.devices[link.from.index()].name)
                                                  : std::nullopt);
            json.member("to", plan.devices[link.to.index()].name);
            json.member("copies", link.copies);
            json.member("bytes", link.bytes);
        });
    }
}

void write_planned_graph(JsonWriter& json, const std::optional<PlannedGraph>& graph, const ModelPlan& plan) {
    if (!graph) {
        json.value(nullptr);
        return;
    }
    const auto if_known = [&](double figure) {
        return plan.has_speed() && graph->cost.is_reliable() ? std::optional(figure) : std::nullopt;
    };
    json.object([&] {
        json.member("tokens", graph->tokens);
        json.member("reserved_tokens", graph->reserved_tokens);
        json.member("nodes", graph->nodes);
        json.member("splits", graph->splits);
        json.member("copied_bytes", graph->copied_bytes);
        json.member("uploaded_weight_bytes", graph->uploaded_weight_bytes);
        json.array("links", [&] { write_links(json, *graph, plan); });
        json.member("seconds", if_known(graph->cost.seconds));
        json.member("copy_seconds", if_known(graph->cost.copy_seconds));
        json.array("compute", [&] { write_peaks(json, *graph, plan); });
    });
}

void write_device_plan(JsonWriter& json, const DevicePlan& d) {
    json.object([&] {
        json.member("name", d.name);
        json.member("weights", d.weights);
        json.member("cache", d.cache);
        json.member("compute", d.complete ? std::optional(d.compute) : std::nullopt);
        json.member("output", d.output);
        json.member("companions", d.companions);
        json.member("total", d.is_known() ? std::optional(d.total()) : std::nullopt);
        json.member("memory", d.memory > 0 ? std::optional(d.memory) : std::nullopt);
        json.member("fits", d.fits());
        json.member("pipeline", d.pipeline);
        json.member("offload_from", d.offload_from);
    });
}

/// Placement, as members of the plan.
void write_layout(JsonWriter& json, const ModelLayout& layout, const GgufFile& file) {
    json.array("layers", [&] {
        for (std::int32_t l = -1; l <= static_cast<std::int32_t>(layout.blocks); ++l)
            json.value(layout.machine.backends[layout.layers.backend_of(l).index()].name);
    });
    json.objects("buffers", layout.buffers, [&](const LayoutBuffer& b) {
        json.member("name", b.name);
        json.member("bytes", b.size);
        json.member("used", b.used);
        json.member("mapped", b.mapped);
    });
    json.objects("weights", layout.weights, [&](const PlacedWeight& w) {
        json.member("name", file.tensors()[w.file_tensor].name);
        json.member("layer", w.layer);
        json.member("buffer", layout.buffers[w.buffer].name);
        json.member("bytes", file.tensors()[w.file_tensor].bytes);
        json.member("rule", w.rule < 0 ? std::nullopt : std::optional(w.rule));
    });
    json.objects("overrides", layout.rules, [&](const RuleUse& use) {
        json.member("pattern", use.rule.pattern);
        json.member("target", use.rule.target);
        json.member("tensors", use.decided);
        json.member("shadowed", use.shadowed);
    });
}

void write_planned(JsonWriter& json, std::string_view name, const std::optional<SuggestedPlan>& planned) {
    if (!planned) {
        json.member(name, nullptr);
        return;
    }
    json.object(name, [&] {
        json.member("gpu_layers", planned->choice.gpu_layers);
        json.member("cpu_expert_blocks", planned->choice.cpu_expert_blocks);
        json.member("kv_offload", planned->choice.kv_offload);
        json.member("op_offload", planned->plan.layout->flags.op_offload);
        json.member("device_layers", planned->choice.device_layers);
        json.member("switches", switches_of(planned->choice));
        const auto if_known = [](double speed) { return speed > 0 ? std::optional(speed) : std::nullopt; };
        json.member("tokens_per_second", if_known(planned->plan.tokens_per_second()));
        json.member("prompt_tokens_per_second", if_known(planned->plan.prompt_tokens_per_second()));
        json.objects("devices", planned->plan.devices, [&](const DevicePlan& d) {
            json.member("name", d.name);
            json.member("total", d.total());
            json.member("memory", d.memory > 0 ? std::optional(d.memory) : std::nullopt);
        });
    });
}

}  // namespace

std::string write_plan_json(const ModelPlan& plan, const GgufFile& file, Program like, Generation generation,
                            const std::vector<CompanionPlan>& companions) {
    const ModelLayout& layout = *plan.layout;
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-plan", 1);
        json.member("machine", layout.machine.name);
        json.member("like", name_of(like));
        json.member("generation", name_of(generation));
        json.member("switches", command_line_of(layout.flags, like, generation));
        const Verdict::Kind kind = plan.verdict.kind;
        const bool answered = kind != Verdict::Kind::need_known && kind != Verdict::Kind::not_known;
        json.member("fits", answered ? std::optional(plan.fits()) : std::nullopt);
        json.object("verdict", [&] {
            json.member("kind", name_of(plan.verdict.kind));
            json.member("reason", plan.verdict.reason);
            json.objects("shortages", plan.verdict.shortages, [&](const Verdict::Shortage& shortage) {
                json.member("device", shortage.device);
                json.member("bytes", shortage.bytes);
                json.member("pages", shortage.pages);
            });
        });
        json.array("devices", [&] {
            for (const DevicePlan& d : plan.devices) write_device_plan(json, d);
        });
        json.objects("companions", companions, [&](const CompanionPlan& companion) {
            json.member("kind", name_of(companion.kind));
            json.member("file", companion.file);
            json.member("bytes", companion.bytes);
            json.member("complete", companion.complete);
        });
        json.object("pipeline", [&] {
            json.member("on", layout.pipeline.on);
            json.member("reason", layout.pipeline.reason);
        });
        json.member("flash_attention", layout.flash_attention);
        const ContextSize& context = layout.cache_layout.context;
        json.member("context", context.cells);
        json.member("context_total", std::uint64_t{context.cells} * context.streams);
        json.key("decode");
        write_planned_graph(json, plan.decode, plan);
        json.key("prompt");
        write_planned_graph(json, plan.prompt, plan);
        write_layout(json, layout, file);
        json.member("notes", plan.notes);
        json.member("assumptions", english(plan.assumptions));
    });
    return std::move(json).take();
}

std::string write_suggestion_json(const Suggestion& suggestion) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-suggestion", 1);
        write_planned(json, "best", suggestion.best);
        write_planned(json, "default", suggestion.baseline);
        json.member("margin", suggestion.margin);
        json.member("placements", suggestion.choices);
        json.member("planned", suggestion.planned);
        json.member("exact", suggestion.exact);
        json.member("reason", english(suggestion.reason));
        json.member("verdict", name_of(suggestion.verdict.kind));
        json.member("notes", suggestion.best ? suggestion.best->plan.notes : std::vector<Message>());
        json.member("assumptions", english(suggestion.assumptions));
    });
    return std::move(json).take();
}

std::string write_findings_json(const std::vector<Finding>& findings, const std::vector<Message>& notes) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-lint", 1);
        json.objects("findings", findings, [&](const Finding& f) {
            json.member("severity", name_of(f.severity));
            json.member("rule", f.rule);
            json.member("what", f.finding());
            json.member("cause", f.cause);
            json.member("remedy", f.remedy);
        });
        json.member("notes", notes);
    });
    return std::move(json).take();
}

}  // namespace splitscope
