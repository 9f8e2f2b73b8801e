// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/placement_switches.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <tuple>

#include <CLI/CLI.hpp>

#include "app/cli/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

constexpr std::int32_t kMostLayers = 1'000'000;
/// The engine has no more.
constexpr std::int32_t kMostSequences = 256;

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
            throw Error(ErrorKind::usage, msg::kNotAShare(part), "--tensor-split", msg::kGiveShares);
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

template <typename Number>
std::optional<Number> number_of(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// As ModelOptions::gpu_layers. llama.cpp has -1 for "auto" and -2 for "all".
std::int32_t layers_of(const std::string& text) {
    if (text == "all" || text == "auto") return kAllLayers;
    if (text == "half") return -1;
    const auto layers = number_of<std::int32_t>(text);
    if (!layers || *layers > kMostLayers) {
        throw Error(ErrorKind::usage, msg::kNotLayers(text), "--gpu-layers", msg::kGiveLayers);
    }
    return *layers < 0 ? kAllLayers : *layers;
}

bool is_off(const std::string& choice) {
    return choice == "off" || choice == "false" || choice == "0";
}

}  // namespace

ElementType element_type_of(const std::string& name, const char* option) {
    const auto type = element_type_named(name);
    if (!type) {
        throw Error(ErrorKind::usage, msg::kNoElementType(name), option, msg::kUseCacheType);
    }
    return *type;
}

std::vector<std::string> chosen_accelerators(const std::vector<std::string>& devices, bool of_machine) {
    if (of_machine) return devices;
    if (std::ranges::find(devices, "none") != devices.end()) return {"none"};
    return {};
}

std::vector<std::string> named_presets(const std::vector<std::string>& devices) {
    std::vector<std::string> presets;
    std::ranges::copy_if(devices, std::back_inserter(presets),
                         [](const std::string& name) { return name != "none"; });
    return presets;
}

bool PlacementSwitches::given(const char* option) const {
    const CLI::Option* found = command_->get_option_no_throw(option);
    return found != nullptr && found->count() > 0;
}

void PlacementSwitches::refuse(const char* option, const Message& why, const Message& remedy) const {
    if (given(option)) throw Error(ErrorKind::usage, why, option, remedy);
}

void PlacementSwitches::add_to(CLI::App& command) {
    command_ = &command;
    command
        .add_option("--like", like_,
                    "Start with the defaults of llama-server, llama-cli or llama-bench of the generation; "
                    "without it, where devices are planned for, those of llama-server")
        ->check(CLI::IsMember({"llama-server", "llama-cli", "llama-bench"}))
        ->type_name("PROGRAM");
    command
        .add_option(
            "--gpu-layers,--n-gpu-layers,--ngl", gpu_layers_,
            "Layers on the devices, the output layer counts as one: a number, 'all', 'auto' or 'half'")
        ->type_name("N");
    command
        .add_option("-c,--context,--ctx-size", context_,
                    "Cells of the cache; 0 = as the model was trained, at most 4096 where no devices are "
                    "planned for")
        ->check(CLI::Range(0, 1 << 28))
        ->type_name("N");
    command
        .add_option("-b,--batch,--batch-size", batch_,
                    "Tokens given at once; where no devices are planned for, also computed at once")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command.add_option("--ubatch,--ubatch-size", micro_batch_, "Tokens computed at once: the micro-batch")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command
        .add_option("--flash-attention,--flash-attn", flash_attention_,
                    "Attention as one operation: on, off or auto = where the devices run it")
        ->check(CLI::IsMember({"on", "off", "auto", "true", "false", "1", "0"}))
        ->type_name("MODE");
    command.add_option("--cache-type", cache_type_, "Element type of keys and values: f32, f16, q8_0, …")
        ->type_name("TYPE");
    command.add_option("--cache-type-k", cache_type_k_, "Element type of keys")->type_name("TYPE");
    command.add_option("--cache-type-v", cache_type_v_, "Element type of values")->type_name("TYPE");
    command
        .add_option("--parallel", sequences_, "Sequences that memory is reserved for; -1 = the program's own")
        ->check(CLI::Range(-1, kMostSequences))
        ->type_name("N");
    CLI::Option* unified = command.add_flag("--kv-unified", unified_, "The sequences share one cache");
    command.add_flag("--no-kv-unified", own_caches_, "Each sequence has a cache of its own")
        ->excludes(unified);
    command.add_flag("--swa-full", full_window_cache_,
                     "Layers with a sliding window keep the whole context in their cache");
    command.add_option("--split-mode", split_mode_, "none, layer or row; default: layer")
        ->check(CLI::IsMember({"none", "layer", "row"}))
        ->type_name("MODE");
    command.add_option("--main-gpu", main_gpu_, "The device of --split-mode none")->type_name("N");
    command
        .add_option("--tensor-split", tensor_split_, "Shares of the devices, e.g. 3,1; default: free memory")
        ->type_name("LIST");
    command
        .add_option("--override-tensor", overrides_,
                    "PATTERN=BUFFER: tensors whose names match go there; several "
                    "separated by commas, the first match wins")
        ->allow_extra_args(false)
        ->type_name("RULES");
    command.add_flag("--cpu-moe", cpu_experts_, "Keep all experts on the CPU");
    command
        .add_option("--n-cpu-moe", cpu_expert_blocks_, "Keep the experts of the first N blocks on the CPU")
        ->check(CLI::Range(0, 4096))
        ->type_name("N");
    command.add_flag("--no-kv-offload,!--kv-offload", no_kv_offload_, "Caches stay on the CPU");
    command.add_flag("--no-op-offload,!--op-offload", no_op_offload_,
                     "Devices do not take over operations on weights of the CPU");
    command.add_flag("--no-mmap,!--mmap", no_mmap_, "Weights of the CPU are read into memory of their own");
    command
        .add_option("--load-mode", load_mode_,
                    "mmap and mmap+mlock map weights of the CPU; none, mlock and dio read them, as --no-mmap")
        ->check(CLI::IsMember({"none", "mmap", "mlock", "mmap+mlock", "dio"}))
        ->type_name("MODE");
    command.add_flag("--no-repack,!--repack", no_repack_, "The CPU does not interleave weights");
    command.add_flag("--no-host", no_host_, "No pinned memory for weights of the CPU");
}

