// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "backends/all_backends.hpp"
#include "backends/interface/registry.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/library/messages.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/messages.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/session/known_machine.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "splitscope/open.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kNoDevice = "none";
/// The name for this computer.
constexpr std::string_view kThisComputer = "this";

/// Preset names; "none" means no presets.
std::vector<std::string> presets_in(const std::vector<std::string>& names) {
    std::vector<std::string> presets;
    std::ranges::copy_if(names, std::back_inserter(presets),
                         [](const std::string& name) { return name != kNoDevice; });
    return presets;
}

/// Sets the machine of a file, with its device facts.
void use_machine_file(Session& session, const std::filesystem::path& path, const JobContext& job) {
    KnownMachine known = parse_known_machine(read_text_file(path, kMaxTextBytes, job.stop_token()),
                                             path.string(), job.memory_bound());
    session.machine = std::move(known.machine);
    session.devices = std::move(known.devices);
    if (!session.file->graph) return;
    try {
        validate(session.machine, *session.file->graph);
    } catch (const Error& error) {
        throw error.within(path.string());
    }
}

}  // namespace

Session open_with(const std::filesystem::path& path, const OpenOptions& options, const JobContext& job) {
    if (!options.machine.empty() && !options.computer.empty()) {
        throw Error(ErrorKind::usage, msg::kMachineAndComputer, options.machine, msg::kLeaveOneOut);
    }
    Session session = open_session(
        path, job, options.graph_number == 0 ? std::nullopt : std::optional(options.graph_number - 1));
    session.kinds = options.kinds ? options.kinds : all_backends();
    session.kinds->accept(options.kind_options);
    const bool selected = session.kinds->unused_option(options.kind_options, nullptr) != nullptr;
    const bool described = !options.machine.empty() || !options.computer.empty() || selected;
    const std::vector<std::string> presets =
        described ? std::vector<std::string>() : presets_in(options.devices);
    const bool all_selected = options.machine.empty() && options.computer.empty() &&
                              session.kinds->unused_option(options.kind_options, &session.machine) != nullptr;
    if (all_selected || presets == std::vector<std::string>{std::string(kThisComputer)}) {
        replace_machine(session, this_computer(session.kinds, options.kind_options, job).known);
    } else if (!presets.empty()) {
        use_presets(session, presets);
    }
    if (!options.computer.empty()) {
        replace_machine(session, known_devices(options.computer, session.kinds, options.kind_options, job));
    }
    if (!options.machine.empty()) use_machine_file(session, options.machine, job);
    if (const auto* const unused = session.kinds->unused_option(options.kind_options, &session.machine))
        throw Error(ErrorKind::usage, msg::kNoDeviceOf(unused->second), unused->first, msg::kLeaveSettingOut);
    if (options.generation) session.generation = *options.generation;
    if (!session.file->model) {
        if (options.like) throw Error(ErrorKind::usage, msg::kNothingToPlace, path, msg::kOpenModel);
        return session;
    }
    // Saved sessions keep their options unless a program is named.
    std::optional<Program> program = options.like;
    if (!program && session.file->path == path) program = Program::llama_server;
    if (program) use_defaults(session, *program);
    // 0 means the model's own length, without the sessions' limit.
    if (program && session.model_options.context == 0)
        session.model_options.context = std::max(trained_context(session.file->model->file()), 1U);
    ModelOptions& chosen = session.model_options;
    if (described && !options.devices.empty()) chosen.accelerators = options.devices;
    if (!described && std::ranges::find(options.devices, kNoDevice) != options.devices.end())
        chosen.accelerators = {std::string(kNoDevice)};
    return session;
}

}  // namespace splitscope
