// SPDX-License-Identifier: MIT
#include "backends/cpu/byte_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/tensor/quants/block_io.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

using quants::high_nibble;
using quants::low_nibble;

/// Reads block after block of N elements.
template <class B, int N, class Unpack>
void each_block(const std::byte* blocks, std::int64_t n, Unpack&& unpack) {
    for (std::int64_t i = 0; i < n / N; ++i) {
        B block;
        std::memcpy(&block, blocks + static_cast<std::size_t>(i) * sizeof(B), sizeof(B));
        unpack(block, i);
    }
}

void unpack_q8_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    each_block<BlockQ8_0, 32>(blocks, n, [&](const BlockQ8_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        std::copy(b.codes.begin(), b.codes.end(), codes + i * 32);
    });
}

/// Sixteen bytes of nibbles: the low ones, then the high ones, shifted by `offset`.
void unpack_nibbles(const std::uint8_t* nibbles, int offset, std::int8_t* codes) {
    for (int j = 0; j < 16; ++j) {
        codes[j] = static_cast<std::int8_t>(low_nibble(nibbles[j]) - offset);
        codes[j + 16] = static_cast<std::int8_t>(high_nibble(nibbles[j]) - offset);
    }
}

/// The fifth bit of each code.
void add_high_bits(const std::array<std::uint8_t, 4>& high, std::int8_t* codes) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, high.data(), 4);
    for (int j = 0; j < 32; ++j)
        codes[j] = static_cast<std::int8_t>(codes[j] + static_cast<int>(bits >> j & 1u) * 16);
}

void unpack_q4_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    each_block<BlockQ4_0, 32>(blocks, n, [&](const BlockQ4_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        unpack_nibbles(b.codes.data(), 8, codes + i * 32);
    });
}

void unpack_q4_1(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    each_block<BlockQ4_1, 32>(blocks, n, [&](const BlockQ4_1& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        mins[i] = f16_to_f32(b.m);
        unpack_nibbles(b.codes.data(), 0, codes + i * 32);
    });
}

void unpack_q5_0(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales,
                 float* /*mins*/) {
    each_block<BlockQ5_0, 32>(blocks, n, [&](const BlockQ5_0& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        unpack_nibbles(b.codes.data(), 16, codes + i * 32);
        add_high_bits(b.high, codes + i * 32);
    });
}

void unpack_q5_1(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins) {
    each_block<BlockQ5_1, 32>(blocks, n, [&](const BlockQ5_1& b, std::int64_t i) {
        scales[i] = f16_to_f32(b.d);
        mins[i] = f16_to_f32(b.m);
        unpack_nibbles(b.codes.data(), 0, codes + i * 32);
        add_high_bits(b.high, codes + i * 32);
    });
}

constexpr std::size_t kNumbers = 64;

constexpr std::array<ByteFormat, kNumbers> make_formats() {
    using enum ElementType;
    std::array<ByteFormat, kNumbers> formats{};
    const auto set = [&formats](ElementType type, ByteFormat format) {
        formats[static_cast<std::size_t>(type)] = format;
    };
    set(q8_0, {32, false, ActivationFormat::q8_0, unpack_q8_0});
    set(q4_0, {32, false, ActivationFormat::q8_0, unpack_q4_0});
    set(q4_1, {32, true, ActivationFormat::q8_1, unpack_q4_1});
    set(q5_0, {32, false, ActivationFormat::q8_0, unpack_q5_0});
    set(q5_1, {32, true, ActivationFormat::q8_1, unpack_q5_1});
    return formats;
}

constexpr std::array<ByteFormat, kNumbers> kFormats = make_formats();

}  // namespace

const ByteFormat* byte_format_of(ElementType type) {
    const ByteFormat& format = kFormats[static_cast<std::size_t>(type)];
    return format.unpack != nullptr ? &format : nullptr;
}

}  // namespace splitscope::cpu
