// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_options.hpp"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/device_examples.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/machine_file.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

std::shared_ptr<const OpenedFile> open_graph(const std::string& path, const JobContext& job) {
    auto opened = std::make_shared<OpenedFile>();
    opened->path = path;
    opened->graph = std::make_shared<const Graph>(
        parse_graph_json(read_text_file(path, kLongestText, job.stop_token()), path, job));
    return opened;
}

}  // namespace

void SessionOptions::add_to(CLI::App& command, BackendKinds kinds, bool with_generation) {
    command_ = &command;
    kinds_ = std::move(kinds);
    command.add_option("model", file, "Model, graph, log, recording or session (.splitscope.json)")
        ->type_name("FILE");
    command.add_option("--graph,-g", graph, "Graph file; '-' reads standard input")->type_name("FILE");
    command
        .add_option("--graph-number", graph_number,
                    "Which graph of a log or recording, from 1; 0 = the last decode")
        ->check(CLI::Range(0, 1'000'000))
        ->type_name("N");
    command.add_option("--machine,-m", machine, "Machine file; without one, a simulated GPU and the CPU")
        ->type_name("FILE");
    command
        .add_option("--device,-d", devices,
                    "Devices by preset instead of a machine file, e.g. rtx-3090,epyc-9654; placed with the "
                    "defaults of 'plan'. See 'splitscope devices --presets'")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes("--machine")
        ->type_name("NAMES");
    command
        .add_option(
            "--backends", backends,
            "Devices of this computer instead of a machine file, by name: " + example_devices(*kinds_))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes("--machine")
        ->excludes("--device")
        ->type_name("NAMES");
    add_kind_switches(command, *kinds_, kind_options);
    if (with_generation) {
        command.add_option("--generation", generation, "Scheduler: 2024-01, 2024-10, 2025-06 or 2026-08")
            ->check(CLI::IsMember({"2024-01", "2024-10", "2025-06", "2026-08"}))
            ->type_name("YEAR-MONTH");
    }
    command
        .add_option("--gpu-layers,--ngl", gpu_layers,
                    "Layers on the accelerators, the output layer counts as one; 'half' or 'all'. Default: "
                    "half, with --device all")
        ->type_name("N");
    command
        .add_option("--context", context,
                    "Cells of the key-value cache; 0 = the model's own, at most 4096. With --device: as the "
                    "model was trained")
        ->check(CLI::Range(0, 1 << 28))
        ->type_name("N");
    command
        .add_option("--batch", batch,
                    "Tokens given at once; without --device also computed at once unless --ubatch says else")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command
        .add_option("--ubatch", micro_batch,
                    "Tokens computed at once, those of a prefill graph. Default: 32, with --device 512")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command.add_flag("--prefill", prefill, "The graph that reads the prompt, instead of one decoding step");
    command
        .add_flag("--flash-attention", flash_attention,
                  "Build attention as one operation; also =on, =off, =auto (with --device the default)")
        ->check(CLI::IsMember({"true", "false", "on", "off", "auto"}));
    command.add_option("--cache-type", cache_type, "Element type of the key-value cache: f32, f16, q8_0, …")
        ->type_name("TYPE");
    switches.add_to(command);
}

Session SessionOptions::make_session(const JobContext& job) const {
    if (!file.empty() && !graph.empty()) {
        throw Error(ErrorKind::usage, "both a file and --graph were given", graph, "give one of them");
    }
    if (file.empty() && graph.empty()) {
        throw Error(ErrorKind::usage, "no file was given", {}, "give a model, or a graph with --graph");
    }
    Session session;
    if (!graph.empty()) {
        session = default_session(open_graph(graph, job));
    } else {
        session = open_session(file, job, graph_number == 0 ? std::nullopt : std::optional(graph_number - 1));
    }
    session.kinds = kinds_;
    if (!backends.empty()) session.machine = machine_of_devices(backends, *kinds_, kind_options);
    if (!devices.empty()) {
        use_presets(session, devices);
        // A saved session keeps its options; everything else is placed as 'plan' does.
        if (session.file->model && session.model_options == ModelOptions())
            session.model_options = reference_options(*session.file->model);
    }
    if (!machine.empty()) {
        session.machine = read_machine_file(machine, job);
        if (session.file->graph) {
            try {
                validate(session.machine, *session.file->graph);
            } catch (const Error& error) {
                throw error.within(machine);
            }
        }
    }
    apply(session);
    return session;
}

void SessionOptions::require_no_input(const std::filesystem::path& target, const Session& session) const {
    require_other_file(target, *session.file);
    for (const std::string& input : {file, graph, machine}) require_other_file(target, input);
}

void SessionOptions::apply(Session& session) const {
    const auto given = [&](const char* option) { return command_->get_option_no_throw(option)->count() > 0; };
    if (!generation.empty()) session.generation = *generation_named(generation);
    ModelOptions& options = session.model_options;
    if (given("--gpu-layers")) options.gpu_layers = layers_of(gpu_layers);
    // 0 stands for what the defaults have.
    if (given("--context") && (context > 0 || devices.empty())) options.context = context;
    if (given("--batch")) options.logical_batch = batch;
    if (given("--batch") && devices.empty()) options.batch = batch;
    if (given("--ubatch")) options.batch = micro_batch;
    if (!flash_attention.empty()) {
        options.flash_attention = flash_attention != "off" && flash_attention != "false";
        options.flash_attention_if_supported = flash_attention == "auto";
    }
    if (!cache_type.empty()) {
        options.cache_type = element_type_of(cache_type, "--cache-type");
        options.cache_type_v.reset();
    }
    switches.put_into(options, session.machine);
    if (prefill) session.model_options.kind = GraphKind::prefill;
}

}  // namespace splitscope::cli
