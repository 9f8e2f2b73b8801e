// SPDX-License-Identifier: MIT
#include "engine/formats/documents/import_json.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace splitscope {
namespace {

void write_compared(JsonWriter& json, const Schedule& ours, const RecordedComparison& compared) {
    std::optional<std::int32_t> first_split;
    if (compared.first_split) first_split = compared.first_split->value;
    json.object([&] {
        json.member("same", compared.same());
        json.member("compared", compared.compared);
        json.member("recorded_splits", compared.recorded_splits);
        json.member("our_splits", compared.our_splits);
        json.member("recorded_copies", compared.recorded_copies);
        json.member("our_copies", compared.our_copies);
        json.member("first_split", first_split);
        json.objects("elsewhere", compared.elsewhere, [&](const RecordedDifference& difference) {
            json.member("tensor", difference.tensor.value);
            json.member("name", (*ours.graph)[difference.tensor].name);
            json.member("recorded", difference.recorded);
            json.member("ours", difference.ours);
        });
    });
}

void write_replayed(JsonWriter& json, const ModelReplay& replay) {
    json.object([&] {
        json.member("same", replay.same());
        json.member("tokens", replay.tokens);
        json.member("flash_attention", replay.flash_attention);
        json.member("gpu_layers", replay.gpu_layers);
        json.member("device_layers", replay.device_layers);
        json.member("nodes", replay.nodes);
        json.objects("different_nodes", replay.different_nodes, [&](const GraphDifference& d) {
            json.member("position", d.position);
            json.member("recorded", d.recorded);
            json.member("built", d.built);
        });
        json.key("decisions");
        write_compared(json, *replay.schedule, replay.decisions);
    });
}

void write_unsupported_types(JsonWriter& json, const std::string& op, const std::vector<std::string>& types) {
    for (const std::string& type : types) {
        json.object([&] {
            json.member("op", op);
            json.member("type", type);
        });
    }
}

void write_table(JsonWriter& json, const OpSupportTable& table, const std::vector<Message>& notes) {
    json.object([&] {
        json.member("family", table.family);
        json.member("cases", case_count(table));
        json.member("operations", table.operations.size());
        json.member("unsupported_ops", table.unsupported_ops());
        json.array("unsupported_types", [&] {
            for (const auto& [op, types] : table.unsupported_types())
                write_unsupported_types(json, op, types);
        });
        json.member("depends", table.depends());
        json.member("notes", notes);
    });
}

}  // namespace

std::size_t source_count(const Graph& graph) {
    std::size_t count = 0;
    for (const TensorId node : graph.nodes) {
        count += static_cast<std::size_t>(
            std::ranges::count_if(graph[node].src, [](TensorId source) { return source.valid(); }));
    }
    return count;
}

void write_opened(JsonWriter& json, const OpenedFile& opened) {
    const Graph& graph = *opened.graph;
    json.member("file", opened.path.filename().string());
    json.member("name", graph.name);
    json.member("nodes", graph.nodes.size());
    json.member("sources", source_count(graph));
    json.member("tensors", graph.tensors.size());
    json.member("splits", opened.recorded ? std::optional(opened.recorded->splits.size()) : std::nullopt);
    json.member("generation", opened.generation ? std::optional(name_of(*opened.generation)) : std::nullopt);
    json.array("backends", [&] {
        if (!opened.machine) return;
        for (const MachineBackend& backend : opened.machine->backends) json.value(backend.name);
    });
    json.objects("graphs", opened.graphs, [&](const GraphInFile& each) {
        json.member("title", each.title);
        json.member("nodes", each.nodes);
        json.member("splits", each.splits);
        json.member("times", each.times);
    });
    json.member("opened", opened.graphs.empty() ? std::nullopt : std::optional(opened.graph_number + 1));
    json.member("remarks", opened.remarks);
}

std::size_t case_count(const OpSupportTable& table) {
    std::size_t count = 0;
    for (const auto& [name, operation] : table.operations) count += operation.yes + operation.no;
    return count;
}

std::string write_op_support_json(const std::vector<OpSupportTable>& tables,
                                  const std::vector<Message>& notes) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-op-support", 1);
        json.array("families", [&] {
            for (const OpSupportTable& table : tables) write_table(json, table, notes);
        });
    });
    return std::move(json).take();
}

std::string write_import_json(const OpenedFile& opened, const std::optional<ComparedImport>& comparison,
                              const std::optional<ModelReplay>& model) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-import", 1);
        write_opened(json, opened);
        json.key("comparison");
        if (comparison) {
            write_compared(json, *comparison->ours, comparison->compared);
        } else {
            json.value(nullptr);
        }
        json.key("model");
        if (model) {
            write_replayed(json, *model);
        } else {
            json.value(nullptr);
        }
    });
    return std::move(json).take();
}

}  // namespace splitscope
