// SPDX-License-Identifier: MIT
// IQ types: codebook indices with signs.
#include <bit>
#include <cstring>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/iq_grids.hpp"
#include "engine/tensor/quants/iq_words.hpp"
#include "engine/tensor/quants/unpack.hpp"

namespace splitscope::quants {
namespace {

/// Expands each set bit to 0xFF.
std::uint64_t mask_of_bits(unsigned bits) {
    static const std::array<std::uint64_t, 256> masks = [] {
        std::array<std::uint64_t, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i) {
            for (std::size_t j = 0; j < 8; ++j)
                table[i] |= (i >> j & 1u) != 0 ? std::uint64_t{0xFF} << (8 * j) : 0;
        }
        return table;
    }();
    return masks[bits];
}

/// Stores eight elements, negated where a bit is set. They are positive, so bytes do not carry.
void put(std::uint64_t word, unsigned signs, std::int8_t* codes) {
    const std::uint64_t mask = mask_of_bits(signs & 255u);
    word = (word ^ mask) + (mask & 0x0101'0101'0101'0101u);
    std::memcpy(codes, &word, sizeof(word));
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
    return low | std::uint64_t{high} << 32;
}

/// Scale of an iq2 type from four bits.
float iq2_scale(float d, unsigned bits) {
    return d * (0.5F + static_cast<float>(bits)) * 0.25F;
}

}  // namespace

void unpack_iq2_xxs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                    float* /*mins*/) {
    const auto& words = iq2_xxs_words();
    read_each_block<BlockIq2Xxs, kSuperBlock>(blocks, n, [&](const BlockIq2Xxs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t part = 0; part < 8; ++part) {
            const auto indices = std::bit_cast<std::array<std::uint8_t, 8>>(std::array{
                b.codes[part * 4], b.codes[part * 4 + 1], b.codes[part * 4 + 2], b.codes[part * 4 + 3]});
            const std::uint32_t rest = static_cast<std::uint32_t>(b.codes[part * 4 + 2]) |
                                       static_cast<std::uint32_t>(b.codes[part * 4 + 3]) << 16;
            scales[i * 8 + static_cast<std::int64_t>(part)] = iq2_scale(d, rest >> 28);
            for (std::size_t l = 0; l < 4; ++l) {
                put(words[indices[l]], even_signs(rest >> (7 * l) & 127u),
                    codes + i * kSuperBlock + part * 32 + l * 8);
            }
        }
    });
}

void unpack_iq2_xs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* /*mins*/) {
    const auto& words = iq2_xs_words();
    read_each_block<BlockIq2Xs, kSuperBlock>(blocks, n, [&](const BlockIq2Xs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] =
                iq2_scale(d, b.scales[s / 2] >> (4 * (s % 2)) & 15u);
        }
        for (std::size_t l = 0; l < 32; ++l) {
            put(words[b.codes[l] & 511u], even_signs(b.codes[l] >> 9), codes + i * kSuperBlock + l * 8);
        }
    });
}

void unpack_iq2_s(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    const auto& words = iq2_s_words();
    read_each_block<BlockIq2S, kSuperBlock>(blocks, n, [&](const BlockIq2S& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] =
                iq2_scale(d, b.scales[s / 2] >> (4 * (s % 2)) & 15u);
        }
        for (std::size_t l = 0; l < 32; ++l) {
            const unsigned index = b.codes[l] | (b.high[l / 4] >> (2 * (l % 4)) & 3u) << 8;
            put(words[index], b.signs[l], codes + i * kSuperBlock + l * 8);
        }
    });
}

void unpack_iq3_xxs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                    float* /*mins*/) {
    const auto& words = iq3_xxs_words();
    read_each_block<BlockIq3Xxs, kSuperBlock>(blocks, n, [&](const BlockIq3Xxs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t part = 0; part < 8; ++part) {
            std::uint32_t rest = 0;
            std::memcpy(&rest, b.signs_scales.data() + part * 4, 4);
            scales[i * 8 + static_cast<std::int64_t>(part)] =
                d * (0.5F + static_cast<float>(rest >> 28)) * 0.5F;
            for (std::size_t l = 0; l < 4; ++l) {
                const std::size_t at = part * 8 + l * 2;
                put(joined(words[b.codes[at]], words[b.codes[at + 1]]), even_signs(rest >> (7 * l) & 127u),
                    codes + i * kSuperBlock + part * 32 + l * 8);
            }
        }
    });
}

void unpack_iq3_s(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    const auto& words = iq3_s_words();
    read_each_block<BlockIq3S, kSuperBlock>(blocks, n, [&](const BlockIq3S& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 8; ++s) {
            const int bits = b.scales[s / 2] >> (4 * (s % 2)) & 15;
            scales[i * 8 + static_cast<std::int64_t>(s)] = d * static_cast<float>(1 + 2 * bits);
        }
        const auto word = [&](std::size_t l) {
            return words[b.codes[l] | (b.high[l / 8] >> (l % 8) & 1u) << 8];
        };
        for (std::size_t l = 0; l < 32; ++l) {
            put(joined(word(2 * l), word(2 * l + 1)), b.signs[l], codes + i * kSuperBlock + l * 8);
        }
    });
}

namespace {

/// Eight elements of an iq1 type in eighths: −1, 0 or 1, shifted by ±1/8.
void put_shifted(std::uint16_t index, bool down, std::int8_t* codes) {
    // The highest bits prevent borrows between the bytes.
    constexpr std::uint64_t kHighest = 0x8080'8080'8080'8080u;
    constexpr std::uint64_t kSeven = 0x0707'0707'0707'0707u;
    constexpr std::uint64_t kNine = 0x0909'0909'0909'0909u;
    const std::uint64_t word = ((iq1_words()[index] | kHighest) - (down ? kNine : kSeven)) ^ kHighest;
    std::memcpy(codes, &word, sizeof(word));
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
                put_shifted(static_cast<std::uint16_t>(index), (high & 0x8000u) != 0,
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
            put_shifted(static_cast<std::uint16_t>(b.codes[l] | (high & 7u) << 8), (high & 8u) != 0,
                        codes + i * kSuperBlock + l * 8);
        }
    });
}

}  // namespace splitscope::quants
