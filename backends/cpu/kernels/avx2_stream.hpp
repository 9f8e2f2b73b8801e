// SPDX-License-Identifier: MIT
// Streams for processors with AVX2 and without VNNI.
#pragma once

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu::kernels {

/// Whether this machine supports AVX2 and FMA.
bool has_avx2();

/// As multiply_stream(). Requires has_avx2().
bool multiply_stream_avx2(const StreamTile& tile);

}  // namespace splitscope::cpu::kernels
