// SPDX-License-Identifier: MIT
// Scratch memory of a kernel: partial results of its work groups, which the last one to finish merges; or
// columns that an earlier pass converted and, after them, partial results that a later pass adds.
#pragma once

#include <cstdint>

namespace splitscope::vulkan {

/// Counters of finished work groups at the start of the memory, 0 between dispatches; COUNTERS in
/// shaders/scratch.glsl.
inline constexpr std::uint64_t kScratchCounters = 4096;
inline constexpr std::uint64_t kScratchCounterBytes = kScratchCounters * sizeof(std::uint32_t);
inline constexpr std::uint64_t kScratchBytes = std::uint64_t{32} << 20;

}  // namespace splitscope::vulkan
