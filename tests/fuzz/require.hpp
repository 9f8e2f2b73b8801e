// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>

namespace splitscope::fuzz {

/// A promise of the library. Broken, it ends the program in a way that every fuzzer and test runner notices.
inline void require(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

}  // namespace splitscope::fuzz
