// SPDX-License-Identifier: MIT
// Types with few levels: four-bit tables, four-bit floats, ternary digits, one and two bits.
#include <algorithm>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/unpack.hpp"

namespace splitscope::quants {
namespace {

/// Looks up the low nibbles of `half` bytes, then their high nibbles.
void look_up_nibbles(const std::uint8_t* nibbles, std::size_t half, const std::array<std::int8_t, 16>& values,
                     std::int8_t* codes) {
    for (std::size_t j = 0; j < half; ++j) {
        codes[j] = values[nibbles[j] & 15u];
        codes[j + half] = values[nibbles[j] >> 4];
    }
}

}  // namespace

void unpack_iq4_nl(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* /*mins*/) {
    read_each_block<BlockIq4Nl, kSmallBlock>(blocks, n, [&](const BlockIq4Nl& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        look_up_nibbles(b.codes.data(), 16, kIq4Values, codes + i * kSmallBlock);
    });
}

void unpack_iq4_xs(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                   float* /*mins*/) {
    read_each_block<BlockIq4Xs, kSuperBlock>(blocks, n, [&](const BlockIq4Xs& b, std::int64_t i) {
        const float d = f16_to_f32(b.d);
        for (std::size_t s = 0; s < 8; ++s) {
            const int low = b.scales_low[s / 2] >> (4 * (s % 2)) & 15;
            const int high = b.scales_high >> (2 * s) & 3;
            scales[i * 8 + static_cast<std::int64_t>(s)] = d * static_cast<float>((low | high << 4) - 32);
            look_up_nibbles(b.codes.data() + s * 16, 16, kIq4Values, codes + i * kSuperBlock + s * 32);
        }
    });
}

void unpack_mxfp4(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockMxfp4, kSmallBlock>(blocks, n, [&](const BlockMxfp4& b, std::int64_t i) {
        scales[i] = half_of_e8m0(b.e);
        look_up_nibbles(b.codes.data(), 16, kFp4Values, codes + i * kSmallBlock);
    });
}

void unpack_nvfp4(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockNvfp4, 64>(blocks, n, [&](const BlockNvfp4& b, std::int64_t i) {
        for (std::size_t s = 0; s < 4; ++s) {
            scales[i * 4 + static_cast<std::int64_t>(s)] = half_of_ue4m3(b.scales[s]);
            look_up_nibbles(b.codes.data() + s * 8, 8, kFp4Values, codes + i * 64 + s * 16);
        }
    });
}

namespace {

/// Extracts a base-3 digit, stored as a fraction of 256, most significant first.
int ternary_digit(std::uint8_t byte, int position) {
    constexpr std::array<std::uint8_t, 5> kPowers{1, 3, 9, 27, 81};
    const auto shifted = static_cast<std::uint8_t>(byte * kPowers[static_cast<std::size_t>(position)]);
    return shifted * 3 >> 8;
}

}  // namespace

void unpack_tq1_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockTq1_0, kSuperBlock>(blocks, n, [&](const BlockTq1_0& b, std::int64_t i) {
        std::fill_n(scales + i * 8, 8, f16_to_f32(b.d));
        std::int8_t* out = codes + i * kSuperBlock;
        const auto put = [&out](const std::uint8_t* bytes, std::size_t count, int digits) {
            for (int digit = 0; digit < digits; ++digit) {
                for (std::size_t j = 0; j < count; ++j) {
                    *out++ = static_cast<std::int8_t>(ternary_digit(bytes[j], digit) - 1);
                }
            }
        };
        put(b.codes.data(), 32, 5);
        put(b.codes.data() + 32, 16, 5);
        put(b.tail.data(), 4, 4);
    });
}

void unpack_tq2_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                  float* /*mins*/) {
    read_each_block<BlockTq2_0, kSuperBlock>(blocks, n, [&](const BlockTq2_0& b, std::int64_t i) {
        std::fill_n(scales + i * 8, 8, f16_to_f32(b.d));
        std::int8_t* out = codes + i * kSuperBlock;
        for (std::size_t half = 0; half < 2; ++half) {
            for (std::size_t plane = 0; plane < 4; ++plane) {
                for (std::size_t j = 0; j < 32; ++j) {
                    *out++ = static_cast<std::int8_t>((b.codes[half * 32 + j] >> (2 * plane) & 3) - 1);
                }
            }
        }
    });
}

void unpack_q1_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ1_0, 128>(blocks, n, [&](const BlockQ1_0& b, std::int64_t i) {
        std::fill_n(scales + i * 4, 4, f16_to_f32(b.d));
        std::int8_t* out = codes + i * 128;
        for (const std::uint8_t byte : b.codes) {
            for (int bit = 0; bit < 8; ++bit) *out++ = static_cast<std::int8_t>(2 * (byte >> bit & 1) - 1);
        }
    });
}

void unpack_q2_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ2_0, 64>(blocks, n, [&](const BlockQ2_0& b, std::int64_t i) {
        std::fill_n(scales + i * 2, 2, f16_to_f32(b.d));
        for (std::size_t j = 0; j < 64; ++j) {
            codes[i * 64 + static_cast<std::int64_t>(j)] =
                static_cast<std::int8_t>((b.codes[j / 4] >> (j % 4 * 2) & 3) - 1);
        }
    });
}

}  // namespace splitscope::quants
