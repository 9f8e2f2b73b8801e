// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope {

// What a model file may say of itself: more is absurd, and is refused when the file is read.
inline constexpr std::uint64_t kMaxLayers = 4096;
inline constexpr std::uint64_t kMaxExtent = std::uint64_t{1} << 30;
/// Tokens and merges of a file of any size; large files may list more.
inline constexpr std::uint64_t kMaxFreeTokens = 700'000;

}  // namespace splitscope
