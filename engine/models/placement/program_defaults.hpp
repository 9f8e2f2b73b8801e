// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/models/placement/placement_flags.hpp"
#include "engine/support/generation.hpp"

namespace splitscope {

/// llama.cpp programs with different defaults.
enum class Program : std::uint8_t { llama_server, llama_cli, llama_bench };

inline constexpr std::array kPrograms = {Program::llama_server, Program::llama_cli, Program::llama_bench};

/// "llama-server" and so on.
std::string_view name_of(Program program);
std::optional<Program> program_named(std::string_view name);

/// Defaults of a program of this generation. `metal`: built for Metal, where older generations offload all
/// layers by default.
PlacementFlags default_flags(Program program, Generation generation, bool metal = false);

/// Applies -np N and -kvu; no number or a negative one = the program's choice. Older generations always use
/// one cache for all sequences.
void set_parallel(PlacementFlags& flags, Program program, Generation generation,
                  std::optional<std::int32_t> sequences, std::optional<bool> unified);

/// Maximum number of result rows of a prompt graph. Embeddings need those of all tokens.
std::uint32_t max_results(const PlacementFlags& flags, std::uint32_t batch);

/// The switches in llama.cpp's spelling with their values, without redundant ones: "-ngl all", "-c 4096", ….
std::vector<std::string> switches_of(const PlacementFlags& flags);
/// The same on one line: "-ngl all -c 4096 -b 2048 -ub 512 -fa auto -np 4 -kvu".
std::string command_line_of(const PlacementFlags& flags);
/// The line that gives these flags when this program of this generation is started with it: without what the
/// program adds, and without switches that the generation does not have.
std::string command_line_of(const PlacementFlags& flags, Program program, Generation generation);

}  // namespace splitscope
