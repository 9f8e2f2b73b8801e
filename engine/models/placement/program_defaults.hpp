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

/// Programs of llama.cpp that differ in what they start with.
enum class Program : std::uint8_t { llama_server, llama_cli, llama_bench };

inline constexpr std::array kPrograms = {Program::llama_server, Program::llama_cli, Program::llama_bench};

/// "llama-server" and so on.
std::string_view name_of(Program program);
std::optional<Program> program_named(std::string_view name);

/// What a program of that generation starts with when no switch is given. `metal`: built for Metal, where
/// older generations put all layers on the device.
PlacementFlags default_flags(Program program, Generation generation, bool metal = false);

/// -np N and -kvu of that program; no number or a negative one = the program chooses. Older generations have
/// one cache for all sequences whatever is asked for.
void set_parallel(PlacementFlags& flags, Program program, Generation generation,
                  std::optional<std::int32_t> sequences, std::optional<bool> unified);

/// Rows of results that the graph of a prompt has at most.
std::uint32_t most_results(const PlacementFlags& flags, std::uint32_t batch);

/// The switches in llama.cpp's spelling: "-ngl all -c 4096 -b 2048 -ub 512 -fa auto -np 4 -kvu", those that
/// say nothing new left out.
std::string command_line_of(const PlacementFlags& flags);

}  // namespace splitscope
