// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/session/session.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitscope::cli {

/// llama.cpp's switches for the placement of a model and the sizes of caches and batches, shared by all
/// commands that place a model. engine/planning/spellings.hpp handles "-ngl" and the like.
class PlacementSwitches {
 public:
    void add_to(CLI::App& command);

    /// The value of --like, if given.
    std::optional<Program> like() const;
    /// Applies the given switches. `program`: the program whose defaults are in `options`; none = a session's
    /// own options. Throws Error(usage) for invalid values.
    void apply_to(ModelOptions& options, Machine& machine, Generation generation,
                  std::optional<Program> program) const;
    GivenSwitches given_switches() const;
    bool given(const char* option) const;
    /// Throws Error(usage) with this remedy if the switch was given.
    void refuse(const char* option, const Message& why, const Message& remedy) const;
    /// Throws Error(usage) with that remedy if a switch was given that applies to models only.
    void refuse_for_graphs(const Message& why, const Message& remedy) const;

 private:
    /// Of caches and batches.
    void add_sizes(CLI::App& command);
    /// The division between the devices and the CPU.
    void add_devices(CLI::App& command);
    /// The memory that weights and caches are in.
    void add_memory(CLI::App& command);
    void add_fit(CLI::App& command);
    std::vector<GivenOverride> given_overrides() const;
    /// Of its last use on the command line, from 1; 0 if it was not given.
    std::ptrdiff_t position(const char* option) const;

    const CLI::App* command_ = nullptr;
    std::vector<const CLI::Option*> model_options_;
    std::string like_;
    std::string gpu_layers_;
    std::uint32_t context_ = 0;
    std::uint32_t batch_ = 0;
    std::uint32_t micro_batch_ = 0;
    std::string flash_attention_;
    std::string split_mode_;
    std::int32_t main_gpu_ = 0;
    std::string tensor_split_;
    std::vector<std::string> overrides_;
    bool cpu_experts_ = false;
    std::vector<std::uint32_t> cpu_expert_blocks_;
    bool no_kv_offload_ = false;
    bool no_op_offload_ = false;
    bool no_mmap_ = false;
    std::string load_mode_;
    bool no_repack_ = false;
    bool no_host_ = false;
    std::int32_t sequences_ = -1;
    bool unified_ = false;
    bool full_window_cache_ = false;
    bool embeddings_ = false;
    std::string pooling_;
    bool reranks_ = false;
    std::string cache_type_;
    std::string cache_type_k_;
    std::string cache_type_v_;
    std::string fit_;
    std::uint64_t fit_margin_ = 0;
    std::uint32_t fit_context_ = 0;
};

/// -p and -n, for commands that do not compute: they only determine the context with llama-bench.
class PromptSwitches {
 public:
    void add_to(CLI::App& command);
    /// Throws Error(usage) for an invalid number of tokens.
    void apply_to(ModelOptions& options, std::optional<Program> program) const;

 private:
    std::string prompt_;
    std::string tokens_;
};

/// The name for the devices of this computer in --device.
inline constexpr const char* kThisComputer = "this";
/// Whether they are named. Throws Error(usage) if others are, too.
bool names_this_computer(const std::vector<std::string>& devices);
/// The meaning of --device with an explicit machine: names of its backends, or "none".
std::vector<std::string> chosen_accelerators(const std::vector<std::string>& devices, bool of_machine);
/// The meaning of --device without one: presets, or "none".
std::vector<std::string> named_presets(const std::vector<std::string>& devices);

}  // namespace splitscope::cli
