// SPDX-License-Identifier: MIT
// Scratch memory of a dispatch: work groups store partial results, which the last one to finish merges.
#pragma once

#include <cstdint>

namespace splitscope::vulkan {

/// Counters of finished work groups at the start of the memory, 0 between dispatches; COUNTERS in
/// flash_attention_tiles.comp.
inline constexpr std::uint64_t kScratchCounters = 4096;
inline constexpr std::uint64_t kScratchCounterBytes = kScratchCounters * sizeof(std::uint32_t);
inline constexpr std::uint64_t kScratchBytes = std::uint64_t{4} << 20;

}  // namespace splitscope::vulkan
