// SPDX-License-Identifier: MIT
// Activations rounded to eight bits, the way the block types q8_0, q8_1 and q8_K store them.
#include "backends/cpu/activations_q8.hpp"

#include <algorithm>
#include <cmath>

#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kSuper = 256;

float rounded_to_half(float value) {
    return f16_to_f32(f32_to_f16(value));
}

float largest_magnitude(const float* x, std::int64_t n) {
    float largest = 0.0F;
    for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
    return largest;
}

std::int8_t code_of(float scaled) {
    // Half to even, without a call; NaN and what does not fit become 0.
    constexpr float kUnitsOnly = 12582912.0F;  // 1.5 · 2²³: no bits behind the point
    const float rounded = scaled + kUnitsOnly - kUnitsOnly;
    return std::fabs(rounded) < 128.0F ? static_cast<std::int8_t>(static_cast<int>(rounded)) : std::int8_t{0};
}

int sum_of(const std::int8_t* codes, std::int64_t n) {
    int total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += codes[i];
    return total;
}

void quantise_small(const float* x, std::int8_t* codes, float* scale, float* sums, int group,
                    bool rounded_sum) {
    // Not 1 / d: the vector code of the reference divides once, and a code at the edge can differ.
    const float largest = largest_magnitude(x, kBlock);
    const float d = largest / 127.0F;
    const float id = largest != 0.0F ? 127.0F / largest : 0.0F;
    for (std::int64_t j = 0; j < kBlock; ++j) codes[j] = code_of(x[j] * id);
    *scale = rounded_to_half(d);
    for (std::int64_t j = 0; j < kBlock; j += group) {
        const auto sum = static_cast<float>(sum_of(codes + j, group));
        *sums++ = rounded_sum ? rounded_to_half(sum * d) : sum * *scale;
    }
}

void quantise_super(const float* x, std::int8_t* codes, float* scales, float* sums, int group) {
    float largest = 0.0F;
    float extreme = 0.0F;
    for (std::int64_t j = 0; j < kSuper; ++j) {
        if (const float magnitude = std::fabs(x[j]); magnitude > largest) {
            largest = magnitude;
            extreme = x[j];
        }
    }
    const float inverse = extreme != 0.0F ? -127.0F / extreme : 0.0F;
    const float d = extreme != 0.0F ? 1.0F / inverse : 0.0F;
    for (std::int64_t j = 0; j < kSuper; ++j) {
        const float code = std::nearbyint(inverse * x[j]);
        codes[j] = std::fabs(code) <= 128.0F ? static_cast<std::int8_t>(std::min(127, static_cast<int>(code)))
                                             : std::int8_t{0};
    }
    for (std::int64_t j = 0; j < kSuper / kBlock; ++j) scales[j] = d;
    for (std::int64_t j = 0; j < kSuper; j += group)
        *sums++ = d * static_cast<float>(sum_of(codes + j, group));
}

}  // namespace

ElementType activation_type_of(ElementType weights) {
    if (weights == ElementType::q4_1 || weights == ElementType::q5_1) return ElementType::q8_1;
    return traits_of(weights).block_elements == kSuper ? ElementType::q8_K : ElementType::q8_0;
}

void quantise_activations(ElementType type, int group, const float* values, std::int64_t n,
                          std::int8_t* codes, float* scales, float* sums) {
    if (type == ElementType::q8_K) {
        for (std::int64_t i = 0; i < n; i += kSuper) {
            quantise_super(values + i, codes + i, scales + i / kBlock, sums + i / group, group);
        }
        return;
    }
    for (std::int64_t i = 0; i < n; i += kBlock) {
        quantise_small(values + i, codes + i, scales + i / kBlock, sums + i / group, group,
                       type == ElementType::q8_1);
    }
}

}  // namespace splitscope::cpu
