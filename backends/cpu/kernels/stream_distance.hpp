// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope::cpu::kernels {

// Prefetch distances in bytes, for weights that are read once: the hardware prefetcher runs too short a
// distance ahead, and stops at page and row boundaries. Few L1 misses can be outstanding, so kFarDistance
// prefetches into L2 first (docs/performance.md, "Matrix-vector products").
inline constexpr std::int64_t kStreamDistance = 1024;
inline constexpr std::int64_t kFarDistance = 4096;

/// Distance in each row for kernels that read several rows at a time; they do not need kFarDistance.
inline constexpr std::int64_t kRowsDistance = 512;

/// The offset to prefetch when rows of `row_bytes` are read at `position`: kRowsDistance ahead, or past the
/// end of a row in the next group of rows, which starts `next` bytes after this one.
inline std::int64_t position_ahead(std::int64_t position, std::int64_t row_bytes, std::int64_t next) {
    const std::int64_t ahead = position + kRowsDistance;
    return ahead < row_bytes ? ahead : ahead - row_bytes + next;
}

/// True on AMD's Zen 5: its hardware prefetcher is fastest with one row at a time and no prefetch
/// instructions.
bool reads_single_rows_best();

}  // namespace splitscope::cpu::kernels
