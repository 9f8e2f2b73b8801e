// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope {

/// Bytes that Graphviz may write before it is ended: pictures of the largest graphs it can draw have fewer.
inline constexpr std::int64_t kMostGraphvizOutput = std::int64_t{256} << 20;

}  // namespace splitscope
