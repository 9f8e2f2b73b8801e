// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/import_support.hpp"
#include "app/cli/machine_file.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/opened_text.hpp"
#include "app/cli/outputs.hpp"
#include "engine/formats/documents/import_json.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
    std::string file;
    std::size_t number = 0;  ///< from 1; 0 = the one opened by itself
    std::string output;
    std::string machine;
    std::string generation;
    std::string model;
    bool json = false;
    std::size_t rows = 40;
};

/// Output paths of graph and machine.
struct Outputs {
    fs::path graph;
    fs::path machine;            ///< beside the graph, where it is found again
    bool machine_stays = false;  ///< it was read from there
};

/// `given`: the machine of --machine. Throws Error(usage) if an input file would be overwritten,
/// Error(bad_file) if the pair could not be opened again, and Error(io) on write errors.
Outputs outputs_of(const ImportOptions& options, const Session& session,
                   const std::optional<Machine>& given) {
    try {
        validate(session.machine, *session.file->graph);
    } catch (const Error& error) {
        throw error.within(options.file);
    }
    Outputs outputs{options.output, *machine_path_beside(options.output), false};
    std::error_code missing;
    outputs.machine_stays =
        given == session.machine && fs::equivalent(outputs.machine, options.machine, missing);
    std::vector<fs::path> targets = {outputs.graph};
    if (!outputs.machine_stays) targets.push_back(outputs.machine);
    for (const fs::path& target : targets) {
        require_other_file(target, *session.file);
        require_other_file(target, options.machine);
        require_other_file(target, options.model);
    }
    require_outputs(targets);
    return outputs;
}

/// Always both, because an existing machine file beside the graph would be used otherwise.
void write_files(Console& console, const Session& session, const Outputs& outputs) {
    // Both are written before either is committed, so that a full disk keeps the old pair.
    std::optional<AtomicFile> machine;
    if (!outputs.machine_stays) {
        machine.emplace(outputs.machine);
        machine->write(write_machine_json(session.machine));
    }
    AtomicFile graph(outputs.graph);
    graph.write(write_graph_json(*session.file->graph));
    if (machine) machine->commit();
    graph.commit();
    console.note(fmt::format("Wrote the graph to {}", outputs.graph.string()));
    const bool chosen = session.machine != default_machine();
    console.note(
        fmt::format("Wrote the {}machine to {}", chosen ? "" : "default ", outputs.machine.string()));
}

/// What an import finds. Without `max_rows` it is kept for JSON, else printed as soon as there is something.
class Import {
 public:
    Import(Console& console, std::optional<std::size_t> max_rows, const JobContext& job)
        : console_(console), max_rows_(max_rows), job_(job) {}

    /// With the model in `model`, empty = none. Returns whether everything is as recorded.
    bool look_at(const Session& session, const std::string& model) {
        if (max_rows_) print_opened(console_, *session.file, *max_rows_);
        const bool same_decisions = compare(session);
        const bool same_graph = model.empty() || replay(session, model);
        return same_decisions && same_graph;
    }

    std::string json(const OpenedFile& opened) const { return write_import_json(opened, compared_, replay_); }

 private:
    bool compare(const Session& session) {
        if (!session.file->recorded) return true;
        const auto analysis = analyse(session, job_);
        const Schedule& schedule = *analysis->schedule;
        compared_ = {analysis->schedule, compare_with_recorded(schedule, *session.file->recorded)};
        if (max_rows_) print_compared(console_, schedule, compared_->compared, *max_rows_);
        if (schedule.error) console_.error("scheduling ended early: " + english(schedule.error->message));
        return compared_->compared.same() && !schedule.error;
    }

    bool replay(const Session& session, const std::string& path) {
        const auto model = make_model(GgufFile::open(path, job_), job_);
        replay_ = replay_on_model(session, *model, job_);
        if (max_rows_) print_replayed(console_, *replay_, *max_rows_);
        return replay_->same();
    }

    Console& console_;
    std::optional<std::size_t> max_rows_;
    const JobContext& job_;
    std::optional<ComparedImport> compared_;
    std::optional<ModelReplay> replay_;
};

int run_import(Console& console, const ImportOptions& options) {
    if (is_support_table(options.file))
        return import_support(console,
                              {options.file, options.machine, options.output, options.json, options.rows});
    if (!options.output.empty() && !options.output.ends_with("graph.json")) {
        throw Error(ErrorKind::usage, msg::kGraphFileName, options.output, msg::kChooseGraphName);
    }
    const JobContext job = console.job();
    const auto opened =
        open_file(options.file, job, options.number == 0 ? std::nullopt : std::optional(options.number - 1));
    if (!opened->graph) {
        throw Error(ErrorKind::usage, msg::kModelIsNoGraph, options.file, msg::kGiveLogOrDump);
    }
    Session session = default_session(opened);
    std::optional<Machine> given;
    if (!options.machine.empty()) {
        given = read_machine_file(options.machine, job);
        session.machine = *given;
        // Assignments belong to the recording, not to the machine.
        session.machine.assignments.clear();
        if (opened->machine) adopt_buffers(session.machine, *opened->machine);
        validate(session.machine, *opened->graph);
    }
    if (!options.generation.empty()) session.generation = *generation_named(options.generation);
    const std::size_t max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    std::optional<Outputs> outputs;
    if (!options.output.empty()) outputs = outputs_of(options, session, given);

    Import import(console, options.json ? std::nullopt : std::optional(max_rows), job);
    const bool same = import.look_at(session, options.model);
    if (options.json) console.write(import.json(*session.file));
    if (outputs) write_files(console, session, *outputs);
    return same ? kOk : kDifferent;
}

}  // namespace

void add_import(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App& command = *program.add_subcommand(
        "import", "Convert a scheduler log, a recording or a DOT dump to a graph and compare its decisions");
    command
        .add_option(
            "file", options->file,
            "Log, recording (.capture.json), DOT dump or table of supported operations (.csv); '-' reads "
            "standard input")
        ->required()
        ->type_name("FILE");
    command
        .add_option("--graph-number", options->number, "Graph of the file, from 1; 0 = the last decode graph")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("N");
    command
        .add_option(
            "--output,-o", options->output,
            "Write the graph to FILE.graph.json and its machine beside it; with a table, only the machine")
        ->type_name("FILE");
    command.add_option("--machine", options->machine, "Machine to use instead of the recorded one")
        ->type_name("FILE");
    command
        .add_option("-m,--model", options->model,
                    "The recorded model: build its graph, place it as recorded, compare nodes and decisions")
        ->type_name("FILE");
    command
        .add_option("--generation", options->generation, "Generation to simulate instead of the recorded one")
        ->check(CLI::IsMember({"2024-01", "2024-10", "2025-06", "2026-08"}))
        ->type_name("YEAR-MONTH");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.add_option("--rows", options->rows, "Rows shown per table; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer(
        "The exit code is 1 when the simulated decisions differ from the recorded ones.\n\nExamples:\n"
        "  splitscope import run.log\n"
        "  splitscope import run.log --graph-number 2 -o mine.graph.json\n"
        "  splitscope import run.log --model model.gguf\n"
        "  splitscope import CUDA.csv --machine m.machine.json -o refusing.machine.json\n"
        "  GGML_SCHED_DEBUG=2 some-program 2>&1 | splitscope import -");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_import(console, *options); });
    });
}

}  // namespace splitscope::cli
