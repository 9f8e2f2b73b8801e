// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/companion_options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "app/cli/ignored_options.hpp"
#include "app/cli/plan_options.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {

void CompanionOptions::add_to(CLI::App& command) {
    command_ = &command;
    const std::size_t others = command.get_options().size();
    command.option_defaults()->take_last();
    command.add_option("--mmproj", projector_, "Multimodal projector to load with the model")
        ->type_name("FILE");
    command.add_flag("--no-mmproj-offload,!--mmproj-offload", keep_projector_,
                     "Keep the projector on the CPU");
    command.add_option("--model-draft,--spec-draft-model", draft_, "Draft model for speculative decoding")
        ->type_name("FILE");
    command
        .add_option("--gpu-layers-draft,--n-gpu-layers-draft,--spec-draft-ngl", draft_layers_,
                    "Layers of the draft model on devices; default: all")
        ->type_name("N");
    command
        .add_option("--cache-type-k-draft,--spec-draft-type-k", draft_cache_k_,
                    "Element type of the draft model's cached keys; default: f16")
        ->type_name("TYPE");
    command
        .add_option("--cache-type-v-draft,--spec-draft-type-v", draft_cache_v_,
                    "Element type of the draft model's cached values; default: f16")
        ->type_name("TYPE");
    command
        .add_option(
            "--device-draft,--spec-draft-device", draft_devices_,
            "Devices of the draft model, by the names that 'plan' prints; 'none' = CPU only; default: "
            "all")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("NAMES");
    command
        .add_option("--override-tensor-draft,--spec-draft-override-tensor", draft_overrides_,
                    "As --override-tensor, for the draft model")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("RULES");
    command.add_flag("--cpu-moe-draft,--spec-draft-cpu-moe", draft_cpu_experts_,
                     "Keep all experts of the draft model on the CPU");
    command
        .add_option("--n-cpu-moe-draft,--spec-draft-n-cpu-moe,--spec-draft-ncmoe", draft_cpu_expert_blocks_,
                    "Keep the experts of the draft model's first N blocks on the CPU")
        ->check(CLI::Range(0, static_cast<int>(kMaxLayers)))
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("N");
    command.add_option("--lora", adapters_, "LoRA adapters, separated by commas; also --lora-scaled")
        ->delimiter(',')
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FILES");
    command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    const std::vector<CLI::Option*> options = command.get_options();
    added_.assign(options.begin() + static_cast<std::ptrdiff_t>(others), options.end());
}

void CompanionOptions::hide() {
    for (CLI::Option* option : added_) option->group("");
}

std::vector<Companion> CompanionOptions::open(const PlacementFlags& flags, Generation generation,
                                              const JobContext& job) const {
    std::vector<Companion> companions;
    if (!projector_.empty())
        companions.push_back({.kind = CompanionKind::projector,
                              .file = GgufFile::open(projector_, job),
                              .offload = !keep_projector_});
    if (!draft_.empty()) {
        OpenedModel opened = open_model_file(draft_, job);
        PlacementFlags own = draft_flags(flags);
        if (!draft_layers_.empty())
            own.gpu_layers = gpu_layers_of(draft_layers_, "--gpu-layers-draft", generation);
        if (!draft_cache_k_.empty())
            own.cache_type_k = element_type_of(draft_cache_k_, "--cache-type-k-draft");
        if (!draft_cache_v_.empty())
            own.cache_type_v = element_type_of(draft_cache_v_, "--cache-type-v-draft");
        if (!draft_devices_.empty()) own.devices = draft_devices_;
        for (const std::string& text : draft_overrides_)
            for (OverrideRule& rule : parse_overrides(text)) own.overrides.push_back(std::move(rule));
        // Of several, each adds its blocks.
        std::uint32_t blocks = 0;
        for (const std::uint32_t count : draft_cpu_expert_blocks_) blocks = std::max(blocks, count);
        add_cpu_experts(own.overrides, draft_cpu_experts_, blocks);
        companions.push_back({.kind = CompanionKind::draft,
                              .file = std::move(opened.file),
                              .model = std::move(opened.model),
                              .flags = std::move(own)});
    }
    for (const std::string& adapter : adapters_)
        companions.push_back({.kind = CompanionKind::adapter, .file = GgufFile::open(adapter, job)});
    return companions;
}

std::vector<std::string> CompanionOptions::given_files() const {
    std::vector<std::string> given;
    for (const char* option : {"--mmproj", "--model-draft", "--lora"})
        if (command_->get_option(option)->count() > 0) given.emplace_back(option);
    return given;
}

void CompanionOptions::refuse(const Message& why, const Message& remedy) const {
    refuse_ignored(*command_, {"--mmproj", "--model-draft", "--lora"}, why, remedy);
}

void CompanionOptions::refuse_adapters(const Message& why, const Message& remedy) const {
    refuse_ignored(*command_, {"--lora"}, why, remedy);
}

}  // namespace splitscope::cli
