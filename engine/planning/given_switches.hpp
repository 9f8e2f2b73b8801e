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

/// The switches that place a model, as somebody wrote them; what was not given is absent.
struct GivenSwitches {
    std::optional<std::string> gpu_layers;  ///< a number, "all", "auto" or "half"
    std::optional<std::uint32_t> context;
    std::optional<std::uint32_t> batch;
    std::optional<std::uint32_t> micro_batch;
    std::optional<std::string> flash_attention;
    std::optional<std::string> split_mode;
    std::optional<std::int32_t> main_gpu;
    std::optional<std::string> tensor_split;
    std::vector<std::string> overrides;
    bool cpu_experts = false;
    std::optional<std::uint32_t> cpu_expert_blocks;
    std::optional<bool> kv_offload;
    std::optional<bool> op_offload;
    std::optional<bool> memory_map;
    std::optional<std::string> load_mode;
    std::optional<bool> repack;
    bool no_host = false;
    std::optional<std::int32_t> sequences;
    std::optional<bool> unified;
    bool full_window_cache = false;
    std::optional<std::string> cache_type;
    std::optional<std::string> cache_type_k;
    std::optional<std::string> cache_type_v;

    /// Puts in what was given. `program`: whose defaults `options` has; none = a session's own. Throws
    /// Error(usage) for values that make no sense.
    void put_into(ModelOptions& options, Machine& machine, Generation generation,
                  std::optional<Program> program) const;
};

/// A command line of one of llama.cpp's programs.
struct PastedSwitches {
    GivenSwitches given;
    std::optional<Program> program;         ///< when the line names it
    std::vector<std::string> accelerators;  ///< of --device
    std::vector<std::string> ignored;       ///< switches that do not place anything
};

/// Reads such a line. Throws Error(usage) for a value that is missing or makes no sense.
PastedSwitches parse_switches(std::string_view line);

/// The session placed by such a line: the defaults of its program, and what it gives. Throws Error(usage).
void put_switches(Session& session, const PastedSwitches& pasted);

/// The line that places a session, without a program and a file.
std::string switches_of(const Session& session);

/// The long names of a switch, as parsers of command lines take them: "--context,-c,--ctx-size".
std::string names_of(std::string_view option);

/// The element type of that name. Throws Error(usage) naming the option.
ElementType element_type_of(const std::string& name, const char* option);

}  // namespace splitscope
