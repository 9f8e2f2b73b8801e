// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace splitscope {

/// Colour of a backend as "#rrggbb", the same in every figure: a palette that colour-blind readers can
/// distinguish (Okabe and Ito). The last backend, the CPU, is always orange.
std::string_view backend_colour(std::size_t backend, std::size_t backend_count);

/// Colour for "no backend".
inline constexpr std::string_view kNoBackendColour = "#8a8f98";

}  // namespace splitscope
