// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_options.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/cli/device_examples.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/machine_file.hpp"
#include "app/cli/messages.hpp"
#include "backends/interface/registry.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {
namespace {

std::shared_ptr<const OpenedFile> open_graph(const std::string& path, const JobContext& job) {
    auto opened = std::make_shared<OpenedFile>();
    opened->path = path;
    opened->graph = std::make_shared<const Graph>(
        parse_graph_json(read_text_file(path, kMaxTextBytes, job.stop_token()), path, job));
    return opened;
}

}  // namespace

void SessionOptions::add_to(CLI::App& command, BackendKinds kinds, bool with_generation, bool compares) {
    kinds_ = std::move(kinds);
    command
        .add_option("-m,--model,model", file, "Model, graph, log, recording or session (.splitscope.json)")
        ->type_name("FILE");
    command.add_option("--graph,-g", graph, "Graph file; '-' reads standard input")->type_name("FILE");
    command
        .add_option("--graph-number", graph_number,
                    "Graph of a log or recording, from 1; 0 = the last decode graph")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("N");
    command.add_option("--machine", machine, "Machine file; without one, a simulated GPU and the CPU")
        ->type_name("FILE");
    command
        .add_option("-d,--device", devices,
                    "Device presets instead of a machine file, e.g. rtx-3090,epyc-9654 (list: 'splitscope "
                    "devices --presets'), placed with the defaults of 'plan'; with --machine or --backends, "
                    "which of their devices to use; 'this' = the devices of this computer; 'none' = CPU "
                    "only")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
    command
        .add_option(
            "--backends", backends,
            "Devices of this computer instead of a machine file, by name: " + example_devices(*kinds_))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes("--machine")
        ->type_name("NAMES");
    if (compares) {
        add_kind_switches(command, *kinds_, kind_options, reference_options);
    } else {
        add_kind_switches(command, *kinds_, kind_options);
    }
    if (with_generation) {
        command.add_option("--generation", generation, "Scheduler: 2024-01, 2024-10, 2025-06 or 2026-08")
            ->check(CLI::IsMember({"2024-01", "2024-10", "2025-06", "2026-08"}))
            ->type_name("YEAR-MONTH");
    }
    command.add_flag("--prefill", prefill, "Schedule the prompt graph instead of the one-token graph");
    switches.add_to(command);
}

void SessionOptions::refuse_ignored_options(const OpenedFile& opened) const {
    const Name path = opened.path.string();
    if (graph_number > 1 && opened.graphs.empty())
        throw Error(ErrorKind::usage, msg::kNoOtherGraph(path), "--graph-number", msg::kLeaveItOut);
    if (opened.model) return;
    const Message why = msg::kNoEffectOnGraph(path);
    switches.refuse_for_graphs(why, msg::kLeaveItOut);
    if (prefill) throw Error(ErrorKind::usage, why, "--prefill", msg::kLeaveItOut);
}

bool SessionOptions::use_machine(Session& session, const JobContext& job) const {
    kinds_->accept(kind_options);
    std::optional<KnownMachine> known;
    if (!machine.empty()) {
        known = read_known_machine_file(machine, job);
    } else if (!backends.empty()) {
        known = known_devices(backends, kinds_, kind_options, job);
    } else if (kinds_->unused_option(kind_options, &session.machine) != nullptr ||
               names_this_computer(devices)) {
        known = this_computer(kinds_, kind_options, job).known;
    }
    const bool this_one = machine.empty() && backends.empty() && names_this_computer(devices);
    const bool described = known.has_value() || selects_devices(*kinds_, kind_options);
    if (!known) {
        const std::vector<std::string> presets =
            described ? std::vector<std::string>() : named_presets(devices);
        if (!presets.empty()) use_presets(session, presets);
        return described;
    }
    if (machine.empty()) {
        replace_machine(session, std::move(*known));
    } else {
        session.machine = std::move(known->machine);
        session.devices = std::move(known->devices);
    }
    refuse_unused_option(*kinds_, kind_options, session.machine);
    if (!machine.empty() && session.file->graph) {
        try {
            validate(session.machine, *session.file->graph);
        } catch (const Error& error) {
            const std::string& named = graph.empty() ? file : graph;
            throw error.within(Message(msg::kMachineForGraph(machine, named)));
        }
    }
    return !this_one;
}

Session SessionOptions::make_session(const JobContext& job) const {
    if (!file.empty() && !graph.empty()) {
        throw Error(ErrorKind::usage, msg::kFileAndGraph, graph, msg::kGiveOneOfThem);
    }
    if (file.empty() && graph.empty()) {
        throw Error(ErrorKind::usage, msg::kNoFileGiven, {}, msg::kGiveModelOrGraph);
    }
    Session session;
    if (!graph.empty()) {
        session = default_session(open_graph(graph, job));
    } else {
        session = open_session(file, job, graph_number == 0 ? std::nullopt : std::optional(graph_number - 1));
    }
    session.kinds = kinds_;
    refuse_ignored_options(*session.file);
    const bool described = use_machine(session, job);
    if (!generation.empty()) session.generation = *generation_named(generation);
    // A saved session keeps its options unless a program is named; other files are placed as in 'plan' and
    // the window.
    std::optional<Program> program = switches.like();
    const bool saved = graph.empty() && session.file->path != std::filesystem::path(file);
    if (!program && !saved) program = Program::llama_server;
    if (program) use_defaults(session, *program);
    ModelOptions& options = session.model_options;
    switches.apply_to(options, session.machine, session.generation, program);
    // 0 means the model's own length, without the sessions' limit.
    if (program && options.context == 0 && session.file->model)
        options.context = std::max(trained_context(session.file->model->file()), 1U);
    if (!devices.empty()) options.accelerators = chosen_accelerators(devices, described);
    if (prefill) options.kind = GraphKind::prefill;
    return session;
}

bool SessionOptions::names_devices() const {
    return !machine.empty() || !devices.empty() || !backends.empty() ||
           selects_devices(*kinds_, kind_options);
}

void SessionOptions::require_no_input(const std::filesystem::path& target, const Session& session) const {
    require_other_file(target, *session.file);
    for (const std::string& input : {file, graph, machine}) require_other_file(target, input);
}

}  // namespace splitscope::cli
