// SPDX-License-Identifier: MIT
// Codebooks of the IQ types: the grid points that indices select, in ascending order of packed coordinates
// (the first lowest). Eight two-bit coordinates, or four three-bit coordinates (iq3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace splitscope::quants {

extern const std::array<std::uint16_t, 256> kIq2XxsGrid;
extern const std::array<std::uint16_t, 512> kIq2XsGrid;
extern const std::array<std::uint16_t, 1024> kIq2SGrid;
extern const std::array<std::uint16_t, 256> kIq3XxsGrid;
extern const std::array<std::uint16_t, 512> kIq3SGrid;
extern const std::array<std::uint16_t, 2048> kIq1Grid;

/// Values of the coordinates.
inline constexpr std::array<std::int8_t, 4> kIq2Levels{8, 25, 43, 0};
inline constexpr std::array<std::int8_t, 8> kIq3XxsLevels{4, 12, 20, 28, 36, 44, 52, 62};
inline constexpr std::array<std::int8_t, 8> kIq3SLevels{1, 3, 5, 7, 9, 11, 13, 15};

/// Coordinate j of a packed point.
constexpr std::size_t coordinate_of_8(std::uint16_t point, std::size_t j) {
    return point >> (2 * j) & 3u;
}
constexpr std::size_t coordinate_of_4(std::uint16_t point, std::size_t j) {
    return point >> (3 * j) & 7u;
}

/// Signs of eight elements from seven bits; the eighth makes the parity even.
constexpr unsigned even_signs(unsigned seven) {
    unsigned parity = seven ^ seven >> 4;
    parity ^= parity >> 2;
    parity ^= parity >> 1;
    return seven | (parity & 1u) << 7;
}

}  // namespace splitscope::quants
