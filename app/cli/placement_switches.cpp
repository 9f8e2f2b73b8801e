// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/placement_switches.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <tuple>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/ignored_options.hpp"
#include "app/cli/messages.hpp"
#include "engine/planning/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {
namespace {

std::optional<std::string> if_written(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::uint32_t> tokens_in(const std::string& text) {
    std::uint32_t number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

bool names_this_computer(const std::vector<std::string>& devices) {
    if (std::ranges::find(devices, kThisComputer) == devices.end()) return false;
    if (devices.size() > 1)
        throw Error(ErrorKind::usage, msg::kThisAndOthers, "--device", msg::kLeaveOthersOut);
    return true;
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

std::ptrdiff_t PlacementSwitches::position(const char* option) const {
    const auto& parsed = command_->parse_order();
    const auto last = std::find(parsed.rbegin(), parsed.rend(), command_->get_option(option));
    return parsed.rend() - last;
}

void PlacementSwitches::refuse(const char* option, const Message& why, const Message& remedy) const {
    refuse_ignored(*command_, {option}, why, remedy);
}

void PlacementSwitches::refuse_for_graphs(const Message& why, const Message& remedy) const {
    for (const CLI::Option* option : model_options_)
        if (option->count() > 0) throw Error(ErrorKind::usage, why, option->get_name(), remedy);
}

void PlacementSwitches::add_to(CLI::App& command) {
    command_ = &command;
    const std::size_t others = command.get_options().size();
    // As in llama.cpp, the last of several applies.
    command.option_defaults()->take_last();
    command
        .add_option("--like", like_,
                    "Start from the defaults of llama-server, llama-cli or llama-bench of the generation; "
                    "default: llama-server, or the values of a saved session")
        ->check(CLI::IsMember({"llama-server", "llama-cli", "llama-bench"}))
        ->type_name("PROGRAM");
    command
        .add_option(names_of("--gpu-layers"), gpu_layers_,
                    "Layers on the devices, counting the output layer: a number, 'all', 'auto' or 'half'")
        ->type_name("N");
    add_sizes(command);
    add_devices(command);
    add_memory(command);
    add_fit(command);
    command.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    // Op offload is a property of the machine, so it also applies to graphs.
    const std::vector<CLI::Option*> options = command.get_options();
    for (const CLI::Option* option : std::span(options).subspan(others))
        if (!option->check_lname("no-op-offload")) model_options_.push_back(option);
}

void PlacementSwitches::add_sizes(CLI::App& command) {
    command
        .add_option(names_of("--context"), context_,
                    "Cells of the KV cache; 0 = the training context; in saved sessions at most 4096")
        ->check(CLI::Range(0, 1 << 28))
        ->type_name("N");
    command
        .add_option(names_of("--batch"), batch_, "Tokens per batch; in saved sessions also the micro-batch")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command.add_option(names_of("--ubatch"), micro_batch_, "Tokens computed at once (micro-batch)")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    command
        .add_option(names_of("--flash-attention"), flash_attention_,
                    "Flash attention: on, off, or auto (where the devices support it)")
        ->check(CLI::IsMember({"on", "off", "auto", "true", "false", "1", "0"}))
        ->type_name("MODE");
    command
        .add_option("--cache-type", cache_type_, "Element type of cached keys and values: f32, f16, q8_0, …")
        ->type_name("TYPE");
    command.add_option("--cache-type-k", cache_type_k_, "Element type of cached keys")->type_name("TYPE");
    command.add_option("--cache-type-v", cache_type_v_, "Element type of cached values")->type_name("TYPE");
    command
        .add_option("--parallel", sequences_,
                    "Parallel sequences to reserve memory for; -1 = the program's default")
        ->check(CLI::Range(-1, kMaxSequences))
        ->type_name("N");
    command.add_flag("--kv-unified,!--no-kv-unified", unified_,
                     "Share one cache between the sequences, or give each its own");
    command.add_flag(names_of("--embeddings"), embeddings_,
                     "Compute embeddings, pooled as the file says, besides the logits");
    command
        .add_option("--pooling", pooling_,
                    "Pooling of embeddings: none, mean, cls, last or rank; default: as the file says")
        ->check(CLI::IsMember({"none", "mean", "cls", "last", "rank"}))
        ->type_name("KIND");
    command.add_flag(names_of("--reranking"), reranks_, "Short for --embeddings --pooling rank");
    command.add_flag("--swa-full", full_window_cache_, "Give sliding-window layers a full-size KV cache");
}

void PlacementSwitches::add_devices(CLI::App& command) {
    command
        .add_option("--split-mode", split_mode_,
                    "How to divide the model between devices: none, layer or row; default: layer")
        ->check(CLI::IsMember({"none", "layer", "row"}))
        ->type_name("MODE");
    command.add_option("--main-gpu", main_gpu_, "Device for --split-mode none")->type_name("N");
    command
        .add_option("--tensor-split", tensor_split_, "Shares of the devices, e.g. 3,1; default: free memory")
        ->type_name("LIST");
    command
        .add_option("--override-tensor", overrides_,
                    "PATTERN=BUFFER: place tensors with matching names in the buffer; separate several by "
                    "commas, the first match wins")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("RULES");
    command.add_flag("--cpu-moe", cpu_experts_, "Keep all experts on the CPU");
    command
        .add_option("--n-cpu-moe", cpu_expert_blocks_, "Keep the experts of the first N blocks on the CPU")
        ->check(CLI::Range(0, 4096))
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("N");
}

void PlacementSwitches::add_memory(CLI::App& command) {
    command.add_flag("--no-kv-offload,!--kv-offload", no_kv_offload_, "Keep the KV cache in host memory");
    command.add_flag("--no-op-offload,!--op-offload", no_op_offload_,
                     "Do not run operations on CPU weights on devices (op offload)");
    command.add_flag("--no-mmap,!--mmap", no_mmap_,
                     "Read CPU weights into allocated memory instead of mapping the file");
    command
        .add_option("--load-mode", load_mode_,
                    "mmap and mmap+mlock map CPU weights; none, mlock and dio read them, like --no-mmap")
        ->check(CLI::IsMember({"none", "mmap", "mlock", "mmap+mlock", "dio"}))
        ->type_name("MODE");
    command.add_flag("--no-repack,!--repack", no_repack_, "Do not repack CPU weights");
    command.add_flag("--no-host", no_host_, "Do not place CPU weights in pinned memory");
}

void PlacementSwitches::add_fit(CLI::App& command) {
    command
        .add_option("--fit", fit_,
                    "Whether llama.cpp may adjust switches that are not given until the model fits: on (its "
                    "default in 2026-08) or off; 'plan' reports when it would")
        ->check(CLI::IsMember({"on", "off"}))
        ->type_name("MODE");
    command
        .add_option("--fit-target", fit_margin_, "MiB to keep free on each device with --fit; default: 1024")
        ->check(CLI::Range(0, 1 << 24))
        ->type_name("N");
    command.add_option("--fit-ctx", fit_context_, "Accepted but ignored: the minimum context of --fit")
        ->check(CLI::Range(0, 1 << 28))
        ->type_name("N");
}

std::optional<Program> PlacementSwitches::like() const {
    return like_.empty() ? std::nullopt : program_named(like_);
}

std::vector<GivenOverride> PlacementSwitches::given_overrides() const {
    using Kind = GivenOverride::Kind;
    std::vector<GivenOverride> out;
    std::size_t rules = 0;
    std::size_t counts = 0;
    for (const CLI::Option* option : command_->parse_order()) {
        if (option->check_lname("override-tensor") && rules < overrides_.size())
            out.push_back({Kind::rules, overrides_[rules++]});
        else if (option->check_lname("cpu-moe") && cpu_experts_)
            out.push_back({Kind::all_experts, {}});
        else if (option->check_lname("n-cpu-moe") && counts < cpu_expert_blocks_.size())
            out.push_back({Kind::expert_blocks, {}, cpu_expert_blocks_[counts++]});
    }
    return out;
}

GivenSwitches PlacementSwitches::given_switches() const {
    const auto if_given = [&](const char* option, auto value) {
        return given(option) ? std::optional(value) : std::nullopt;
    };
    for (const CLI::Option* option : model_options_)
        if (std::ranges::find(option->results(), std::string()) != option->results().end())
            throw Error(ErrorKind::usage, msg::kValueMissing(option->get_name()), option->get_name(),
                        msg::kWriteValue);
    GivenSwitches out;
    out.gpu_layers = if_written(gpu_layers_);
    out.context = if_given("--context", context_);
    out.batch = if_given("--batch", batch_);
    out.micro_batch = if_given("--ubatch", micro_batch_);
    out.flash_attention = if_written(flash_attention_);
    out.split_mode = if_written(split_mode_);
    out.main_gpu = if_given("--main-gpu", main_gpu_);
    out.tensor_split = if_written(tensor_split_);
    out.overrides = given_overrides();
    out.kv_offload = if_given("--no-kv-offload", !no_kv_offload_);
    out.op_offload = if_given("--no-op-offload", !no_op_offload_);
    out.load_mode = if_written(load_mode_);
    if (given("--no-mmap") && position("--no-mmap") > position("--load-mode")) out.set_memory_map(!no_mmap_);
    out.repack = if_given("--no-repack", !no_repack_);
    out.no_host = no_host_;
    out.sequences = if_given("--parallel", sequences_);
    out.unified = if_given("--kv-unified", unified_);
    out.full_window_cache = full_window_cache_;
    out.embeddings = embeddings_;
    if (reranks_) out.set_reranking();
    if (given("--pooling") && position("--pooling") > position("--reranking"))
        out.pooling = pooling_named(pooling_);
    if (!fit_.empty()) out.fit = fit_ == "on";
    if (given("--fit-target")) out.fit_margin = fit_margin_ << 20;
    out.cache_type = if_written(cache_type_);
    out.cache_type_k = if_written(cache_type_k_);
    out.cache_type_v = if_written(cache_type_v_);
    return out;
}

void PlacementSwitches::apply_to(ModelOptions& options, Machine& machine, Generation generation,
                                 std::optional<Program> program) const {
    given_switches().apply_to(options, machine, generation, program);
}

void PromptSwitches::add_to(CLI::App& command) {
    command
        .add_option(
            "-p,--prompt,--n-prompt", prompt_,
            "Accepted but ignored for the placement; with --like llama-bench, the number of prompt tokens")
        ->type_name("TEXT");
    command
        .add_option("-n,--predict,--n-predict,--n-gen", tokens_,
                    "Accepted but ignored for the placement; with --like llama-bench, the number of tokens "
                    "to generate")
        ->type_name("N");
}

void PromptSwitches::apply_to(ModelOptions& options, std::optional<Program> program) const {
    if (program != Program::llama_bench || (prompt_.empty() && tokens_.empty())) return;
    // Each test has its own context; the largest is planned.
    std::uint32_t context = 0;
    for (const auto& [text, default_tokens, option] :
         {std::tuple(&prompt_, 512U, "--prompt"), std::tuple(&tokens_, 128U, "--predict")}) {
        const auto number = text->empty() ? std::optional(default_tokens) : tokens_in(*text);
        if (!number) {
            throw Error(ErrorKind::usage, msg::kNotTokens(*text), option, msg::kGiveTokens);
        }
        context = std::max(context, *number);
    }
    options.context = std::max(context, 1U);
}

}  // namespace splitscope::cli
