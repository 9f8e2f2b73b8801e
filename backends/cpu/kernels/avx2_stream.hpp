// SPDX-License-Identifier: MIT
// Streams for processors with AVX2 and without VNNI.
#pragma once

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu::kernels {

/// Whether this machine supports AVX2 and FMA.
bool has_avx2();

/// As arranged_bytes() and arrange(). Require has_avx2().
std::int64_t arranged_bytes_avx2(ElementType type, std::int64_t depth);
void arrange_avx2(ElementType type, std::int64_t depth, const std::int8_t* codes, std::byte* out);

/// As multiply_stream(). Requires has_avx2().
bool multiply_stream_avx2(const StreamTile& tile);

}  // namespace splitscope::cpu::kernels
