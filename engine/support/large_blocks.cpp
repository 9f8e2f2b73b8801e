// SPDX-License-Identifier: MIT
#include "engine/support/large_blocks.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace splitscope {

void return_large_blocks() {
#ifdef __GLIBC__
    constexpr int kFrom = 256 * 1024;
    // An explicit value disables the dynamic threshold.
    ::mallopt(M_MMAP_THRESHOLD, kFrom);
#endif
}

}  // namespace splitscope
