// SPDX-License-Identifier: MIT
// Packing of the six-bit sub-block scales of the K types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace splitscope::quants {

/// Eight scales and eight mins in twelve bytes: the first four of each are stored in six adjacent bits; the
/// last four have their upper two bits above those.
struct ScalesAndMins {
    std::array<std::uint8_t, 8> scales{};
    std::array<std::uint8_t, 8> mins{};

    static ScalesAndMins unpack(const std::array<std::uint8_t, 12>& p) {
        ScalesAndMins s;
        for (std::size_t j = 0; j < 4; ++j) {
            s.scales[j] = p[j] & 63;
            s.mins[j] = p[j + 4] & 63;
            s.scales[j + 4] = static_cast<std::uint8_t>((p[j + 8] & 15) | (p[j] >> 6) << 4);
            s.mins[j + 4] = static_cast<std::uint8_t>(p[j + 8] >> 4 | (p[j + 4] >> 6) << 4);
        }
        return s;
    }
    std::array<std::uint8_t, 12> pack() const {
        std::array<std::uint8_t, 12> p{};
        for (std::size_t j = 0; j < 4; ++j) {
            p[j] = static_cast<std::uint8_t>(scales[j] | (scales[j + 4] >> 4) << 6);
            p[j + 4] = static_cast<std::uint8_t>(mins[j] | (mins[j + 4] >> 4) << 6);
            p[j + 8] = static_cast<std::uint8_t>((scales[j + 4] & 15) | (mins[j + 4] & 15) << 4);
        }
        return p;
    }
};

/// Sixteen six-bit scales in twelve bytes: low nibbles of 0 … 7, with those of 8 … 15 above them, then the
/// upper two bits, those of 0 … 3 lowest.
inline std::array<std::uint8_t, 16> unpack_scales(const std::array<std::uint8_t, 12>& p) {
    std::array<std::uint8_t, 16> s{};
    for (std::size_t j = 0; j < 16; ++j) {
        const int low = j < 8 ? p[j] & 15 : p[j - 8] >> 4;
        const int high = p[8 + j % 4] >> (2 * (j / 4)) & 3;
        s[j] = static_cast<std::uint8_t>(low | high << 4);
    }
    return s;
}

inline std::array<std::uint8_t, 12> pack_scales(const std::array<std::uint8_t, 16>& s) {
    std::array<std::uint8_t, 12> p{};
    for (std::size_t j = 0; j < 16; ++j) {
        const auto low = static_cast<std::uint8_t>((s[j] & 15) << (j < 8 ? 0 : 4));
        p[j % 8] = static_cast<std::uint8_t>(p[j % 8] | low);
        p[8 + j % 4] = static_cast<std::uint8_t>(p[8 + j % 4] | (s[j] >> 4) << (2 * (j / 4)));
    }
    return p;
}

}  // namespace splitscope::quants
