// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace splitscope::quants {

/// The value of largest magnitude, with its sign; on ties the first.
inline float signed_extreme(std::span<const float> x) {
    float largest = 0.0F;
    float extreme = 0.0F;
    for (const float v : x) {
        if (const float magnitude = std::fabs(v); largest < magnitude) {
            largest = magnitude;
            extreme = v;
        }
    }
    return extreme;
}

/// x truncated towards zero; out-of-range values and NaN become the lowest int.
inline int truncated(float x) {
    return std::fabs(x) < 2147483648.0F ? static_cast<int>(x) : std::numeric_limits<int>::min();
}

/// x rounded to nearest, ties to even; out-of-range values and NaN become the lowest int.
inline int nearest(float x) {
    return truncated(std::nearbyint(x));
}

/// 1 / d, or 0 for d = 0.
inline float inverse(float d) {
    return d != 0.0F ? 1.0F / d : 0.0F;
}

}  // namespace splitscope::quants
