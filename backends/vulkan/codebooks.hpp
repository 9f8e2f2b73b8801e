// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace splitscope::vulkan {

/// The grids of the IQ types and the values of the four-bit tables one after the other, as shaders read them;
/// shaders/dequantise.glsl has the offsets.
std::vector<std::uint16_t> codebooks();

}  // namespace splitscope::vulkan
