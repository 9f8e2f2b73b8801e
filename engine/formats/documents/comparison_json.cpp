// SPDX-License-Identifier: MIT
#include "engine/formats/documents/comparison_json.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/formats/json_writer.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/decision_evidence.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {
namespace {

void write_decision(JsonWriter& json, const Analysis& analysis, const std::optional<std::size_t>& index) {
    if (!index) {
        json.value(nullptr);
        return;
    }
    const Decision& decision = analysis.schedule->decisions[*index];
    json.object([&] {
        json.member("pass", name_of(decision.pass));
        json.member("cause", label_of(decision.cause));
        json.member("from", decision.from.value);
        json.member("to", decision.to.value);
        json.member("evidence", english(evidence_of(analysis, decision)));
    });
}

void write_side(JsonWriter& json, const Analysis& analysis, std::uint64_t copied_bytes) {
    const Schedule& schedule = *analysis.schedule;
    json.object([&] {
        json.member("generation", name_of(schedule.generation));
        json.member("splits", schedule.splits.size());
        json.member("buffer_bytes", buffer_bytes(analysis));
        json.member("error", schedule.error ? std::optional(schedule.error->message) : std::nullopt);
        json.member("copied_bytes", copied_bytes);
    });
}

void write_difference(JsonWriter& json, const Analysis& a, const Analysis& b,
                      const TensorDifference& difference) {
    json.object([&] {
        json.member("tensor", difference.tensor.value);
        json.member("name", (*a.graph)[difference.tensor].name);
        json.member("pass", name_of(difference.pass));
        json.key("a");
        write_decision(json, a, difference.decision_a);
        json.key("b");
        write_decision(json, b, difference.decision_b);
        json.member("backend_a", difference.backend_a.value);
        json.member("backend_b", difference.backend_b.value);
    });
}

double seconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

void write_node(JsonWriter& json, const Graph& graph, const NodeComparison& node) {
    const Tensor& tensor = graph[node.tensor];
    json.object([&] {
        json.member("tensor", node.tensor.value);
        json.member("name", tensor.name);
        json.member("op", name_of(tensor.op));
        json.member("type", name_of(tensor.type));
        json.member("ne", tensor.ne);
        if (!node.fused.empty()) {
            json.array("fused", [&] {
                for (const TensorId part : node.fused) json.value(graph[part].name);
            });
        }
        if (!node.support) {
            json.member("refused", name_of(node.support.rule));
        } else if (node.count > 0) {
            json.member("nmse", node.nmse);
            if (node.exact) json.member("exact_nmse", node.exact->tested);
            if (node.wrong_element) {
                json.object("wrong_element", [&] {
                    json.member("at", node.wrong_element->at);
                    json.member("exact", node.wrong_element->exact);
                    json.member("tested", node.wrong_element->tested);
                    json.member("rounding", node.wrong_element->rounding);
                });
            }
            json.member("tolerance", node.tolerance);
            json.member("largest", node.largest);
            json.member("largest_at", node.largest_at);
            json.member("differing", node.differing);
            json.member("count", node.count);
            if (node.both_nan > 0) json.member("both_nan", node.both_nan);
            json.member("judged", node.judged);
            if (node.own_nmse) json.member("own_nmse", *node.own_nmse);
            json.member("exceeds", node.exceeds());
            json.member("tested_seconds", seconds_of(node.tested_time));
        }
        if (node.reference_time.count() > 0)
            json.member("reference_seconds", seconds_of(node.reference_time));
    });
}

void write_nodes(JsonWriter& json, const GraphComparison& graph) {
    json.object([&] {
        json.member("title", english(graph.title));
        json.array("nodes", [&] {
            for (const NodeComparison& node : graph.nodes) write_node(json, *graph.graph, node);
        });
    });
}

void write_comparison(JsonWriter& json, const BackendComparison& comparison) {
    const auto& first = comparison.first_exceeding;
    json.member("same", comparison.same());
    json.member("tested", comparison.tested);
    json.member("reference", comparison.reference);
    json.member("compared", comparison.compared);
    json.member("exceeding", comparison.exceeding);
    json.member("reference_rounds", comparison.reference_rounds);
    json.member("not_judged", comparison.not_judged);
    json.member("both_nan", comparison.both_nan);
    json.member("refused", comparison.refused);
    json.member("lost", comparison.lost);
    json.member("gained", comparison.gained);
    json.member("fused", comparison.fused);
    json.member("fused_omitted", comparison.fused_omitted);
    json.member("fused_exceeding", comparison.fused_exceeding);
    json.key("first_exceeding");
    if (first) {
        const GraphComparison& graph = comparison.graphs[first->graph];
        write_node(json, *graph.graph, graph.nodes[first->node]);
    } else {
        json.value(nullptr);
    }
    json.array("graphs", [&] {
        for (const GraphComparison& graph : comparison.graphs) write_nodes(json, graph);
    });
}

}  // namespace

std::string write_comparison_json(const Analysis& a, const Analysis& b, const ScheduleComparison& comparison,
                                  const std::vector<TensorDifference>& listed) {
    const auto& first = comparison.first_split;
    // A model's graph has the form of the older generation.
    const auto form = a.session.file->model
                          ? std::optional(name_of(std::min(a.schedule->generation, b.schedule->generation)))
                          : std::nullopt;
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-comparison", 1);
        json.member("graph_of", form);
        json.member("switches", a.layout ? std::optional(command_line_of(a.layout->flags)) : std::nullopt);
        json.member("same", comparison.same());
        json.key("a");
        write_side(json, a, comparison.copied_bytes_a);
        json.key("b");
        write_side(json, b, comparison.copied_bytes_b);
        json.member("first_split", first ? std::optional(first->value) : std::nullopt);
        json.member("elsewhere", comparison.elsewhere);
        json.array("tensors", [&] {
            for (const TensorDifference& difference : listed) write_difference(json, a, b, difference);
        });
    });
    return std::move(json).take();
}
std::string write_comparison_json(const BackendComparison& comparison) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-backend-comparison", 1);
        write_comparison(json, comparison);
    });
    return std::move(json).take();
}

bool same(const std::vector<ComparedBuilds>& all, const std::vector<MissingDevice>& missing) {
    return std::ranges::all_of(
               all, [](const auto& each) { return each.comparison.same() && each.comparison.lost == 0; }) &&
           std::ranges::all_of(missing, &MissingDevice::is_tested);
}

std::string write_comparison_json(const std::vector<ComparedBuilds>& all,
                                  const std::vector<MissingDevice>& missing) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-build-comparison", 1);
        json.member("same", same(all, missing));
        json.objects("devices", all, [&](const ComparedBuilds& each) {
            json.member("device", each.device);
            write_comparison(json, each.comparison);
        });
        json.objects("missing", missing, [&](const MissingDevice& device) {
            json.member("device", device.name);
            json.member("only_in", device.build);
            json.member("lost", !device.is_tested);
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope
