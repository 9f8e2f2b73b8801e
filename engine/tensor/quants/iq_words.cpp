// SPDX-License-Identifier: MIT
#include "engine/tensor/quants/iq_words.hpp"

#include "engine/tensor/quants/iq_grids.hpp"

namespace splitscope::quants {
namespace {

template <std::size_t N, class Level>
std::array<std::uint64_t, N> words_of_8(const std::array<std::uint16_t, N>& grid, Level&& level) {
    std::array<std::uint64_t, N> words{};
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < 8; ++j) {
            const auto byte = static_cast<std::uint8_t>(level(coordinate_of_8(grid[i], j)));
            words[i] |= std::uint64_t{byte} << (8 * j);
        }
    }
    return words;
}

template <std::size_t N>
std::array<std::uint64_t, N> iq2_words(const std::array<std::uint16_t, N>& grid) {
    return words_of_8(grid, [](std::size_t coordinate) { return kIq2Levels[coordinate]; });
}

template <std::size_t N>
std::array<std::uint32_t, N> words_of_4(const std::array<std::uint16_t, N>& grid,
                                        const std::array<std::int8_t, 8>& levels) {
    std::array<std::uint32_t, N> words{};
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            const auto byte = static_cast<std::uint8_t>(levels[coordinate_of_4(grid[i], j)]);
            words[i] |= std::uint32_t{byte} << (8 * j);
        }
    }
    return words;
}

}  // namespace

const std::array<std::uint64_t, 256>& iq2_xxs_words() {
    static const auto words = iq2_words(kIq2XxsGrid);
    return words;
}

const std::array<std::uint64_t, 512>& iq2_xs_words() {
    static const auto words = iq2_words(kIq2XsGrid);
    return words;
}

const std::array<std::uint64_t, 1024>& iq2_s_words() {
    static const auto words = iq2_words(kIq2SGrid);
    return words;
}

const std::array<std::uint32_t, 256>& iq3_xxs_words() {
    static const auto words = words_of_4(kIq3XxsGrid, kIq3XxsLevels);
    return words;
}

const std::array<std::uint32_t, 512>& iq3_s_words() {
    static const auto words = words_of_4(kIq3SGrid, kIq3SLevels);
    return words;
}

const std::array<std::uint64_t, 2048>& iq1_words() {
    static const auto words = words_of_8(kIq1Grid, [](std::size_t coordinate) { return 8 * coordinate; });
    return words;
}

}  // namespace splitscope::quants
