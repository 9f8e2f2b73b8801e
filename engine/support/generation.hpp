// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace splitscope {

/// Generations of ggml's scheduler and allocator, named by the month of their source.
enum class Generation : std::uint8_t { g2024_01, g2024_10, g2025_06, g2026_08 };

inline constexpr std::array kGenerations = {Generation::g2024_01, Generation::g2024_10, Generation::g2025_06,
                                            Generation::g2026_08};

/// "2024-10" and so on.
std::string_view name_of(Generation generation);
std::optional<Generation> generation_named(std::string_view name);

}  // namespace splitscope
