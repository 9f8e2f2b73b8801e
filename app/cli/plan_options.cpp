// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/machine_file.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {

void PlanOptions::add_to(CLI::App& command, bool file_required) {
    command_ = &command;
    command.add_option("model", file, "Model (.gguf); the header is enough")
        ->type_name("FILE")
        ->required(file_required);
    command
        .add_option("--device,-d", devices,
                    "Devices by preset, e.g. rtx-3090,rtx-3090:20,epyc-9654 (':20' = 20 GiB "
                    "of its memory); see 'splitscope devices --presets'")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME");
    command.add_option("--machine,-m", machine, "Machine file instead of presets")->type_name("FILE");
    command
        .add_option("--generation", generation, "Scheduler and placement rules: 2024-10, 2025-06 or 2026-08")
        ->check(CLI::IsMember({"2024-10", "2025-06", "2026-08"}))
        ->capture_default_str()
        ->type_name("YEAR-MONTH");
    command
        .add_option("--gpu-layers,--ngl", gpu_layers,
                    "Layers on the devices, the output layer counts as one; 'all'")
        ->capture_default_str()
        ->type_name("N");
    switches.add_to(command);
    command.add_option("--context", flags.context, "Cells of the cache; 0 = as the model was trained")
        ->check(CLI::Range(0, 1 << 28))
        ->type_name("N");
    command.add_option("--batch", flags.batch, "Tokens given at once")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str()
        ->type_name("N");
    command.add_option("--ubatch", flags.micro_batch, "Tokens computed at once")
        ->check(CLI::Range(1, 1 << 16))
        ->capture_default_str()
        ->type_name("N");
    command.add_option("--flash-attention", flash_attention, "on, off or auto")
        ->check(CLI::IsMember({"on", "off", "auto"}))
        ->capture_default_str()
        ->type_name("MODE");
}

PlacementFlags PlanOptions::make_flags() const {
    PlacementFlags made = flags;
    const std::int32_t layers = layers_of(gpu_layers);
    if (layers == -1) {
        throw Error(ErrorKind::usage, "half of the layers is no plan", "--gpu-layers",
                    "give a number, or 'all'");
    }
    made.gpu_layers = layers == kAllLayers ? -1 : layers;
    switches.put_into(made);
    made.flash_attention = flash_attention == "on"    ? FlashAttention::on
                           : flash_attention == "off" ? FlashAttention::off
                                                      : FlashAttention::automatic;
    made.layer_rule = layer_rule_of(make_generation());
    return made;
}

Hardware PlanOptions::make_hardware(const BackendKinds& kinds, const JobContext& job) const {
    if (machine.empty()) return hardware_of_presets(devices);
    if (!devices.empty())
        throw Error(ErrorKind::usage, "both --device and --machine were given", machine, "give one of them");
    return hardware_of(read_machine_file(machine, job), {}, kinds);
}

Generation PlanOptions::make_generation() const {
    return *generation_named(generation);
}

bool PlanOptions::generation_given() const {
    return command_->get_option("--generation")->count() > 0;
}

bool PlanOptions::is_model() const {
    if (file == "-") return false;
    constexpr std::string_view kMagic = "GGUF";
    const MappedFile mapped(file);
    const auto bytes = mapped.bytes();
    return std::string_view(reinterpret_cast<const char*>(bytes.data()),
                            std::min(bytes.size(), kMagic.size())) == kMagic;
}

OpenedModel open_model_file(const std::string& path, const JobContext& job) {
    if (path == "-") {
        throw Error(ErrorKind::usage, "a model cannot be read from standard input", path, "name its file");
    }
    OpenedModel opened;
    opened.file = GgufFile::open(path, job);
    try {
        opened.model = make_model(opened.file, job);
    } catch (const Error& error) {
        // Without a graph builder weights and caches can still be placed.
        if (error.kind() != ErrorKind::unsupported && error.kind() != ErrorKind::bad_file) throw;
    }
    return opened;
}

}  // namespace splitscope::cli
