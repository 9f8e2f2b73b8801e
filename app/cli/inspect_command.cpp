// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/opened_text.hpp"
#include "engine/formats/gguf.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cli {
namespace {

struct InspectOptions {
    std::string file;
    bool json = false;
    std::size_t rows = 60;
};

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

/// A model file, with or without graph builder.
struct InspectedModel {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;  ///< null when it cannot be built
    Message why_not;                     ///< why it cannot be built or run; empty when it can
    std::optional<Verdict> verdict;  ///< why its needs are not known or it cannot run; none when all is well
    Message unread;                  ///< tensors that no graph reads
};

InspectedModel open_model(const std::string& path, const JobContext& job) {
    InspectedModel inspected;
    inspected.file = GgufFile::open(path, job);
    try {
        inspected.model = make_model(inspected.file, job);
        inspected.why_not = inspected.model->why_not_runnable().value_or(Message());
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        inspected.why_not = error.problem();
    }
    inspected.verdict = why_not_planned(*inspected.file, inspected.model.get(), &inspected.unread);
    if (inspected.verdict) inspected.why_not = inspected.verdict->reason;
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
    if (file.parts() > 1) facts.push_back({"Parts", fmt::format("{} files", file.parts())});
    if (!inspected.unread.empty()) facts.push_back({"Remark", english(inspected.unread)});
    facts.push_back({"Runs here", inspected.why_not.empty() ? "yes" : "no: " + english(inspected.why_not)});
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

std::string model_json(const InspectedModel& inspected) {
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

/// A file that contains graphs: log, recording or dump.
bool was_imported(const OpenedFile& opened) {
    return !opened.graphs.empty() || !opened.remarks.empty();
}

std::string graph_json(const OpenedFile& opened, const std::string& path) {
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

int run_inspect(Console& console, const InspectOptions& options) {
    const JobContext job = console.job();
    const std::size_t max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    if (is_gguf(options.file)) {
        const InspectedModel inspected = open_model(options.file, job);
        if (options.json)
            console.write(model_json(inspected));
        else
            print_model(console, inspected, max_rows);
        return inspected.verdict ? kDifferent : kOk;
    }
    const auto opened = open_file(options.file, job);
    if (options.json) {
        console.write(graph_json(*opened, options.file));
        return kOk;
    }
    print_graph(console, *opened->graph, options.file, max_rows);
    if (was_imported(*opened)) {
        console.print("\n");
        print_opened(console, *opened, max_rows);
    }
    return kOk;
}

}  // namespace

void add_inspect(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<InspectOptions>();
    CLI::App& command =
        *program.add_subcommand("inspect", "Show the contents of a model, graph, log or recording");
    command
        .add_option("file", options->file,
                    "Model, graph, log, recording or dump; '-' reads any but a model from standard input")
        ->required()
        ->type_name("FILE");
    command.add_flag("--json", options->json, "One JSON object");
    command.add_option("--rows", options->rows, "Rows shown per table; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer("Examples:\n  splitscope inspect model.gguf\n  splitscope inspect model.gguf --json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_inspect(console, *options); });
    });
}

}  // namespace splitscope::cli
