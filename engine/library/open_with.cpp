// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "backends/all_backends.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/library/messages.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/file.hpp"
#include "splitscope/open.hpp"

namespace splitscope {
namespace {

const std::string kNoDevice = "none";

/// Presets among the names; "none" is none of them.
std::vector<std::string> presets_in(const std::vector<std::string>& names) {
    std::vector<std::string> presets;
    std::ranges::copy_if(names, std::back_inserter(presets),
                         [](const std::string& name) { return name != kNoDevice; });
    return presets;
}

Machine read_machine_of(const std::filesystem::path& path, const OpenedFile& file, const JobContext& job) {
    Machine machine = parse_machine_json(read_text_file(path, kLongestText, job.stop_token()), path.string(),
                                         job.memory_bound());
    if (!file.graph) return machine;
    try {
        validate(machine, *file.graph);
    } catch (const Error& error) {
        throw error.within(path.string());
    }
    return machine;
}

}  // namespace

Session open_with(const std::filesystem::path& path, const OpenOptions& options, const JobContext& job) {
    if (!options.machine.empty() && !options.computer.empty()) {
        throw Error(ErrorKind::usage, msg::kMachineAndComputer, options.machine, msg::kLeaveOneOut);
    }
    Session session = open_session(
        path, job, options.graph_number == 0 ? std::nullopt : std::optional(options.graph_number - 1));
    session.kinds = options.kinds ? options.kinds : all_backends();
    const bool described = !options.machine.empty() || !options.computer.empty();
    const std::vector<std::string> presets =
        described ? std::vector<std::string>() : presets_in(options.devices);
    if (!presets.empty()) use_presets(session, presets);
    if (!options.computer.empty())
        session.machine = machine_of_devices(options.computer, *session.kinds, options.kind_options);
    if (!options.machine.empty()) session.machine = read_machine_of(options.machine, *session.file, job);
    if (options.generation) session.generation = *options.generation;
    if (!session.file->model) {
        if (options.like) throw Error(ErrorKind::usage, msg::kNothingToPlace, path, msg::kOpenModel);
        return session;
    }
    // A saved session keeps its options unless a program is named.
    const bool fresh = session.model_options == ModelOptions();
    const bool planned = options.like.has_value() || (!presets.empty() && fresh);
    if (planned) {
        const GgufFile& file = session.file->model->file();
        session.model_options = default_options(options.like.value_or(Program::llama_server),
                                                session.generation, file, session.machine);
        // 0 is the model's own length, without the bound of sessions.
        if (session.model_options.context == 0)
            session.model_options.context = std::max(trained_context(file), 1U);
    }
    ModelOptions& chosen = session.model_options;
    if (described && !options.devices.empty()) chosen.accelerators = options.devices;
    if (!described && std::ranges::find(options.devices, kNoDevice) != options.devices.end())
        chosen.accelerators = {kNoDevice};
    return session;
}

}  // namespace splitscope
