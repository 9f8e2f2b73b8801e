// SPDX-License-Identifier: MIT
// Scales of the four-bit float types, halved because kFp4Values are doubled.
#pragma once

#include <bit>
#include <cstdint>

namespace splitscope::quants {

/// 2^(e − 128): half of the power of two that an e8m0 byte stands for.
constexpr float half_of_e8m0(std::uint8_t e) {
    const std::uint32_t bits = e < 2 ? 0x0020'0000u << e : static_cast<std::uint32_t>(e - 1) << 23;
    return std::bit_cast<float>(bits);
}

/// Half of an unsigned e4m3 float (bias 7); 0x7F is NaN and treated as zero.
constexpr float half_of_ue4m3(std::uint8_t code) {
    const int exponent = code >> 3 & 15;
    const int mantissa = code & 7;
    if ((code & 0x7F) == 0x7F) return 0.0F;
    if (exponent == 0) return static_cast<float>(mantissa) * 0x1p-10F;
    return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127 - 8) << 23 |
                                static_cast<std::uint32_t>(mantissa) << 20);
}

}  // namespace splitscope::quants
