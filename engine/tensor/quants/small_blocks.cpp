// SPDX-License-Identifier: MIT
// Types with blocks of 32: one scale, optionally a minimum.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/quants/rounding.hpp"
#include "engine/tensor/quants/unpack.hpp"

namespace splitscope::quants {
namespace {

constexpr int kHalf = kSmallBlock / 2;

int clamped_code(float x, int largest) {
    return std::clamp(truncated(x), 0, largest);
}

/// Sixteen bytes of nibbles, low ones first, minus `offset`.
void unpack_nibbles(const std::array<std::uint8_t, kHalf>& nibbles, int offset, std::int8_t* codes) {
    for (std::size_t j = 0; j < kHalf; ++j) {
        codes[j] = static_cast<std::int8_t>(low_nibble(nibbles[j]) - offset);
        codes[j + kHalf] = static_cast<std::int8_t>(high_nibble(nibbles[j]) - offset);
    }
}

/// The fifth bit of each code.
void add_high_bits(const std::array<std::uint8_t, 4>& high, std::int8_t* codes) {
    const auto bits = std::bit_cast<std::uint32_t>(high);
    for (int j = 0; j < kSmallBlock; ++j) {
        codes[j] = static_cast<std::int8_t>(codes[j] + static_cast<int>(bits >> j & 1u) * 16);
    }
}

struct MinMax {
    float min;
    float max;
};

MinMax range_of(const float* x) {
    MinMax range{std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()};
    for (int j = 0; j < kSmallBlock; ++j) {
        if (x[j] < range.min) range.min = x[j];
        if (x[j] > range.max) range.max = x[j];
    }
    return range;
}

/// Codes and scale of both eight-bit types.
template <class Codes>
float encode_bytes(const float* x, Codes& codes) {
    const float d = std::fabs(signed_extreme({x, kSmallBlock})) / 127.0F;
    const float id = inverse(d);
    for (std::size_t j = 0; j < codes.size(); ++j) {
        const float code = std::round(x[j] * id);
        codes[j] = static_cast<std::int8_t>(std::fabs(code) <= 127.0F ? static_cast<int>(code) : 0);
    }
    return d;
}

}  // namespace

void unpack_q4_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ4_0, kSmallBlock>(blocks, n, [&](const BlockQ4_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        unpack_nibbles(b.codes, 8, codes + i * kSmallBlock);
    });
}

void encode_q4_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ4_0, kSmallBlock>(values, blocks, n, [](const float* x) {
        const float d = signed_extreme({x, kSmallBlock}) / -8.0F;
        const float id = inverse(d);
        BlockQ4_0 b{f32_to_f16(d), {}};
        for (std::size_t j = 0; j < kHalf; ++j) {
            const int lo = clamped_code(x[j] * id + 8.5F, 15);
            const int hi = clamped_code(x[j + kHalf] * id + 8.5F, 15);
            b.codes[j] = static_cast<std::uint8_t>(lo | hi << 4);
        }
        return b;
    });
}

void unpack_q4_1(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    read_each_block<BlockQ4_1, kSmallBlock>(blocks, n, [&](const BlockQ4_1& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        mins[i] = f16_to_f32(b.m);
        unpack_nibbles(b.codes, 0, codes + i * kSmallBlock);
    });
}

void encode_q4_1(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ4_1, kSmallBlock>(values, blocks, n, [](const float* x) {
        const MinMax range = range_of(x);
        const float d = (range.max - range.min) / 15.0F;
        const float id = inverse(d);
        BlockQ4_1 b{f32_to_f16(d), f32_to_f16(range.min), {}};
        for (std::size_t j = 0; j < kHalf; ++j) {
            const int lo = clamped_code((x[j] - range.min) * id + 0.5F, 15);
            const int hi = clamped_code((x[j + kHalf] - range.min) * id + 0.5F, 15);
            b.codes[j] = static_cast<std::uint8_t>(lo | hi << 4);
        }
        return b;
    });
}

void unpack_q5_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ5_0, kSmallBlock>(blocks, n, [&](const BlockQ5_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        unpack_nibbles(b.codes, 16, codes + i * kSmallBlock);
        add_high_bits(b.high, codes + i * kSmallBlock);
    });
}

void unpack_q5_1(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    read_each_block<BlockQ5_1, kSmallBlock>(blocks, n, [&](const BlockQ5_1& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        mins[i] = f16_to_f32(b.m);
        unpack_nibbles(b.codes, 0, codes + i * kSmallBlock);
        add_high_bits(b.high, codes + i * kSmallBlock);
    });
}

namespace {

/// Splits five-bit codes into nibbles and the word of high bits. `code(value)` is in 0 … 31.
template <class Block, class Code>
void pack_five_bits(Block& b, const float* x, Code&& code) {
    std::uint32_t high = 0;
    for (std::size_t j = 0; j < kHalf; ++j) {
        const int lo = code(x[j]);
        const int hi = code(x[j + kHalf]);
        b.codes[j] = static_cast<std::uint8_t>((lo & 15) | (hi & 15) << 4);
        high |= static_cast<std::uint32_t>(lo >> 4) << j | static_cast<std::uint32_t>(hi >> 4) << (j + kHalf);
    }
    b.high = std::bit_cast<std::array<std::uint8_t, 4>>(high);
}

}  // namespace

void encode_q5_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ5_0, kSmallBlock>(values, blocks, n, [](const float* x) {
        const float d = signed_extreme({x, kSmallBlock}) / -16.0F;
        const float id = inverse(d);
        BlockQ5_0 b{f32_to_f16(d), {}, {}};
        pack_five_bits(b, x, [id](float v) { return clamped_code(v * id + 16.5F, 31); });
        return b;
    });
}

void encode_q5_1(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ5_1, kSmallBlock>(values, blocks, n, [](const float* x) {
        const MinMax range = range_of(x);
        const float d = (range.max - range.min) / 31.0F;
        const float id = inverse(d);
        BlockQ5_1 b{f32_to_f16(d), f32_to_f16(range.min), {}, {}};
        pack_five_bits(b, x, [&](float v) { return clamped_code((v - range.min) * id + 0.5F, 31); });
        return b;
    });
}

void unpack_q8_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    read_each_block<BlockQ8_0, kSmallBlock>(blocks, n, [&](const BlockQ8_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        std::copy(b.codes.begin(), b.codes.end(), codes + i * kSmallBlock);
    });
}

void encode_q8_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ8_0, kSmallBlock>(values, blocks, n, [](const float* x) {
        BlockQ8_0 b{};
        b.d = f32_to_f16(encode_bytes(x, b.codes));
        return b;
    });
}

void encode_q8_1(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ8_1, kSmallBlock>(values, blocks, n, [](const float* x) {
        BlockQ8_1 b{};
        const float d = encode_bytes(x, b.codes);
        int sum = 0;
        for (const std::int8_t code : b.codes) sum += code;
        b.d = f32_to_f16(d);
        b.s = f32_to_f16(static_cast<float>(sum) * d);
        return b;
    });
}

}  // namespace splitscope::quants
