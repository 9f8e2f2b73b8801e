// SPDX-License-Identifier: MIT
// Encoders of the IQ types, which have codebooks. They require importances, which weight the squared errors.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/iq_grids.hpp"
#include "engine/tensor/quants/iq_search.hpp"

namespace splitscope::quants {
namespace {

template <std::size_t N, class Level>
Codebook book_of_8(const std::array<std::uint16_t, N>& grid, std::size_t variants, Level level) {
    Codebook book{8, variants, N, std::vector<float>(variants * 8 * N)};
    for (std::size_t u = 0; u < variants; ++u) {
        for (std::size_t j = 0; j < 8; ++j) {
            for (std::size_t k = 0; k < N; ++k) {
                book.points[(u * 8 + j) * N + k] = level(coordinate_of_8(grid[k], j), u);
            }
        }
    }
    return book;
}

template <std::size_t N>
Codebook iq2_book(const std::array<std::uint16_t, N>& grid) {
    return book_of_8(grid, 1, [](std::size_t c, std::size_t) { return static_cast<float>(kIq2Levels[c]); });
}

template <std::size_t N>
Codebook iq3_book(const std::array<std::uint16_t, N>& grid, const std::array<std::int8_t, 8>& levels) {
    Codebook book{4, 1, N, std::vector<float>(4 * N)};
    for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t k = 0; k < N; ++k) {
            book.points[j * N + k] = static_cast<float>(levels[coordinate_of_4(grid[k], j)]);
        }
    }
    return book;
}

/// −1, 0 or 1, plus an eighth in the first variant and minus an eighth in the second.
float iq1_level(std::size_t coordinate, std::size_t variant) {
    return static_cast<float>(coordinate) - (variant == 0 ? 0.875F : 1.125F);
}

template <std::size_t N>
constexpr std::array<float, N> scale_values(float first, float step) {
    std::array<float, N> values{};
    for (std::size_t i = 0; i < N; ++i) values[i] = first + step * static_cast<float>(i);
    return values;
}

/// Elements without their signs.
struct Magnitudes {
    std::array<float, kSuperBlock> values{};
    std::array<std::uint8_t, kSuperBlock / 8> signs{};  ///< a bit for each negative element of eight
};

Magnitudes magnitudes_of(const float* x) {
    Magnitudes m;
    for (std::size_t i = 0; i < kSuperBlock; ++i) {
        m.values[i] = std::fabs(x[i]);
        if (x[i] < 0.0F) m.signs[i / 8] |= static_cast<std::uint8_t>(1u << (i % 8));
    }
    return m;
}

/// Makes the number of negative signs in each group of eight even by flipping the sign of the least important
/// element.
void make_signs_even(Magnitudes& m, const float* weights) {
    for (std::size_t l = 0; l < m.signs.size(); ++l) {
        if (std::popcount(m.signs[l]) % 2 == 0) continue;
        std::size_t least = 0;
        const auto matters = [&](std::size_t j) {
            const float x = m.values[l * 8 + j];
            return weights[l * 8 + j] * x * x;
        };
        for (std::size_t j = 1; j < 8; ++j) {
            if (matters(j) < matters(least)) least = j;
        }
        m.values[l * 8 + least] = -m.values[l * 8 + least];
        m.signs[l] ^= static_cast<std::uint8_t>(1u << least);
    }
}

/// Calls `encode` for each super-block's values and importances and stores the returned block.
template <class Block, class Encode>
void encode_each(const float* values, const float* importances, std::byte* blocks, std::int64_t n,
                 Encode&& encode) {
    make_each_block<Block, kSuperBlock>(
        values, blocks, n, [&](const float* x) { return encode(x, importances + (x - values)); });
}

std::uint8_t nibbles(std::uint8_t low, std::uint8_t high) {
    return static_cast<std::uint8_t>(low | high << 4);
}

unsigned seven_signs(const Magnitudes& m, std::size_t l) {
    return m.signs[l] & 127u;
}

constexpr std::array kIq2Scales = scale_values<16>(0.125F, 0.25F);

}  // namespace

void encode_iq2_xxs(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = iq2_book(kIq2XxsGrid);
    CodebookSearch search(book, 32, kIq2Scales);
    encode_each<BlockIq2Xxs>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        Magnitudes m = magnitudes_of(x);
        make_signs_even(m, weights);
        const CodebookFit fit = search.fit(m.values, {weights, kSuperBlock});
        BlockIq2Xxs b{};
        b.d = fit.d;
        for (std::size_t part = 0; part < 8; ++part) {
            std::uint32_t rest = std::uint32_t{fit.scales[part]} << 28;
            for (std::size_t l = 0; l < 4; ++l) {
                rest |= seven_signs(m, part * 4 + l) << (7 * l);
                b.codes[part * 4 + l / 2] |=
                    static_cast<std::uint16_t>(fit.points[part * 4 + l] << (8 * (l % 2)));
            }
            b.codes[part * 4 + 2] = static_cast<std::uint16_t>(rest);
            b.codes[part * 4 + 3] = static_cast<std::uint16_t>(rest >> 16);
        }
        return b;
    });
}

void encode_iq2_xs(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = iq2_book(kIq2XsGrid);
    CodebookSearch search(book, 16, kIq2Scales);
    encode_each<BlockIq2Xs>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        Magnitudes m = magnitudes_of(x);
        make_signs_even(m, weights);
        const CodebookFit fit = search.fit(m.values, {weights, kSuperBlock});
        BlockIq2Xs b{};
        b.d = fit.d;
        for (std::size_t l = 0; l < 32; ++l) {
            b.codes[l] = static_cast<std::uint16_t>(fit.points[l] | seven_signs(m, l) << 9);
        }
        for (std::size_t s = 0; s < 8; ++s) b.scales[s] = nibbles(fit.scales[2 * s], fit.scales[2 * s + 1]);
        return b;
    });
}

void encode_iq2_s(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = iq2_book(kIq2SGrid);
    CodebookSearch search(book, 16, kIq2Scales);
    encode_each<BlockIq2S>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        const Magnitudes m = magnitudes_of(x);
        const CodebookFit fit = search.fit(m.values, {weights, kSuperBlock});
        BlockIq2S b{};
        b.d = fit.d;
        b.signs = m.signs;
        for (std::size_t l = 0; l < 32; ++l) {
            b.codes[l] = static_cast<std::uint8_t>(fit.points[l]);
            b.high[l / 4] |= static_cast<std::uint8_t>(fit.points[l] >> 8 << (2 * (l % 4)));
        }
        for (std::size_t s = 0; s < 8; ++s) b.scales[s] = nibbles(fit.scales[2 * s], fit.scales[2 * s + 1]);
        return b;
    });
}

void encode_iq3_xxs(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = iq3_book(kIq3XxsGrid, kIq3XxsLevels);
    static constexpr auto scales = scale_values<16>(0.25F, 0.5F);
    CodebookSearch search(book, 32, scales);
    encode_each<BlockIq3Xxs>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        Magnitudes m = magnitudes_of(x);
        make_signs_even(m, weights);
        const CodebookFit fit = search.fit(m.values, {weights, kSuperBlock});
        BlockIq3Xxs b{};
        b.d = fit.d;
        for (std::size_t l = 0; l < 64; ++l) b.codes[l] = static_cast<std::uint8_t>(fit.points[l]);
        for (std::size_t part = 0; part < 8; ++part) {
            std::uint32_t rest = std::uint32_t{fit.scales[part]} << 28;
            for (std::size_t l = 0; l < 4; ++l) rest |= seven_signs(m, part * 4 + l) << (7 * l);
            std::memcpy(b.signs_scales.data() + part * 4, &rest, 4);
        }
        return b;
    });
}

void encode_iq3_s(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = iq3_book(kIq3SGrid, kIq3SLevels);
    static constexpr auto scales = scale_values<16>(1.0F, 2.0F);
    CodebookSearch search(book, 32, scales);
    encode_each<BlockIq3S>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        const Magnitudes m = magnitudes_of(x);
        const CodebookFit fit = search.fit(m.values, {weights, kSuperBlock});
        BlockIq3S b{};
        b.d = fit.d;
        b.signs = m.signs;
        for (std::size_t l = 0; l < 64; ++l) {
            b.codes[l] = static_cast<std::uint8_t>(fit.points[l]);
            b.high[l / 8] |= static_cast<std::uint8_t>(fit.points[l] >> 8 << (l % 8));
        }
        for (std::size_t s = 0; s < 4; ++s) b.scales[s] = nibbles(fit.scales[2 * s], fit.scales[2 * s + 1]);
        return b;
    });
}

namespace {

constexpr std::array kIq1Scales = scale_values<8>(1.0F, 2.0F);

}  // namespace

void encode_iq1_s(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    static const Codebook book = book_of_8(kIq1Grid, 2, iq1_level);
    CodebookSearch search(book, 32, kIq1Scales);
    encode_each<BlockIq1S>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        const CodebookFit fit = search.fit({x, kSuperBlock}, {weights, kSuperBlock});
        BlockIq1S b{};
        b.d = fit.d;
        for (std::size_t part = 0; part < 8; ++part) {
            unsigned high = static_cast<unsigned>(fit.scales[part]) << 12 |
                            static_cast<unsigned>(fit.variants[part]) << 15;
            for (std::size_t l = 0; l < 4; ++l) {
                const unsigned point = fit.points[part * 4 + l];
                b.codes[part * 4 + l] = static_cast<std::uint8_t>(point);
                high |= point >> 8 << (3 * l);
            }
            b.high[part] = static_cast<std::uint16_t>(high);
        }
        return b;
    });
}

void encode_iq1_m(const float* values, const float* importances, std::byte* blocks, std::int64_t n) {
    // Each group of eight selects its shift, so both variants are points of one book.
    static const Codebook book = [] {
        const Codebook both = book_of_8(kIq1Grid, 2, iq1_level);
        Codebook joined{8, 1, 2 * both.size, std::vector<float>(both.points.size())};
        for (std::size_t u = 0; u < 2; ++u) {
            for (std::size_t j = 0; j < 8; ++j) {
                std::copy_n(both.points.data() + (u * 8 + j) * both.size, both.size,
                            joined.points.data() + j * joined.size + u * both.size);
            }
        }
        return joined;
    }();
    CodebookSearch search(book, 16, kIq1Scales);
    encode_each<BlockIq1M>(values, importances, blocks, n, [&](const float* x, const float* weights) {
        const CodebookFit fit = search.fit({x, kSuperBlock}, {weights, kSuperBlock});
        BlockIq1M b{};
        for (std::size_t l = 0; l < 32; ++l) {
            // Three high index bits, then the shift, as in the joined book.
            b.codes[l] = static_cast<std::uint8_t>(fit.points[l]);
            b.high[l / 2] |= static_cast<std::uint8_t>(fit.points[l] >> 8 << (4 * (l % 2)));
        }
        std::array<std::uint16_t, 4> words{};
        for (std::size_t s = 0; s < 16; ++s) {
            words[s / 4] |= static_cast<std::uint16_t>(fit.scales[s] << (3 * (s % 4)));
        }
        for (std::size_t i = 0; i < 4; ++i) {
            words[i] |= static_cast<std::uint16_t>((fit.d >> (4 * i) & 15) << 12);
        }
        b.scales = std::bit_cast<std::array<std::uint8_t, 8>>(words);
        return b;
    });
}

}  // namespace splitscope::quants
