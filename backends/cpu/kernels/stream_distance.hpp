// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope::cpu::kernels {

/// How many bytes ahead of its position a kernel prefetches weights that it reads once: the processor alone
/// does not read far enough ahead, nor from one row to the next. Half or twice as far is a few percent
/// slower, 4096 bytes a seventh (docs/performance.md, "Matrix-vector products").
inline constexpr std::int64_t kStreamDistance = 1536;

/// The same for kernels that read several rows at a time, in each row.
inline constexpr std::int64_t kRowsDistance = 512;

/// The offset to prefetch at when rows of `row_bytes` are read at `position`: kRowsDistance ahead, or the
/// beginning of the next rows, `next` bytes from these.
inline std::int64_t position_ahead(std::int64_t position, std::int64_t row_bytes, std::int64_t next) {
    const std::int64_t ahead = position + kRowsDistance;
    return ahead < row_bytes ? ahead : ahead - row_bytes + next;
}

}  // namespace splitscope::cpu::kernels
