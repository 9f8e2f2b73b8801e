// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/placement_switches.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

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

SplitMode split_mode_of(const std::string& name) {
    return name == "none" ? SplitMode::none : name == "row" ? SplitMode::row : SplitMode::layer;
}

std::vector<OverrideRule> rules_of(const std::vector<std::string>& texts) {
    std::vector<OverrideRule> rules;
    for (const std::string& text : texts)
        for (OverrideRule& rule : parse_overrides(text)) rules.push_back(std::move(rule));
    return rules;
}

}  // namespace

std::int32_t layers_of(const std::string& text) {
    if (text == "all" || text == "auto") return kAllLayers;
    if (text == "half") return -1;
    std::int32_t layers = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layers);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || layers < -2 ||
        layers > 1'000'000) {
        throw Error(ErrorKind::usage, fmt::format("'{}' is no number of layers", text), "--gpu-layers",
                    "give a number, 'half' or 'all'");
    }
    return layers;
}

ElementType element_type_of(const std::string& name, const char* option) {
    const auto type = element_type_named(name);
    if (!type) {
        throw Error(ErrorKind::usage, fmt::format("there is no element type '{}'", name), option,
                    "use a name such as f32, f16, q8_0 or q4_0");
    }
    return *type;
}

bool PlacementSwitches::given(const char* option) const {
    const CLI::Option* found = command_->get_option_no_throw(option);
    return found != nullptr && found->count() > 0;
}

void PlacementSwitches::add_to(CLI::App& command) {
    command_ = &command;
    command.add_option("--split-mode", split_mode, "none, layer or row; default: layer")
        ->check(CLI::IsMember({"none", "layer", "row"}))
        ->type_name("MODE");
    command.add_option("--main-gpu", main_gpu, "The device of --split-mode none")->type_name("N");
    command
        .add_option("--tensor-split", tensor_split, "Shares of the devices, e.g. 3,1; default: free memory")
        ->type_name("LIST");
    command
        .add_option("--override-tensor", overrides,
                    "PATTERN=BUFFER: tensors whose names match go there; several "
                    "separated by commas, the first match wins")
        ->allow_extra_args(false)
        ->type_name("RULES");
    command.add_flag("--cpu-moe", cpu_experts, "Keep all experts on the CPU");
    command.add_option("--n-cpu-moe", cpu_expert_blocks, "Keep the experts of the first N blocks on the CPU")
        ->check(CLI::Range(0, 4096))
        ->type_name("N");
    command.add_flag("--no-kv-offload", no_kv_offload, "Caches stay on the CPU");
    command.add_option("--cache-type-k", cache_type_k, "Element type of keys")->type_name("TYPE");
    command.add_option("--cache-type-v", cache_type_v, "Element type of values")->type_name("TYPE");
    command.add_flag("--no-op-offload", no_op_offload,
                     "Devices do not take over operations on weights of the CPU");
    command.add_flag("--no-mmap", no_mmap, "Weights of the CPU are read into memory of their own");
}

void PlacementSwitches::put_into(ModelOptions& options, Machine& machine) const {
    if (!split_mode.empty()) options.split_mode = split_mode_of(split_mode);
    if (given("--main-gpu")) options.main_gpu = main_gpu;
    if (!tensor_split.empty()) options.tensor_split = shares(tensor_split);
    if (!overrides.empty()) options.overrides = rules_of(overrides);
    if (cpu_experts) options.cpu_experts = true;
    if (given("--n-cpu-moe")) options.cpu_expert_blocks = cpu_expert_blocks;
    if (no_kv_offload) options.kv_offload = false;
    if (no_mmap) options.memory_map = false;
    if (no_op_offload) machine.op_offload = false;
    if (!cache_type_v.empty()) options.cache_type_v = element_type_of(cache_type_v, "--cache-type-v");
    if (!cache_type_k.empty()) {
        // Without a type of their own values keep the one they had.
        if (!options.cache_type_v) options.cache_type_v = options.cache_type;
        options.cache_type = element_type_of(cache_type_k, "--cache-type-k");
    }
}

void PlacementSwitches::put_into(PlacementFlags& flags) const {
    ModelOptions options;
    Machine machine;
    put_into(options, machine);
    flags.split_mode = options.split_mode;
    flags.main_gpu = options.main_gpu;
    flags.tensor_split = options.tensor_split;
    flags.overrides = options.overrides;
    add_cpu_experts(flags.overrides, options.cpu_experts, options.cpu_expert_blocks);
    flags.kv_offload = options.kv_offload;
    flags.memory_map = options.memory_map;
    flags.op_offload = machine.op_offload;
    if (options.cache_type) flags.cache_type_k = *options.cache_type;
    if (options.cache_type_v) flags.cache_type_v = *options.cache_type_v;
}

}  // namespace splitscope::cli
