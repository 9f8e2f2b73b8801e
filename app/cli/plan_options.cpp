// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_options.hpp"

#include <cmath>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

ElementType cache_type(const std::string& name, const char* option) {
    const auto type = element_type_named(name);
    if (!type) {
        throw Error(ErrorKind::usage, fmt::format("there is no element type '{}'", name), option,
                    "use a name such as f16, q8_0 or q4_0");
    }
    return *type;
}

std::vector<float> shares(std::string text) {
    std::vector<float> out;
    for (char& c : text)
        if (c == '/') c = ',';
    for (std::size_t start = 0; start <= text.size() && !text.empty();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        const std::string part = text.substr(start, end - start);
        char* rest = nullptr;
        const float value = std::strtof(part.c_str(), &rest);
        if (part.empty() || *rest != '\0' || !std::isfinite(value) || value < 0) {
            throw Error(ErrorKind::usage, fmt::format("'{}' is no share", part), "--tensor-split",
                        "give numbers separated by commas, e.g. 3,1");
        }
        out.push_back(value);
        start = end + 1;
    }
    return out;
}

}  // namespace

void PlanOptions::add_to(CLI::App& command, bool file_required) {
    command.add_option("model", file, "Model (.gguf); the header is enough")
        ->type_name("FILE")
        ->required(file_required);
    command
        .add_option("--device,-d", devices,
                    "Devices by preset, e.g. rtx-3090,rtx-3090:20,epyc-9654 (':20' = 20 GiB "
                    "of its memory); see 'splitscope devices --presets'")
        ->delimiter(',')
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
    command.add_option("--split-mode", split_mode, "none, layer or row")
        ->check(CLI::IsMember({"none", "layer", "row"}))
        ->capture_default_str()
        ->type_name("MODE");
    command.add_option("--main-gpu", flags.main_gpu, "The device of --split-mode none")->type_name("N");
    command
        .add_option("--tensor-split", tensor_split, "Shares of the devices, e.g. 3,1; default: free memory")
        ->type_name("LIST");
    command
        .add_option("--override-tensor", overrides,
                    "PATTERN=BUFFER: tensors whose names match go there; several "
                    "separated by commas, the first match wins")
        ->type_name("RULES");
    command.add_flag("--cpu-moe", cpu_moe, "Keep all experts on the CPU");
    command.add_option("--n-cpu-moe", cpu_moe_blocks, "Keep the experts of the first N blocks on the CPU")
        ->check(CLI::Range(0, 4096))
        ->type_name("N");
    command.add_flag("--no-kv-offload", no_kv_offload, "Caches stay on the CPU");
    command.add_option("--cache-type-k", cache_type_k, "Element type of keys")
        ->capture_default_str()
        ->type_name("TYPE");
    command.add_option("--cache-type-v", cache_type_v, "Element type of values")
        ->capture_default_str()
        ->type_name("TYPE");
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
    command.add_flag("--no-op-offload", no_op_offload,
                     "Devices do not take over operations on weights of the CPU");
    command.add_flag("--no-mmap", no_mmap, "Weights of the CPU are read into memory of their own");
}

PlacementFlags PlanOptions::make_flags() const {
    PlacementFlags made = flags;
    if (gpu_layers != "all" && gpu_layers != "auto") {
        char* rest = nullptr;
        const long layers = std::strtol(gpu_layers.c_str(), &rest, 10);
        if (gpu_layers.empty() || *rest != '\0' || layers < -2 || layers > 1'000'000) {
            throw Error(ErrorKind::usage, fmt::format("'{}' is no number of layers", gpu_layers),
                        "--gpu-layers", "give a number, or 'all'");
        }
        made.gpu_layers = static_cast<std::int32_t>(layers);
    }
    made.split_mode = split_mode == "none"  ? SplitMode::none
                      : split_mode == "row" ? SplitMode::row
                                            : SplitMode::layer;
    made.tensor_split = shares(tensor_split);
    for (const std::string& text : overrides)
        for (OverrideRule& rule : parse_overrides(text)) made.overrides.push_back(std::move(rule));
    if (cpu_moe) made.overrides.push_back(cpu_experts_rule());
    for (OverrideRule& rule : cpu_experts_rules(cpu_moe_blocks)) made.overrides.push_back(std::move(rule));
    made.kv_offload = !no_kv_offload;
    made.op_offload = !no_op_offload;
    made.memory_map = !no_mmap;
    made.cache_type_k = cache_type(cache_type_k, "--cache-type-k");
    made.cache_type_v = cache_type(cache_type_v, "--cache-type-v");
    made.flash_attention = flash_attention == "on"    ? FlashAttention::on
                           : flash_attention == "off" ? FlashAttention::off
                                                      : FlashAttention::automatic;
    if (make_generation() != Generation::g2026_08) made.layer_rule = LayerRule::blocks_first;
    return made;
}

Hardware PlanOptions::make_hardware() const {
    if (machine.empty()) return hardware_of_presets(devices);
    if (!devices.empty())
        throw Error(ErrorKind::usage, "both --device and --machine were given", machine, "give one of them");
    return hardware_of_machine(parse_machine_json(read_text_file(machine), machine));
}

Generation PlanOptions::make_generation() const {
    return *generation_named(generation);
}

OpenedModel open_model_file(const std::string& path, const JobContext& job) {
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
