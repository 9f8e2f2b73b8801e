// SPDX-License-Identifier: MIT
// K types: super-blocks of 256 with quantised sub-block scales.
#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/k_scales.hpp"
#include "engine/tensor/quants/unpack.hpp"

namespace splitscope::quants {
namespace {

/// Per 128 elements: four planes of two bits over 32 bytes.
void unpack_two_bit_planes(const std::array<std::uint8_t, 64>& bytes, std::int8_t* codes) {
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::size_t plane = 0; plane < 4; ++plane) {
            for (std::size_t j = 0; j < 32; ++j) {
                codes[half * 128 + plane * 32 + j] =
                    static_cast<std::int8_t>(bytes[half * 32 + j] >> (2 * plane) & 3);
            }
        }
    }
}

}  // namespace

void unpack_q2_K(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    read_each_block<BlockQ2_K, kSuperBlock>(blocks, n, [&](const BlockQ2_K& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        const float m = f16_to_f32(b.m);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] = d * static_cast<float>(low_nibble(b.scales[s]));
            mins[i * 16 + static_cast<std::int64_t>(s)] = -(m * static_cast<float>(high_nibble(b.scales[s])));
        }
        unpack_two_bit_planes(b.codes, codes + i * kSuperBlock);
    });
}

void unpack_q3_K(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ3_K, kSuperBlock>(blocks, n, [&](const BlockQ3_K& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        const auto packed = unpack_scales(b.scales);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] = d * static_cast<float>(packed[s] - 32);
        }
        std::int8_t* out = codes + i * kSuperBlock;
        unpack_two_bit_planes(b.codes, out);
        for (std::size_t plane = 0; plane < 8; ++plane) {
            for (std::size_t j = 0; j < 32; ++j) {
                const int high = b.high[j] >> plane & 1;
                out[plane * 32 + j] = static_cast<std::int8_t>(out[plane * 32 + j] + 4 * high - 4);
            }
        }
    });
}

namespace {

/// Scales and mins of the eight sub-blocks of q4_K and q5_K.
template <class Block>
void unpack_scales_and_mins(const Block& b, float* scales, float* mins) {
    const float d = f16_to_f32(b.d);
    const float m = f16_to_f32(b.m);
    const auto packed = ScalesAndMins::unpack(b.scales);
    for (std::size_t s = 0; s < 8; ++s) {
        scales[s] = d * static_cast<float>(packed.scales[s]);
        mins[s] = -(m * static_cast<float>(packed.mins[s]));
    }
}

/// Per 64 elements: the low nibbles of 32 bytes, then the high ones.
void unpack_nibble_planes(const std::array<std::uint8_t, 128>& nibbles, std::int8_t* codes) {
    for (std::size_t pair = 0; pair < 4; ++pair) {
        for (std::size_t j = 0; j < 32; ++j) {
            const std::uint8_t byte = nibbles[pair * 32 + j];
            codes[pair * 64 + j] = static_cast<std::int8_t>(low_nibble(byte));
            codes[pair * 64 + 32 + j] = static_cast<std::int8_t>(high_nibble(byte));
        }
    }
}

}  // namespace

void unpack_q4_K(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    read_each_block<BlockQ4_K, kSuperBlock>(blocks, n, [&](const BlockQ4_K& b, std::int64_t i) {
        unpack_scales_and_mins(b, scales + i * 8, mins + i * 8);
        unpack_nibble_planes(b.codes, codes + i * kSuperBlock);
    });
}

void unpack_q5_K(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    read_each_block<BlockQ5_K, kSuperBlock>(blocks, n, [&](const BlockQ5_K& b, std::int64_t i) {
        unpack_scales_and_mins(b, scales + i * 8, mins + i * 8);
        std::int8_t* out = codes + i * kSuperBlock;
        unpack_nibble_planes(b.codes, out);
        for (std::size_t s = 0; s < 8; ++s) {
            for (std::size_t j = 0; j < 32; ++j) {
                out[s * 32 + j] = static_cast<std::int8_t>(out[s * 32 + j] + (b.high[j] >> s & 1) * 16);
            }
        }
    });
}

void unpack_q6_K(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ6_K, kSuperBlock>(blocks, n, [&](const BlockQ6_K& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 16; ++s) {
            scales[i * 16 + static_cast<std::int64_t>(s)] = d * static_cast<float>(b.scales[s]);
        }
        // Per 128: two low nibbles' planes of 64 bytes, and four planes of two bits over 32 bytes.
        for (std::size_t half = 0; half < 2; ++half) {
            std::int8_t* out = codes + i * kSuperBlock + half * 128;
            for (std::size_t j = 0; j < 32; ++j) {
                const std::uint8_t first = b.low[half * 64 + j];
                const std::uint8_t second = b.low[half * 64 + 32 + j];
                const std::uint8_t high = b.high[half * 32 + j];
                out[j] = static_cast<std::int8_t>((low_nibble(first) | (high & 3) << 4) - 32);
                out[j + 32] = static_cast<std::int8_t>((low_nibble(second) | (high >> 2 & 3) << 4) - 32);
                out[j + 64] = static_cast<std::int8_t>((high_nibble(first) | (high >> 4 & 3) << 4) - 32);
                out[j + 96] = static_cast<std::int8_t>((high_nibble(second) | (high >> 6 & 3) << 4) - 32);
            }
        }
    });
}

}  // namespace splitscope::quants