std::optional<Program> PlacementSwitches::like() const {
    return like_.empty() ? std::nullopt : program_named(like_);
}

void PlacementSwitches::put_batches(ModelOptions& options, std::optional<Program> program) const {
    if (given("--context")) options.context = context_;
    if (given("--batch")) options.logical_batch = batch_;
    if (given("--batch") && !program) options.batch = batch_;
    if (given("--ubatch")) options.batch = micro_batch_;
}

void PlacementSwitches::put_caches(ModelOptions& options, Generation generation,
                                   std::optional<Program> program) const {
    if (!cache_type_.empty()) {
        options.cache_type = element_type_of(cache_type_, "--cache-type");
        options.cache_type_v.reset();
    }
    if (!cache_type_v_.empty()) options.cache_type_v = element_type_of(cache_type_v_, "--cache-type-v");
    if (!cache_type_k_.empty()) {
        // Without a type of their own values keep the one they had.
        if (!options.cache_type_v) options.cache_type_v = options.cache_type;
        options.cache_type = element_type_of(cache_type_k_, "--cache-type-k");
    }
    if (full_window_cache_) options.full_window_cache = true;
    const bool sharing_given = unified_ || own_caches_;
    if (given("--parallel") || sharing_given) {
        PlacementFlags flags;
        set_parallel(flags, program.value_or(Program::llama_cli), generation,
                     given("--parallel") ? std::optional(sequences_) : std::nullopt,
                     sharing_given ? std::optional(unified_) : std::nullopt);
        options.sequences = flags.sequences;
        options.unified_cache = flags.unified_cache;
    }
}

void PlacementSwitches::put_into(ModelOptions& options, Machine& machine, Generation generation,
                                 std::optional<Program> program) const {
    if (!gpu_layers_.empty()) options.gpu_layers = layers_of(gpu_layers_);
    put_batches(options, program);
    if (!flash_attention_.empty()) {
        options.flash_attention = !is_off(flash_attention_);
        options.flash_attention_if_supported = flash_attention_ == "auto";
    }
    put_caches(options, generation, program);
    if (!split_mode_.empty()) options.split_mode = split_mode_of(split_mode_);
    if (given("--main-gpu")) options.main_gpu = main_gpu_;
    if (!tensor_split_.empty()) options.tensor_split = shares(tensor_split_);
    if (!overrides_.empty()) options.overrides = rules_of(overrides_);
    if (cpu_experts_) options.cpu_experts = true;
    if (given("--n-cpu-moe")) options.cpu_expert_blocks = cpu_expert_blocks_;
    if (given("--no-kv-offload")) options.kv_offload = !no_kv_offload_;
    if (given("--no-mmap")) options.memory_map = !no_mmap_;
    if (!load_mode_.empty()) options.memory_map = load_mode_.starts_with("mmap");
    if (given("--no-op-offload")) machine.op_offload = !no_op_offload_;
    if (given("--no-repack")) options.repack = !no_repack_;
    if (no_host_) options.pinned_host = false;
}

void PromptSwitches::add_to(CLI::App& command) {
    command
        .add_option("-p,--prompt,--n-prompt", prompt_,
                    "Accepted, without an effect on where things go; with --like llama-bench tokens of the "
                    "prompt")
        ->type_name("TEXT");
    command
        .add_option("-n,--predict,--n-predict,--n-gen", tokens_,
                    "Accepted, without an effect on where things go; with --like llama-bench tokens to "
                    "generate")
        ->type_name("N");
}

void PromptSwitches::put_into(ModelOptions& options, std::optional<Program> program) const {
    if (program != Program::llama_bench || (prompt_.empty() && tokens_.empty())) return;
    // Each test has a context of its own; the largest is planned.
    std::uint32_t context = 0;
    for (const auto& [text, usual, option] :
         {std::tuple(&prompt_, 512U, "--prompt"), std::tuple(&tokens_, 128U, "--predict")}) {
        const auto number = text->empty() ? std::optional(usual) : number_of<std::uint32_t>(*text);
        if (!number) {
            throw Error(ErrorKind::usage, msg::kNotTokens(*text), option, msg::kGiveTokens);
        }
        context = std::max(context, *number);
    }
    options.context = std::max(context, 1U);
}

}  // namespace splitscope::cli
