// SPDX-License-Identifier: MIT
// Types with 32 elements to a block: one scale, sometimes a minimum.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::quants {
namespace {

constexpr int kHalf = kSmallBlock / 2;

/// The value of largest magnitude, with its sign; the first of equals.
float signed_extreme(const float* x, int n) {
    float largest = 0.0F;
    float extreme = 0.0F;
    for (int j = 0; j < n; ++j) {
        if (const float magnitude = std::fabs(x[j]); largest < magnitude) {
            largest = magnitude;
            extreme = x[j];
        }
    }
    return extreme;
}

/// x as an integer, rounded towards zero; anything an int cannot hold (NaN too) becomes the lowest int.
int truncated(float x) {
    return std::fabs(x) < 2147483648.0F ? static_cast<int>(x) : std::numeric_limits<int>::min();
}

int clamped_code(float x, int largest) {
    return std::clamp(truncated(x), 0, largest);
}

float inverse(float d) {
    return d != 0.0F ? 1.0F / d : 0.0F;
}

std::uint32_t bits_of(const std::array<std::uint8_t, 4>& bytes) {
    return std::bit_cast<std::uint32_t>(bytes);
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
    const float d = std::fabs(signed_extreme(x, kSmallBlock)) / 127.0F;
    const float id = inverse(d);
    for (std::size_t j = 0; j < codes.size(); ++j) {
        const float code = std::round(x[j] * id);
        codes[j] = static_cast<std::int8_t>(std::fabs(code) <= 127.0F ? static_cast<int>(code) : 0);
    }
    return d;
}

}  // namespace

void decode_q4_0(const std::byte* blocks, float* values, std::int64_t n) {
    for_each_block<BlockQ4_0, kSmallBlock>(blocks, values, n, [](const BlockQ4_0& b, float* y) {
        const float d = f16_to_f32(b.d);
        for (std::size_t j = 0; j < kHalf; ++j) {
            y[j] = static_cast<float>(low_nibble(b.codes[j]) - 8) * d;
            y[j + kHalf] = static_cast<float>(high_nibble(b.codes[j]) - 8) * d;
        }
    });
}

void encode_q4_0(const float* values, std::byte* blocks, std::int64_t n) {
    make_each_block<BlockQ4_0, kSmallBlock>(values, blocks, n, [](const float* x) {
        const float d = signed_extreme(x, kSmallBlock) / -8.0F;
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

void decode_q4_1(const std::byte* blocks, float* values, std::int64_t n) {
    for_each_block<BlockQ4_1, kSmallBlock>(blocks, values, n, [](const BlockQ4_1& b, float* y) {
        const float d = f16_to_f32(b.d);
        const float m = f16_to_f32(b.m);
        for (std::size_t j = 0; j < kHalf; ++j) {
            y[j] = static_cast<float>(low_nibble(b.codes[j])) * d + m;
            y[j + kHalf] = static_cast<float>(high_nibble(b.codes[j])) * d + m;
        }
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

void decode_q5_0(const std::byte* blocks, float* values, std::int64_t n) {
    for_each_block<BlockQ5_0, kSmallBlock>(blocks, values, n, [](const BlockQ5_0& b, float* y) {
        const float d = f16_to_f32(b.d);
        const std::uint32_t high = bits_of(b.high);
        for (std::size_t j = 0; j < kHalf; ++j) {
            const int lo = low_nibble(b.codes[j]) | static_cast<int>(high >> j & 1u) << 4;
            const int hi = high_nibble(b.codes[j]) | static_cast<int>(high >> (j + kHalf) & 1u) << 4;
            y[j] = static_cast<float>(lo - 16) * d;
            y[j + kHalf] = static_cast<float>(hi - 16) * d;
        }
    });
}

void decode_q5_1(const std::byte* blocks, float* values, std::int64_t n) {
    for_each_block<BlockQ5_1, kSmallBlock>(blocks, values, n, [](const BlockQ5_1& b, float* y) {
        const float d = f16_to_f32(b.d);
        const float m = f16_to_f32(b.m);
        const std::uint32_t high = bits_of(b.high);
        for (std::size_t j = 0; j < kHalf; ++j) {
            const int lo = low_nibble(b.codes[j]) | static_cast<int>(high >> j & 1u) << 4;
            const int hi = high_nibble(b.codes[j]) | static_cast<int>(high >> (j + kHalf) & 1u) << 4;
            y[j] = static_cast<float>(lo) * d + m;
            y[j + kHalf] = static_cast<float>(hi) * d + m;
        }
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
        const float d = signed_extreme(x, kSmallBlock) / -16.0F;
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

void decode_q8_0(const std::byte* blocks, float* values, std::int64_t n) {
    for_each_block<BlockQ8_0, kSmallBlock>(blocks, values, n, [](const BlockQ8_0& b, float* y) {
        const float d = f16_to_f32(b.d);
        for (std::size_t j = 0; j < kSmallBlock; ++j) y[j] = static_cast<float>(b.codes[j]) * d;
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
