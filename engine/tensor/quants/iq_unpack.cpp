// SPDX-License-Identifier: MIT
// The IQ types: indices into codebooks, with signs.
#include <bit>
#include <cstring>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/iq_grids.hpp"
#include "engine/tensor/quants/unpack.hpp"

namespace splitscope::quants {
namespace {

/// Eight elements of an iq2 type.
void put_point_of_8(std::uint16_t point, unsigned signs, std::int8_t* codes) {
    for (std::size_t j = 0; j < 8; ++j) {
        const int level = kIq2Levels[coordinate_of_8(point, j)];
        codes[j] = static_cast<std::int8_t>((signs >> j & 1u) != 0 ? -level : level);
    }
}

/// Four elements of an iq3 type.
void put_point_of_4(std::uint16_t point, const std::array<std::int8_t, 8>& levels, unsigned signs,
                    std::int8_t* codes) {
    for (std::size_t j = 0; j < 4; ++j) {
        const int level = levels[coordinate_of_4(point, j)];
        codes[j] = static_cast<std::int8_t>((signs >> j & 1u) != 0 ? -level : level);
    }
}

/// Scale of an iq2 type from four bits.
float iq2_scale(float d, unsigned bits) {
    return d * (0.5F + static_cast<float>(bits)) * 0.25F;
}

}  // namespace

void unpack_iq2_xxs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                    float* /*mins*/) {
    read_each_block<BlockIq2Xxs, kSuperBlock>(blocks, n, [&](const BlockIq2Xxs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t part = 0; part < 8; ++part) {
            const auto indices = std::bit_cast<std::array<std::uint8_t, 8>>(std::array{
                b.codes[part * 4], b.codes[part * 4 + 1], b.codes[part * 4 + 2], b.codes[part * 4 + 3]});
            const std::uint32_t rest = static_cast<std::uint32_t>(b.codes[part * 4 + 2]) |
                                       static_cast<std::uint32_t>(b.codes[part * 4 + 3]) << 16;
            scales[i * 8 + static_cast<std::int64_t>(part)] = iq2_scale(d, rest >> 28);
            for (std::size_t l = 0; l < 4; ++l) {
                put_point_of_8(kIq2XxsGrid[indices[l]], even_signs(rest >> (7 * l) & 127u),
                               codes + i * kSuperBlock + part * 32 + l * 8);
            }
        }
    });
}

void unpack_iq2_xs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* /*mins*/) {
    read_each_block<BlockIq2Xs, kSuperBlock>(blocks, n, [&](const BlockIq2Xs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] =
                iq2_scale(d, b.scales[s / 2] >> (4 * (s % 2)) & 15u);
        }
        for (std::size_t l = 0; l < 32; ++l) {
            put_point_of_8(kIq2XsGrid[b.codes[l] & 511u], even_signs(b.codes[l] >> 9),
                           codes + i * kSuperBlock + l * 8);
        }
    });
}

void unpack_iq2_s(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockIq2S, kSuperBlock>(blocks, n, [&](const BlockIq2S& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] =
                iq2_scale(d, b.scales[s / 2] >> (4 * (s % 2)) & 15u);
        }
        for (std::size_t l = 0; l < 32; ++l) {
            const unsigned index = b.codes[l] | (b.high[l / 4] >> (2 * (l % 4)) & 3u) << 8;
            put_point_of_8(kIq2SGrid[index], b.signs[l], codes + i * kSuperBlock + l * 8);
        }
    });
}

void unpack_iq3_xxs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                    float* /*mins*/) {
    read_each_block<BlockIq3Xxs, kSuperBlock>(blocks, n, [&](const BlockIq3Xxs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t part = 0; part < 8; ++part) {
            std::uint32_t rest = 0;
            std::memcpy(&rest, b.signs_scales.data() + part * 4, 4);
            scales[i * 8 + static_cast<std::int64_t>(part)] =
                d * (0.5F + static_cast<float>(rest >> 28)) * 0.5F;
            for (std::size_t l = 0; l < 8; ++l) {
                const unsigned signs = even_signs(rest >> (7 * (l / 2)) & 127u) >> (4 * (l % 2));
                put_point_of_4(kIq3XxsGrid[b.codes[part * 8 + l]], kIq3XxsLevels, signs,
                               codes + i * kSuperBlock + part * 32 + l * 4);
            }
        }
    });
}

void unpack_iq3_s(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockIq3S, kSuperBlock>(blocks, n, [&](const BlockIq3S& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 8; ++s) {
            const int bits = b.scales[s / 2] >> (4 * (s % 2)) & 15;
            scales[i * 8 + static_cast<std::int64_t>(s)] = d * static_cast<float>(1 + 2 * bits);
        }
        for (std::size_t l = 0; l < 64; ++l) {
            const unsigned index = b.codes[l] | (b.high[l / 8] >> (l % 8) & 1u) << 8;
            put_point_of_4(kIq3SGrid[index], kIq3SLevels, b.signs[l / 2] >> (4 * (l % 2)),
                           codes + i * kSuperBlock + l * 4);
        }
    });
}

namespace {

/// Eight elements of an iq1 type, in eighths: −1, 0 or 1, shifted by an eighth.
void put_shifted_point(std::uint16_t point, bool down, std::int8_t* codes) {
    for (std::size_t j = 0; j < 8; ++j) {
        const int level = static_cast<int>(coordinate_of_8(point, j)) - 1;
        codes[j] = static_cast<std::int8_t>(8 * level + (down ? -1 : 1));
    }
}

constexpr float kEighth = 0.125F;

}  // namespace

void unpack_iq1_s(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockIq1S, kSuperBlock>(blocks, n, [&](const BlockIq1S& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t part = 0; part < 8; ++part) {
            const unsigned high = b.high[part];
            scales[i * 8 + static_cast<std::int64_t>(part)] =
                d * static_cast<float>(2 * (high >> 12 & 7u) + 1) * kEighth;
            for (std::size_t l = 0; l < 4; ++l) {
                const unsigned index = b.codes[part * 4 + l] | (high >> (3 * l) & 7u) << 8;
                put_shifted_point(kIq1Grid[index], (high & 0x8000u) != 0,
                                  codes + i * kSuperBlock + part * 32 + l * 8);
            }
        }
    });
}

void unpack_iq1_m(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockIq1M, kSuperBlock>(blocks, n, [&](const BlockIq1M& b, std::int64_t i) {
        const auto words = std::bit_cast<std::array<std::uint16_t, 4>>(b.scales);
        const unsigned d_bits =
            words[0] >> 12 | (words[1] >> 12) << 4 | (words[2] >> 12) << 8 | (words[3] >> 12) << 12;
        const float d = f16_to_f32(static_cast<std::uint16_t>(d_bits));
        for (std::size_t s = 0; s < 16; ++s) {
            const unsigned bits = words[s / 4] >> (3 * (s % 4)) & 7u;
            scales[i * 16 + static_cast<std::int64_t>(s)] = d * static_cast<float>(2 * bits + 1) * kEighth;
        }
        for (std::size_t l = 0; l < 32; ++l) {
            const unsigned high = b.high[l / 2] >> (4 * (l % 2)) & 15u;
            put_shifted_point(kIq1Grid[b.codes[l] | (high & 7u) << 8], (high & 8u) != 0,
                              codes + i * kSuperBlock + l * 8);
        }
    });
}

}  // namespace splitscope::quants
