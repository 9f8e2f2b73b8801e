// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>

#include "engine/support/error.hpp"

namespace splitscope::fuzz {

/// Checks a guarantee of the library. A violation ends the program so that every fuzzer and test runner
/// notices.
inline void require(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

/// Calls a function that may throw Error only.
template <class Work>
void expecting_errors(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        require(!error.problem().empty(), "errors say what is wrong");
    }
}

}  // namespace splitscope::fuzz
