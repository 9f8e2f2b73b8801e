// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope::cpu::kernels {

// How many bytes ahead of its position a kernel prefetches weights that it reads once: the processor alone
// does not read far enough ahead, nor from one page or row to the next. Loads into the nearest cache are few
// at a time, so that memory is first asked for what is farther ahead, into the next cache
// (docs/performance.md, "Matrix-vector products").
inline constexpr std::int64_t kStreamDistance = 1024;
inline constexpr std::int64_t kFarDistance = 4096;

/// kStreamDistance of kernels that read several rows at a time, in each row; they need no farther one.
inline constexpr std::int64_t kRowsDistance = 512;

/// The offset to prefetch at when rows of `row_bytes` are read at `position`: kRowsDistance ahead, or the
/// beginning of the next rows, `next` bytes from these.
inline std::int64_t position_ahead(std::int64_t position, std::int64_t row_bytes, std::int64_t next) {
    const std::int64_t ahead = position + kRowsDistance;
    return ahead < row_bytes ? ahead : ahead - row_bytes + next;
}

}  // namespace splitscope::cpu::kernels
