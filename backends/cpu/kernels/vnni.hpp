// SPDX-License-Identifier: MIT
// Products of bytes on processors with AVX-512 VNNI, which multiply and add four bytes at a time. The vector
// library does not reach these instructions on all machines that have them.
#pragma once

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu::kernels {

/// This machine has them.
bool has_vnni();

/// As multiply_tile(ByteTile). Only where has_vnni().
void multiply_tile_vnni(const ByteTile& tile);

/// As multiply_stream. Only where has_vnni().
bool multiply_stream_vnni(const StreamTile& tile);

}  // namespace splitscope::cpu::kernels
