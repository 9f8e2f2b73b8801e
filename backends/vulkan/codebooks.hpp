// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace splitscope::vulkan {

/// IQ grids and tables of four-bit values, concatenated for shaders; shaders/dequantise.glsl has the offsets.
std::vector<std::uint16_t> codebooks();

}  // namespace splitscope::vulkan
