// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace splitscope {

/// IEEE binary16 to float, exact.
constexpr float f16_to_f32(std::uint16_t h) {
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
    const std::uint32_t magnitude = h & 0x7FFFu;
    if (magnitude >= 0x7C00u) {
        // Infinity or NaN; a NaN becomes quiet, as the hardware makes it.
        const std::uint32_t quiet = magnitude > 0x7C00u ? 0x0040'0000u : 0u;
        return std::bit_cast<float>(sign | 0x7F80'0000u | quiet | (magnitude & 0x3FFu) << 13);
    }
    if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x3800'0000u));
    // Zero or subnormal: magnitude · 2^-24.
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

/// Float to binary16, rounded to the nearest, ties to even.
constexpr std::uint16_t f32_to_f16(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7FFF'FFFFu;
    std::uint32_t half = 0;
    if (magnitude > 0x7F80'0000u) {
        half = 0x7E00u | (magnitude >> 13 & 0x3FFu);
    } else if (magnitude >= 0x477F'F000u) {
        half = 0x7C00u;  // rounds to at least 65520
    } else if (magnitude >= 0x3880'0000u) {
        const std::uint32_t odd = magnitude >> 13 & 1u;
        half = (magnitude - 0x3800'0000u + 0x0FFFu + odd) >> 13;
    } else {
        // Subnormal result: adding 0.5 leaves the rounded number of 2^-24 steps in the low mantissa bits.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        half = std::bit_cast<std::uint32_t>(shifted) - 0x3F00'0000u;
    }
    return static_cast<std::uint16_t>(sign | half);
}

/// bfloat16 to float, exact.
constexpr float bf16_to_f32(std::uint16_t h) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(h) << 16);
}

/// Float to bfloat16, rounded to the nearest, ties to even; a NaN becomes quiet.
constexpr std::uint16_t f32_to_bf16(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFF'FFFFu) > 0x7F80'0000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace splitscope
