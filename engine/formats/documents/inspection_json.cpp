// SPDX-License-Identifier: MIT
#include "engine/formats/documents/inspection_json.hpp"

#include <filesystem>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/formats/documents/import_json.hpp"
#include "engine/formats/json_writer.hpp"

namespace splitscope {
namespace {

template <class T>
inline constexpr bool is_array_pointer = std::is_same_v<T, std::shared_ptr<const GgufArray>>;

void write_array(JsonWriter& json, const GgufArray& array) {
    json.array([&] {
        std::visit(
            [&](const auto& values) {
                for (const auto& value : values) {
                    if constexpr (is_array_pointer<std::decay_t<decltype(value)>>)
                        write_array(json, *value);
                    else
                        json.value(value);
                }
            },
            array.values);
    });
}

void write_value(JsonWriter& json, const GgufValue& value) {
    std::visit(
        [&](const auto& v) {
            if constexpr (is_array_pointer<std::decay_t<decltype(v)>>)
                write_array(json, *v);
            else
                json.value(v);
        },
        value);
}

/// The first members of an inspection.
void write_begin(JsonWriter& json, std::string_view kind, const std::filesystem::path& file) {
    json.format("splitscope-inspection", 1);
    json.member("kind", kind);
    json.member("file", file.filename().string());
}

void write_shape(JsonWriter& json, const ModelShape& shape) {
    json.object([&] {
        json.member("architecture", shape.architecture);
        json.member("layers", shape.layers);
        json.member("embedding", shape.embedding);
        json.member("heads", shape.heads);
        json.member("kv_heads", shape.kv_heads);
        json.member("vocabulary", shape.vocabulary);
        json.member("context", shape.context);
    });
}

/// Metadata and tensors of a model file, as members of its inspection.
void write_contents(JsonWriter& json, const GgufFile& file) {
    json.object("metadata", [&] {
        for (const auto& [key, value] : file.metadata()) {
            json.key(key);
            write_value(json, value);
        }
    });
    json.objects("tensors", file.tensors(), [&](const GgufTensor& tensor) {
        json.member("name", tensor.name);
        json.member("type", name_of(tensor.type));
        json.member("ne", tensor.ne);
        json.member("part", tensor.part);
        json.member("offset", tensor.offset);
        json.member("bytes", tensor.bytes);
    });
}

}  // namespace

std::map<std::string, std::int64_t> count_ops(const Graph& graph) {
    std::map<std::string, std::int64_t> counts;
    for (const TensorId node : graph.nodes) ++counts[std::string(name_of(graph[node].op))];
    return counts;
}

bool was_imported(const OpenedFile& opened) {
    return !opened.graphs.empty() || !opened.remarks.empty();
}

std::string write_inspection_json(const InspectedModel& inspected) {
    const GgufFile& file = *inspected.file;
    JsonWriter json;
    json.object([&] {
        write_begin(json, "model", file.path());
        json.member("gguf_version", file.version());
        json.member("alignment", file.alignment());
        json.member("has_data", file.has_data());
        json.array("parts", [&] {
            for (std::size_t part = 0; part < file.parts(); ++part)
                json.value(file.path_of(part).filename().string());
        });
        json.member("verdict", inspected.verdict ? std::optional(inspected.verdict->text()) : std::nullopt);
        json.member("unread", inspected.unread);
        json.member("why_not_runnable",
                    inspected.why_not.empty() ? std::nullopt : std::optional(inspected.why_not));
        const bool no_text = inspected.model && !inspected.model->why_no_tokenizer().empty();
        json.member("why_no_text",
                    no_text ? std::optional(inspected.model->why_no_tokenizer()) : std::nullopt);
        json.key("shape");
        if (inspected.model) {
            write_shape(json, inspected.model->shape());
        } else {
            json.value(nullptr);
        }
        write_contents(json, file);
    });
    return std::move(json).take();
}

std::string write_inspection_json(const OpenedFile& opened, const std::string& path) {
    const Graph& graph = *opened.graph;
    JsonWriter json;
    json.object([&] {
        write_begin(json, "graph", path);
        json.member("name", graph.name);
        json.member("tensors", graph.tensors.size());
        json.member("nodes", graph.nodes.size());
        json.member("leafs", graph.leafs.size());
        json.member("buffers", graph.buffers);
        json.object("operations", [&] {
            for (const auto& [op, count] : count_ops(graph)) json.member(op, count);
        });
        if (was_imported(opened)) json.object("import", [&] { write_opened(json, opened); });
    });
    return std::move(json).take();
}

}  // namespace splitscope
