// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// One switch that places tensors by name, in the order of the command line, where the first match wins.
struct GivenOverride {
    enum class Kind : std::uint8_t {
        rules,          ///< --override-tensor
        all_experts,    ///< --cpu-moe
        expert_blocks,  ///< --n-cpu-moe
    };
    Kind kind = Kind::rules;
    std::string rules;
    std::uint32_t blocks = 0;
};

/// Placement switches as given; absent ones are empty.
struct GivenSwitches {
    std::optional<std::string> gpu_layers;  ///< a number, "all", "auto" or "half"
    std::optional<std::uint32_t> context;
    std::optional<std::uint32_t> batch;
    std::optional<std::uint32_t> micro_batch;
    std::optional<std::string> flash_attention;
    std::optional<std::string> split_mode;
    std::optional<std::int32_t> main_gpu;
    std::optional<std::string> tensor_split;
    std::vector<GivenOverride> overrides;
    std::optional<bool> kv_offload;
    std::optional<bool> op_offload;
    std::optional<bool> memory_map;
    std::optional<std::string> load_mode;
    std::optional<bool> repack;
    bool no_host = false;
    std::optional<std::int32_t> sequences;
    std::optional<bool> unified;
    bool full_window_cache = false;
    bool embeddings = false;
    std::optional<Pooling> pooling;
    std::optional<std::string> cache_type;
    std::optional<std::string> cache_type_k;
    std::optional<std::string> cache_type_v;
    /// Programs of 2026-08 adjust the placement until a margin of each device's memory is free. Their choice
    /// is not planned.
    std::optional<bool> fit;
    std::optional<std::uint64_t> fit_margin;  ///< bytes per device

    /// --mmap or --no-mmap; the last one of it and --load-mode applies.
    void set_memory_map(bool on) {
        memory_map = on;
        load_mode.reset();
    }
    void set_reranking() {
        embeddings = true;
        pooling = Pooling::rank;
    }
    /// Whether all options that fitting would change are given.
    bool leaves_nothing_to_fit() const {
        return gpu_layers || tensor_split || !overrides.empty() || split_mode == "row";
    }

    /// Applies the switches. `program`: the program whose defaults are in `options`; none = a session's own
    /// options. Throws Error(usage) for invalid values.
    void apply_to(ModelOptions& options, Machine& machine, Generation generation,
                  std::optional<Program> program) const;
};

/// A parsed command line of a llama.cpp program.
struct PastedSwitches {
    GivenSwitches given;
    std::optional<Program> program;         ///< if the line names it
    std::vector<std::string> accelerators;  ///< of --device
    std::vector<std::string> ignored;       ///< switches that do not affect placement
};

/// Throws Error(usage) for unknown switches, for those that change graphs in ways that are not planned, and
/// for a missing or invalid value.
PastedSwitches parse_switches(std::string_view line);

/// Applies a command line to a session: the defaults of its program, then its switches. Throws Error(usage).
void apply_switches(Session& session, const PastedSwitches& pasted);

/// The command line that reproduces the session's placement, without program and file.
std::string switches_of(const Session& session);

/// The switches that two sessions do not share, as switches_of() writes them.
struct DifferentSwitches {
    std::string a;
    std::string b;
};
DifferentSwitches different_switches(const Session& a, const Session& b);

/// All spellings of an option for the command-line parser: "--context,-c,--ctx-size".
std::string names_of(std::string_view option);

/// The element type with this name. Throws Error(usage) with the option.
ElementType element_type_of(const std::string& name, const char* option);

/// A number of layers, "all", "auto" or "half"; -1 is "auto" and -2 is "all", as in llama.cpp. Programs
/// before 2026-08 know numbers only: -1 means `usual`, their default, and other negative ones no layers.
/// Throws Error(usage) with the option.
GpuLayers gpu_layers_of(const std::string& text, const char* option,
                        Generation generation = Generation::g2026_08, GpuLayers usual = GpuLayers::all());

}  // namespace splitscope
