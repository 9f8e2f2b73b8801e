// SPDX-License-Identifier: MIT
#include "engine/support/generation.hpp"

#include <algorithm>
#include <cstddef>

namespace splitscope {
namespace {

constexpr std::array<std::string_view, kGenerations.size()> kNames = {"2024-01", "2024-10", "2025-06",
                                                                      "2026-08"};

}  // namespace

std::string_view name_of(Generation generation) {
    return kNames[static_cast<std::size_t>(generation)];
}

std::optional<Generation> generation_named(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return kGenerations[static_cast<std::size_t>(found - kNames.begin())];
}

}  // namespace splitscope
