// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::testing {

/// Time and memory limits apply to the program without a sanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderSanitizer = true;
#else
inline constexpr bool kUnderSanitizer = false;
#endif

}  // namespace splitscope::testing
