// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace splitscope::cpu {

/// ALiBi slopes, a geometric sequence over the heads. Heads beyond the largest power of two use the odd steps
/// in between. Without a bias, every slope is one.
class AlibiSlopes {
 public:
    AlibiSlopes(float max_bias, std::int64_t heads) : max_bias_(max_bias) {
        power_of_two_ = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
        const auto steps = static_cast<float>(power_of_two_);
        base_ = std::exp2(-max_bias / steps);
        half_base_ = std::exp2(-max_bias / 2.0F / steps);
    }

    float of_head(std::int64_t head) const {
        if (max_bias_ <= 0.0F) return 1.0F;
        if (head < power_of_two_) return std::pow(base_, static_cast<float>(head + 1));
        return std::pow(half_base_, static_cast<float>(2 * (head - power_of_two_) + 1));
    }

 private:
    float max_bias_;
    std::int64_t power_of_two_ = 1;
    float base_ = 1.0F;
    float half_base_ = 1.0F;
};

}  // namespace splitscope::cpu
