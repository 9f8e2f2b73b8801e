// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope {

/// Output limit for Graphviz; larger graphs than it can draw would be needed to exceed it.
inline constexpr std::int64_t kMaxGraphvizOutput = std::int64_t{256} << 20;

}  // namespace splitscope
