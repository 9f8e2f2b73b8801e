// SPDX-License-Identifier: MIT
// Memory in which work groups of one dispatch leave partial results for the last of them.
#pragma once

#include <cstdint>

namespace splitscope::vulkan {

/// Counters of finished work groups, 0 between dispatches, before the parts; as in
/// flash_attention_tiles.comp.
inline constexpr std::uint64_t kScratchCounters = 4096;
inline constexpr std::uint64_t kScratchCounterBytes = kScratchCounters * sizeof(std::uint32_t);
inline constexpr std::uint64_t kScratchBytes = std::uint64_t{4} << 20;

}  // namespace splitscope::vulkan
