// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>
#include <map>
#include <memory>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/opened_text.hpp"
#include "engine/models/model.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/format_bytes.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InspectOptions {
    std::string file;
    bool json = false;
    std::size_t rows = 60;
};

template <class T>
inline constexpr bool is_array_pointer = std::is_same_v<T, std::shared_ptr<const GgufArray>>;

Json json_of(const GgufValue& value);

Json json_of(const GgufArray& array) {
    return std::visit(
        [](const auto& values) {
            Json out = Json::array();
            for (const auto& value : values) {
                using T = std::decay_t<decltype(value)>;
                if constexpr (is_array_pointer<T>)
                    out.push_back(json_of(*value));
                else
                    out.push_back(value);
            }
            return out;
        },
        array.values);
}

Json json_of(const GgufValue& value) {
    return std::visit(
        [](const auto& v) -> Json {
            using T = std::decay_t<decltype(v)>;
            if constexpr (is_array_pointer<T>)
                return json_of(*v);
            else
                return v;
        },
        value);
}

/// A value in one short line.
std::string text_of(const GgufValue& value) {
    return std::visit(
        [](const auto& v) -> std::string {
            using T = std::decay_t<decltype(v)>;
            if constexpr (is_array_pointer<T>) {
                const auto count = std::visit([](const auto& values) { return values.size(); }, v->values);
                return fmt::format("array of {}", format_count(static_cast<std::int64_t>(count)));
            } else if constexpr (std::is_same_v<T, std::string>) {
                return shorten(v, 80);
            } else if constexpr (std::is_same_v<T, bool>) {
                return v ? "true" : "false";
            } else {
                return fmt::format("{}", v);
            }
        },
        value);
}

/// A model file, also one whose architecture has no builder.
struct InspectedModel {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;  ///< null when it cannot be built
    std::string why_not;                 ///< why it cannot be built or run; empty when it can
};

InspectedModel open_model(const std::string& path, const JobContext& job) {
    InspectedModel inspected;
    inspected.file = GgufFile::open(path, job);
    try {
        inspected.model = make_model(inspected.file, job);
        inspected.why_not = inspected.model->why_not_runnable().value_or("");
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        inspected.why_not = error.problem();
    }
    return inspected;
}

std::uint64_t total_bytes(const GgufFile& file) {
    std::uint64_t bytes = 0;
    for (const GgufTensor& tensor : file.tensors()) bytes += tensor.bytes;
    return bytes;
}

std::vector<Fact> shape_facts(const ModelShape& shape) {
    return {{"Architecture", shape.architecture},
            {"Layers", fmt::format("{}", shape.layers)},
            {"Embedding", fmt::format("{}", shape.embedding)},
            {"Heads", fmt::format("{} ({} for keys and values)", shape.heads, shape.kv_heads)},
            {"Vocabulary", fmt::format("{}", shape.vocabulary)},
            {"Trained context", fmt::format("{}", shape.context)}};
}

void print_model(Console& console, const InspectedModel& inspected, std::size_t max_rows) {
    const GgufFile& file = *inspected.file;
    std::vector<Fact> facts = {
        {"File", file.path().filename().string()},
        {"Format", fmt::format("GGUF version {}, alignment {}", file.version(), file.alignment())}};
    if (inspected.model) {
        facts.insert(facts.begin(), {"Name", inspected.model->name()});
        for (Fact& fact : shape_facts(inspected.model->shape())) facts.push_back(std::move(fact));
    }
    facts.push_back(
        {"Tensors", fmt::format("{}, {}", file.tensors().size(), format_bytes(total_bytes(file)))});
    facts.push_back({"Runs here", inspected.why_not.empty() ? "yes" : "no: " + inspected.why_not});
    console.print(text_facts(facts));

    Table metadata;
    metadata.columns = {{"key", "Key", ColumnKind::name}, {"value", "Value", ColumnKind::text}};
    metadata.max_rows = max_rows;
    for (const auto& [key, value] : file.metadata()) metadata.add({key, text_of(value)});
    if (!metadata.rows.empty()) console.print("\n" + text_table(metadata));

    Table tensors;
    tensors.columns = {{"tensor", "Tensor", ColumnKind::name},
                       {"type", "Type", ColumnKind::text},
                       {"shape", "Shape", ColumnKind::text},
                       {"bytes", "Bytes", ColumnKind::bytes}};
    tensors.max_rows = max_rows;
    for (const GgufTensor& tensor : file.tensors()) {
        tensors.add({tensor.name, std::string(name_of(tensor.type)), format_shape(tensor.ne),
                     static_cast<std::int64_t>(tensor.bytes)});
    }
    if (!tensors.rows.empty()) console.print("\n" + text_table(tensors));
}

