// SPDX-License-Identifier: MIT
#include "engine/formats/documents/attach_json.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/formats/documents/verification_json.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {
namespace {

std::string_view name_of(StopReason reason) {
    switch (reason) {
        case StopReason::pause:
            return "pause";
        case StopReason::breakpoint:
            return "breakpoint";
        case StopReason::step:
            return "step";
        case StopReason::run_to:
            return "run-to";
    }
    return "pause";
}

void write_statistics(JsonWriter& json, const SeenTensor& tensor) {
    const TensorStatistics& s = tensor.values.statistics;
    json.member("role", tensor.role);
    json.member("name", tensor.tensor.name);
    json.member("op", name_of(tensor.tensor.op));
    json.member("type", name_of(tensor.tensor.type));
    json.member("shape", tensor.tensor.ne);
    json.member("backend", tensor.backend);
    json.member("state", name_of(tensor.values.state));
    if (s.count == 0) return;
    json.member("values", static_cast<std::uint64_t>(s.count));
    json.member("nan", static_cast<std::uint64_t>(s.nan));
    json.member("infinite", static_cast<std::uint64_t>(s.infinite));
    if (s.finite() == 0) return;
    json.member("min", double{s.min});
    json.member("max", double{s.max});
    json.member("mean", s.mean);
    json.member("deviation", s.deviation);
}

void write_stop(JsonWriter& json, const SeenStop& seen) {
    const AttachStop& stop = *seen.stop;
    json.member("number", stop.number);
    json.member("reason", name_of(stop.reason));
    json.member("breakpoint", static_cast<std::uint64_t>(stop.breakpoint));
    json.member("graph", stop.computation);
    json.member("graph_kind", stop.graph->title());
    json.member("position", stop.position);
    if (stop.tensor.valid()) json.member("node", text_of(stop.graph->identities->of(stop.tensor)));
    if (stop.split.valid()) json.member("split", stop.split.index());
    json.objects("tensors", seen.tensors, [&](const SeenTensor& tensor) { write_statistics(json, tensor); });
}

void write_entries(JsonWriter& json, std::string_view name, const std::vector<ProfileEntry>& entries) {
    json.objects(name, entries, [&](const ProfileEntry& entry) {
        json.member("name", entry.name);
        if (!entry.op.empty()) json.member("op", entry.op);
        json.member("backend", entry.backend);
        if (entry.layer) json.member("layer", static_cast<std::uint64_t>(*entry.layer));
        if (entry.split.valid()) json.member("split", entry.split.index());
        json.member("count", entry.count);
        json.member("nanoseconds", entry.total.count());
        json.member("shortest_nanoseconds", entry.shortest.count());
        if (entry.bytes > 0) json.member("bytes", entry.bytes);
    });
}

void write_shape_profile(JsonWriter& json, const ShapeProfile& shape) {
    json.member("graph", shape.graph->title());
    json.member("nodes_of_graph", shape.graph->graph->nodes.size());
    json.member("computations", shape.computations);
    json.member("nanoseconds", shape.total.count());
    write_entries(json, "nodes", shape.nodes);
    write_entries(json, "operations", shape.ops);
    write_entries(json, "layers", shape.layers);
    write_entries(json, "splits", shape.splits);
    write_entries(json, "copies", shape.copies);
}

void write_differences(JsonWriter& json, const AttachComparison& comparison) {
    json.member("compared", comparison.compared());
    json.member("left_out", comparison.left_out());
    json.member("complete", comparison.complete());
    json.objects("graphs", comparison.graphs, [&](const ComparedComputation& computation) {
        json.member("graph", computation.number);
        json.member("graph_kind", computation.graph->title());
        json.member("compared", computation.compared);
        json.member("left_out", computation.left_out);
        json.member("complete", computation.complete);
    });
    json.objects("stray_writes", comparison.stray_writes, [&](const StrayWrite& write) {
        const AttachedGraph& graph = *write.graph;
        json.member("graph", write.computation);
        json.member("node", text_of(graph.identities->of(write.node)));
        json.member("backend", graph.backend_name(write.node));
        if (write.tensor.valid()) {
            json.member("tensor", text_of(graph.identities->of(write.tensor)));
            json.member("offset", write.offset);
        }
        if (write.operand) json.member("operand", static_cast<std::uint64_t>(*write.operand));
        json.member("bytes", write.bytes);
        if (write.distance) json.member("distance", *write.distance);
    });
    json.objects("exceeding", comparison.exceeding, [&](const AttachDifference& difference) {
        const AttachedGraph& graph = *difference.stop->graph;
        const Tensor& node = (*graph.graph)[difference.result.tensor];
        json.member("graph", difference.stop->computation);
        json.member("node", text_of(graph.identities->of(difference.result.tensor)));
        json.member("op", name_of(node.op));
        json.member("shape", node.ne);
        json.member("backend", graph.backend_name(difference.result.tensor));
        json.member("tolerance", difference.result.tolerance);
        if (std::isfinite(difference.result.nmse)) json.member("nmse", difference.result.nmse);
        if (std::isfinite(difference.result.largest)) json.member("largest", difference.result.largest);
    });
    if (comparison.first) json.object("first", [&] { write_stop(json, *comparison.first); });
}

}  // namespace

std::size_t AttachComparison::compared() const {
    return std::accumulate(graphs.begin(), graphs.end(), std::size_t{0},
                           [](std::size_t sum, const auto& graph) { return sum + graph.compared; });
}

std::size_t AttachComparison::left_out() const {
    return std::accumulate(graphs.begin(), graphs.end(), std::size_t{0},
                           [](std::size_t sum, const auto& graph) { return sum + graph.left_out; });
}

bool AttachComparison::complete() const {
    return !graphs.empty() && std::ranges::all_of(graphs, &ComparedComputation::complete);
}

std::string_view name_of(TensorState state) {
    switch (state) {
        case TensorState::computed:
            return "available";
        case TensorState::not_computed:
            return "not-computed";
        case TensorState::reused:
            return "reused";
        case TensorState::no_memory:
            return "no-memory";
        case TensorState::repacked:
            return "repacked";
    }
    return "no-memory";
}

std::string write_attach_json(const AttachedRun& run) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-attach", 1);
        json.member("program", run.program);
        json.member("library", run.graphs.empty() ? std::string() : run.graphs.front()->library);
        json.member("computed", run.computations);
        if (run.not_finite) json.member("not_finite", *run.not_finite);
        json.objects("graphs", run.graphs, [&](const std::shared_ptr<const AttachedGraph>& graph) {
            json.member("purpose", graph->purpose);
            json.member("kind", graph->title());
            json.member("nodes", graph->graph->nodes.size());
            json.member("splits", graph->captured->recorded.splits.size());
        });
        json.objects("stops", run.stops, [&](const SeenStop& seen) { write_stop(json, seen); });
        json.member("never_met", run.never_met);
        if (!run.unloaded_backends.empty()) json.member("unloaded_backends", run.unloaded_backends);
        if (run.profile) {
            json.objects("profile", *run.profile,
                         [&](const ShapeProfile& shape) { write_shape_profile(json, shape); });
        }
        if (run.comparison) json.object("comparison", [&] { write_differences(json, *run.comparison); });
        if (run.verification) write_verified(json, "verification", *run.verification);
        json.object("end", [&] {
            json.member("exit_code", static_cast<std::int64_t>(run.end.program.exit_code));
            json.member("signal", static_cast<std::int64_t>(run.end.program.signal));
            json.member("abort_message", run.end.abort_message);
            if (run.detached) json.member("detached", true);
            if (!run.end.others.empty()) json.member("not_debugged", run.end.others);
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope
