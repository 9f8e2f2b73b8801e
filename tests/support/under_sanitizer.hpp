// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::testing {

/// Limits of time and memory are those of the program, not of one that a sanitizer watches.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderSanitizer = true;
#else
inline constexpr bool kUnderSanitizer = false;
#endif

}  // namespace splitscope::testing
