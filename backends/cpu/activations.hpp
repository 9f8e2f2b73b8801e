// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace splitscope::cpu {

inline float relu(float x) {
    return x > 0.0F ? x : 0.0F;
}

inline float sigmoid(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

/// Tanh approximation in half precision, as in ggml. Identity or zero beyond ±10.
float gelu(float x);
/// x · sigmoid(1.702 x), in half precision.
float gelu_quick(float x);

inline float gelu_erf(float x) {
    constexpr float kInverseSqrt2 = 0.70710678118654752440F;
    return 0.5F * x * (1.0F + std::erf(x * kInverseSqrt2));
}

inline float silu(float x) {
    if (x < -100.0F) return 0.0F;
    return x * sigmoid(x);
}

}  // namespace splitscope::cpu
