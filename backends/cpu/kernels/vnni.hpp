// SPDX-License-Identifier: MIT
// Byte products for AVX-512 VNNI, which multiplies and adds four bytes at a time. The vector library does not
// use these instructions on all machines that have them.
#pragma once

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu::kernels {

/// Whether this machine supports VNNI.
bool has_vnni();

/// As multiply_tile(ByteTile). Requires has_vnni().
void multiply_tile_vnni(const ByteTile& tile);

/// As multiply_stream(). Requires has_vnni().
bool multiply_stream_vnni(const StreamTile& tile);
/// As arranged_bytes() and arrange(). Require has_vnni().
std::int64_t arranged_bytes_vnni(ElementType type, std::int64_t depth);
void arrange_vnni(ElementType type, std::int64_t depth, const ByteRows& x, const float* x_sums,
                  std::byte* out);
/// As multiply_stream() for the types with arranged activations.
bool multiply_chunk_stream_vnni(const StreamTile& tile);
/// The same for the types with a codebook, and for those with few levels.
bool multiply_codebook_stream_vnni(const StreamTile& tile);
bool multiply_few_levels_stream_vnni(const StreamTile& tile);

}  // namespace splitscope::cpu::kernels
