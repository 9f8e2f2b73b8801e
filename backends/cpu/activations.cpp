// SPDX-License-Identifier: MIT
#include "backends/cpu/activations.hpp"

#include <cstdint>
#include <vector>

#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

/// A tabulated function of binary16 numbers. ggml reads these two functions from such tables, so that its
/// recorded values can only be reproduced this way.
class HalfTable {
 public:
    explicit HalfTable(float (*f)(float)) : values_(1u << 16) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            values_[i] = f16_to_f32(f32_to_f16(f(f16_to_f32(static_cast<std::uint16_t>(i)))));
        }
    }
    float operator()(float x) const { return values_[f32_to_f16(x)]; }

 private:
    std::vector<float> values_;
};

float exact_gelu(float x) {
    constexpr float kSqrt2OverPi = 0.79788456080286535588F;
    return 0.5F * x * (1.0F + std::tanh(kSqrt2OverPi * x * (1.0F + 0.044715F * x * x)));
}

float exact_gelu_quick(float x) {
    return x * (1.0F / (1.0F + std::exp(-1.702F * x)));
}

}  // namespace

float gelu(float x) {
    static const HalfTable table(exact_gelu);
    if (x >= 10.0F) return x;
    if (x <= -10.0F) return 0.0F;
    return table(x);
}

float gelu_quick(float x) {
    static const HalfTable table(exact_gelu_quick);
    return table(x);
}

}  // namespace splitscope::cpu
