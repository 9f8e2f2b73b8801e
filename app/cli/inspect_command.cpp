// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/opened_text.hpp"
#include "engine/formats/documents/inspection_json.hpp"
#include "engine/formats/gguf.hpp"
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
            {"Heads", fmt::format("{} ({} KV heads)", shape.heads, shape.kv_heads)},
            {"Vocabulary", fmt::format("{}", shape.vocabulary)},
            {"Training context", fmt::format("{}", shape.context)}};
}

std::string runs_here(const InspectedModel& inspected) {
    if (!inspected.why_not.empty()) return "no: " + english(inspected.why_not);
    const Message& no_text = inspected.model->why_no_tokenizer();
    return no_text.empty() ? "yes" : "yes, from token ids: " + english(no_text);
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
    facts.push_back({"Runs here", runs_here(inspected)});
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

int run_inspect(Console& console, const InspectOptions& options) {
    const JobContext job = console.job();
    const std::size_t max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    if (is_gguf(options.file)) {
        const InspectedModel inspected = open_model(options.file, job);
        if (options.json)
            console.write(write_inspection_json(inspected));
        else
            print_model(console, inspected, max_rows);
        return inspected.verdict ? kDifferent : kOk;
    }
    const auto opened = open_file(options.file, job);
    if (options.json) {
        console.write(write_inspection_json(*opened, options.file));
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
    command.add_flag("--json", options->json, "Print one JSON object");
    command.add_option("--rows", options->rows, "Rows shown per table; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer("Examples:\n  splitscope inspect model.gguf\n  splitscope inspect model.gguf --json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_inspect(console, *options); });
    });
}

}  // namespace splitscope::cli
