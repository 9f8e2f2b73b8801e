// SPDX-License-Identifier: MIT
#include "engine/support/large_blocks.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace splitscope {

void keep_freed_memory() {
#ifdef __GLIBC__
    // The largest that glibc permits.
    constexpr int kFrom = 32 << 20;
    constexpr int kKept = 64 << 20;
    ::mallopt(M_MMAP_THRESHOLD, kFrom);
    ::mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

void return_large_blocks() {
#ifdef __GLIBC__
    constexpr int kFrom = 256 * 1024;
    constexpr int kKept = 128 * 1024;
    // Explicit values disable the dynamic threshold.
    ::mallopt(M_MMAP_THRESHOLD, kFrom);
    ::mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace splitscope
