// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "app/cli/device_examples.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/machine_file.hpp"
#include "app/cli/messages.hpp"
#include "engine/formats/gguf.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
bool has_measurable_devices(const Machine& machine) {
    return std::ranges::any_of(machine.backends, [](const MachineBackend& b) { return !b.kind.empty(); });
}

void PlanOptions::add_to(CLI::App& command, const BackendKinds& kinds, bool file_required) {
    command_ = &command;
    kinds_ = kinds;
    command.add_option("-m,--model,model", file, "Model (.gguf); the header suffices")
        ->type_name("FILE")
        ->required(file_required);
    command
        .add_option("-d,--device", devices,
                    "Device presets, e.g. rtx-3090,rtx-3090:20,epyc-9654 (':20' = 20 GiB of its memory; "
                    "list: 'splitscope devices --presets'); with --machine, which of its devices to use; "
                    "'this' = the devices of this computer; 'none' = CPU only")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
    command.add_option("--machine", machine, "Machine file instead of presets")->type_name("FILE");
    command
        .add_option("--backends", backends,
                    "Devices of this computer instead of presets, by name: " + example_devices(*kinds))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->excludes("--machine")
        ->type_name("NAMES");
    add_kind_switches(command, *kinds, kind_options);
    command
        .add_option("--generation", generation, "Scheduler and placement rules: 2024-10, 2025-06 or 2026-08")
        ->check(CLI::IsMember({"2024-10", "2025-06", "2026-08"}))
        ->capture_default_str()
        ->type_name("YEAR-MONTH");
    switches.add_to(command);
    prompt.add_to(command);
}

PlacementFlags PlanOptions::make_flags(const GgufFile& model, const Hardware& hardware) const {
    Machine described = hardware.machine;
    ModelOptions options = default_options(program(), make_generation(), model, described);
    std::vector<std::string> chosen = devices;
    if (machine.empty() && backends.empty()) std::erase(chosen, kThisComputer);
    prompt.apply_to(options, program());
    switches.apply_to(options, described, make_generation(), program());
    if (options.context == 0) options.context = trained_context(model);
    options.accelerators = chosen_accelerators(chosen, describes_machine());
    return placement_flags(options, model, described, make_generation());
}

Hardware PlanOptions::make_hardware(const BackendKinds& kinds, const JobContext& job) const {
    kinds->accept(kind_options);
    const bool this_one = names_this_computer(devices);
    if (!describes_machine() && !this_one) return hardware_of_presets(named_presets(devices));
    const KnownMachine known = !backends.empty()  ? known_devices(backends, kinds, kind_options, job)
                               : !machine.empty() ? read_known_machine_file(machine, job)
                                                  : this_computer(kinds, kind_options, job).known;
    refuse_unused_option(*kinds, kind_options, known.machine);
    return hardware_of(known.machine, known.devices, kinds);
}

Generation PlanOptions::make_generation() const {
    return *generation_named(generation);
}

bool PlanOptions::generation_given() const {
    return command_->get_option("--generation")->count() > 0;
}

Message PlanOptions::assumption(const Hardware& hardware) const {
    if (describes_machine() || names_this_computer(devices)) return {};
    if (devices.empty()) return msg::kAssumedMachine(hardware.machine.name);
    const std::vector<DevicePreset> presets = device_presets();
    const bool has_cpu = std::ranges::any_of(named_presets(devices), [&](const std::string& name) {
        const auto preset = std::ranges::find(presets, name.substr(0, name.find(':')), &DevicePreset::name);
        return preset != presets.end() && preset->device == DeviceKind::cpu;
    });
    return has_cpu ? Message() : msg::kAssumedCpu(hardware.devices.back().title);
}

bool PlanOptions::describes_machine() const {
    return !machine.empty() || !backends.empty() || selects_devices(*kinds_, kind_options);
}

bool PlanOptions::is_model() const {
    return is_gguf(file);
}

OpenedModel open_model_file(const std::string& path, const JobContext& job) {
    if (path == "-") {
        throw Error(ErrorKind::usage, msg::kModelFromStandardInput, path, msg::kNameItsFile);
    }
    OpenedModel opened;
    opened.file = GgufFile::open(path, job);
    try {
        opened.model = make_model(opened.file, job);
    } catch (const Error& error) {
        // Without a graph builder, weights and caches can still be placed.
        if (error.kind() != ErrorKind::unsupported && error.kind() != ErrorKind::bad_file) throw;
    }
    return opened;
}

}  // namespace splitscope::cli
