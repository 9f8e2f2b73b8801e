// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace splitscope::cpu {

inline float sigmoid(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

/// The tanh form. Beyond ±10 it is the argument or zero to the last bit, and infinities stay clean.
inline float gelu(float x) {
    if (x > 10.0F) return x;
    if (x < -10.0F) return 0.0F;
    constexpr float kSqrt2OverPi = 0.79788456080286535588F;
    return 0.5F * x * (1.0F + std::tanh(kSqrt2OverPi * x * (1.0F + 0.044715F * x * x)));
}

inline float gelu_erf(float x) {
    constexpr float kInverseSqrt2 = 0.70710678118654752440F;
    return 0.5F * x * (1.0F + std::erf(x * kInverseSqrt2));
}

inline float gelu_quick(float x) {
    if (x < -60.0F) return 0.0F;
    return x * sigmoid(1.702F * x);
}

inline float silu(float x) {
    if (x < -100.0F) return 0.0F;
    return x * sigmoid(x);
}

}  // namespace splitscope::cpu