Json model_json(const InspectedModel& inspected) {
    const GgufFile& file = *inspected.file;
    Json out;
    out["format"] = "splitscope-inspection";
    out["version"] = 1;
    out["kind"] = "model";
    out["file"] = file.path().filename().string();
    out["gguf_version"] = file.version();
    out["alignment"] = file.alignment();
    out["has_data"] = file.has_data();
    out["why_not_runnable"] = inspected.why_not.empty() ? Json() : Json(inspected.why_not);
    if (inspected.model) {
        const ModelShape& shape = inspected.model->shape();
        out["shape"] = {{"architecture", shape.architecture},
                        {"layers", shape.layers},
                        {"embedding", shape.embedding},
                        {"heads", shape.heads},
                        {"kv_heads", shape.kv_heads},
                        {"vocabulary", shape.vocabulary},
                        {"context", shape.context}};
    } else {
        out["shape"] = nullptr;
    }
    Json metadata = Json::object();
    for (const auto& [key, value] : file.metadata()) metadata[key] = json_of(value);
    out["metadata"] = std::move(metadata);
    Json tensors = Json::array();
    for (const GgufTensor& tensor : file.tensors()) {
        tensors.push_back({{"name", tensor.name},
                           {"type", std::string(name_of(tensor.type))},
                           {"ne", tensor.ne},
                           {"offset", tensor.offset},
                           {"bytes", tensor.bytes}});
    }
    out["tensors"] = std::move(tensors);
    return out;
}

std::map<std::string, std::int64_t> count_ops(const Graph& graph) {
    std::map<std::string, std::int64_t> counts;
    for (const TensorId node : graph.nodes) ++counts[std::string(name_of(graph[node].op))];
    return counts;
}

void print_graph(Console& console, const Graph& graph, const std::string& path, std::size_t max_rows) {
    console.print(text_facts({{"Name", graph.name},
                              {"File", std::filesystem::path(path).filename().string()},
                              {"Tensors", fmt::format("{}", graph.tensors.size())},
                              {"Nodes", fmt::format("{}", graph.nodes.size())},
                              {"Leafs", fmt::format("{}", graph.leafs.size())},
                              {"Buffers", fmt::format("{}", fmt::join(graph.buffers, ", "))}}));
    Table ops;
    ops.columns = {{"op", "Operation", ColumnKind::name}, {"nodes", "Nodes", ColumnKind::count}};
    ops.max_rows = max_rows;
    for (const auto& [op, count] : count_ops(graph)) ops.add({op, count});
    if (!ops.rows.empty()) console.print("\n" + text_table(ops));
}

Json graph_json(const Graph& graph, const std::string& path) {
    Json out;
    out["format"] = "splitscope-inspection";
    out["version"] = 1;
    out["kind"] = "graph";
    out["file"] = std::filesystem::path(path).filename().string();
    out["name"] = graph.name;
    out["tensors"] = graph.tensors.size();
    out["nodes"] = graph.nodes.size();
    out["leafs"] = graph.leafs.size();
    out["buffers"] = graph.buffers;
    out["operations"] = count_ops(graph);
    return out;
}

bool is_gguf(const std::string& path) {
    if (path == "-") return false;
    const MappedFile file(path);
    const auto bytes = file.bytes();
    return bytes.size() >= 4 && std::memcmp(bytes.data(), "GGUF", 4) == 0;
}

int run_inspect(Console& console, const InspectOptions& options) {
    const JobContext job = console.job();
    const std::size_t max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    Json json;
    if (is_gguf(options.file)) {
        const InspectedModel inspected = open_model(options.file, job);
        if (options.json)
            json = model_json(inspected);
        else
            print_model(console, inspected, max_rows);
    } else {
        const auto opened = open_file(options.file, job);
        if (options.json)
            json = graph_json(*opened->graph, options.file);
        else
            print_graph(console, *opened->graph, options.file, max_rows);
        const bool told = !opened->graphs.empty() || !opened->remarks.empty();
        if (told && options.json) json["import"] = opened_json(*opened);
        if (told && !options.json) {
            console.print("\n");
            print_opened(console, *opened, max_rows);
        }
    }
    if (options.json) console.print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    return kOk;
}

}  // namespace

void add_inspect(CLI::App& program, const SetAction& set_action) {
    auto options = std::make_shared<InspectOptions>();
    CLI::App& command =
        *program.add_subcommand("inspect", "Show what is in a model, graph, log or recording");
    command
        .add_option("file", options->file,
                    "Model, graph, log, recording or dump; '-' reads one, but no model")
        ->required()
        ->type_name("FILE");
    command.add_flag("--json", options->json, "One JSON object");
    command.add_option("--rows", options->rows, "Rows shown per table; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer("Examples:\n  splitscope inspect model.gguf\n  splitscope inspect model.gguf --json");
    command.callback([options, set_action] {
        set_action([options](Console& console) { return run_inspect(console, *options); });
    });
}

}  // namespace splitscope::cli
