// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope {

// Upper bounds for values in a model file. Larger ones are refused when the file is read.
inline constexpr std::uint64_t kMaxLayers = 4096;
inline constexpr std::uint64_t kMaxExtent = std::uint64_t{1} << 30;
/// Tokens and merges allowed in a file of any size; larger files may have more.
inline constexpr std::uint64_t kMaxFreeTokens = 700'000;

}  // namespace splitscope
