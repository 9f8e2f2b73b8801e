// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace splitscope::cpu::kernels {

/// How many bytes ahead of its position a kernel prefetches weights that it reads once: the processor alone
/// does not read far enough ahead, nor from one row to the next. Half or twice as far is a few percent
/// slower, 4096 bytes a seventh (docs/performance.md, "Matrix-vector products").
inline constexpr std::int64_t kStreamDistance = 1536;

}  // namespace splitscope::cpu::kernels
