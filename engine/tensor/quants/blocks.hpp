// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace splitscope {

// Blocks of the quantised types as stored in files, little-endian. `d` and `m` are binary16 scale and minimum
// unless noted otherwise. "Nibbles lo/hi": byte j holds element j in its low nibble and element j + half in
// its high nibble.

inline constexpr int kSmallBlock = 32;
inline constexpr int kSuperBlock = 256;

struct BlockQ4_0 {  ///< d · (code − 8)
    std::uint16_t d;
    std::array<std::uint8_t, 16> codes;  ///< nibbles lo/hi
};
struct BlockQ4_1 {  ///< d · code + m
    std::uint16_t d;
    std::uint16_t m;
    std::array<std::uint8_t, 16> codes;  ///< nibbles lo/hi
};
struct BlockQ5_0 {  ///< d · (code − 16)
    std::uint16_t d;
    std::array<std::uint8_t, 4> high;    ///< fifth bit of element j in bit j
    std::array<std::uint8_t, 16> codes;  ///< nibbles lo/hi
};
struct BlockQ5_1 {  ///< d · code + m
    std::uint16_t d;
    std::uint16_t m;
    std::array<std::uint8_t, 4> high;
    std::array<std::uint8_t, 16> codes;
};
struct BlockQ8_0 {  ///< d · code
    std::uint16_t d;
    std::array<std::int8_t, 32> codes;
};
struct BlockQ8_1 {  ///< activations for types with a minimum
    std::uint16_t d;
    std::uint16_t s;  ///< binary16 d · Σ codes
    std::array<std::int8_t, 32> codes;
};
struct BlockQ8_K {  ///< activations for super-blocks
    float d;
    std::array<std::int8_t, 256> codes;
    std::array<std::int16_t, 16> sums;  ///< Σ of each 16 codes
};

struct BlockQ2_K {                        ///< 16 sub-blocks of 16: d · scale · code − m · min
    std::array<std::uint8_t, 16> scales;  ///< scale in the low, min in the high nibble
    std::array<std::uint8_t, 64> codes;   ///< per 128: four planes of two bits over 32 bytes
    std::uint16_t d;
    std::uint16_t m;
};
struct BlockQ3_K {                      ///< 16 sub-blocks of 16: d · (scale − 32) · (code − 4)
    std::array<std::uint8_t, 32> high;  ///< third bit: plane p of 32 elements in bit p
    std::array<std::uint8_t, 64> codes;
    std::array<std::uint8_t, 12> scales;  ///< sixteen of six bits
    std::uint16_t d;
};
struct BlockQ4_K {  ///< 8 sub-blocks of 32: d · scale · code − m · min
    std::uint16_t d;
    std::uint16_t m;
    std::array<std::uint8_t, 12> scales;  ///< eight scales and eight mins of six bits
    std::array<std::uint8_t, 128> codes;  ///< per 64: nibbles lo/hi over 32 bytes
};
struct BlockQ5_K {
    std::uint16_t d;
    std::uint16_t m;
    std::array<std::uint8_t, 12> scales;
    std::array<std::uint8_t, 32> high;  ///< fifth bit: sub-block s in bit s
    std::array<std::uint8_t, 128> codes;
};
struct BlockQ6_K {                      ///< 16 sub-blocks of 16: d · scale · (code − 32)
    std::array<std::uint8_t, 128> low;  ///< four bits
    std::array<std::uint8_t, 64> high;  ///< two bits
    std::array<std::int8_t, 16> scales;
    std::uint16_t d;
};

struct BlockIq4Nl {  ///< d · kIq4Values[code]
    std::uint16_t d;
    std::array<std::uint8_t, 16> codes;  ///< nibbles lo/hi
};
struct BlockIq4Xs {  ///< 8 sub-blocks of 32: d · (scale − 32) · kIq4Values[code]
    std::uint16_t d;
    std::uint16_t scales_high;  ///< two bits each
    std::array<std::uint8_t, 4> scales_low;
    std::array<std::uint8_t, 128> codes;
};
struct BlockIq2Xxs {
    std::uint16_t d;
    std::array<std::uint16_t, 32> codes;  ///< per 32: four grid indices of a byte, then signs and scale
};
struct BlockIq2Xs {
    std::uint16_t d;
    std::array<std::uint16_t, 32> codes;  ///< grid index in nine bits, sign row in seven
    std::array<std::uint8_t, 8> scales;
};
struct BlockIq2S {
    std::uint16_t d;
    std::array<std::uint8_t, 32> codes;
    std::array<std::uint8_t, 32> signs;
    std::array<std::uint8_t, 8> high;
    std::array<std::uint8_t, 8> scales;
};
struct BlockIq3Xxs {
    std::uint16_t d;
    std::array<std::uint8_t, 64> codes;
    std::array<std::uint8_t, 32> signs_scales;  ///< per 32: four sign rows of seven bits, scale of four
};
struct BlockIq3S {
    std::uint16_t d;
    std::array<std::uint8_t, 64> codes;
    std::array<std::uint8_t, 8> high;
    std::array<std::uint8_t, 32> signs;
    std::array<std::uint8_t, 4> scales;
};
struct BlockIq1S {
    std::uint16_t d;
    std::array<std::uint8_t, 32> codes;
    std::array<std::uint16_t, 8> high;  ///< four times three index bits, scale of three, sign of the shift
};
struct BlockIq1M {
    std::array<std::uint8_t, 32> codes;
    std::array<std::uint8_t, 16> high;   ///< per 8 elements: three index bits and the sign of the shift
    std::array<std::uint8_t, 8> scales;  ///< four 16-bit words: four scales of three bits, a nibble of d
};

struct BlockTq1_0 {  ///< d · (digit − 1), five base-3 digits to a byte
    std::array<std::uint8_t, 48> codes;
    std::array<std::uint8_t, 4> tail;  ///< four digits to a byte
    std::uint16_t d;
};
struct BlockTq2_0 {  ///< d · (code − 1)
    std::array<std::uint8_t, 64> codes;
    std::uint16_t d;
};
struct BlockMxfp4 {  ///< 2^(e − 128) · kFp4Values[code]
    std::uint8_t e;
    std::array<std::uint8_t, 16> codes;  ///< nibbles lo/hi
};
struct BlockNvfp4 {  ///< 4 sub-blocks of 16 with an unsigned e4m3 scale each
    std::array<std::uint8_t, 4> scales;
    std::array<std::uint8_t, 32> codes;  ///< per sub-block: nibbles lo/hi over 8 bytes
};
struct BlockQ1_0 {  ///< ±d
    std::uint16_t d;
    std::array<std::uint8_t, 16> codes;
};
struct BlockQ2_0 {  ///< d · (code − 1)
    std::uint16_t d;
    std::array<std::uint8_t, 16> codes;
};

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22);
static_assert(sizeof(BlockQ5_1) == 24 && sizeof(BlockQ8_0) == 34 && sizeof(BlockQ8_1) == 36);
static_assert(sizeof(BlockQ8_K) == 292 && sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110);
static_assert(sizeof(BlockQ4_K) == 144 && sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210);
static_assert(sizeof(BlockIq4Nl) == 18 && sizeof(BlockIq4Xs) == 136 && sizeof(BlockIq2Xxs) == 66);
static_assert(sizeof(BlockIq2Xs) == 74 && sizeof(BlockIq2S) == 82 && sizeof(BlockIq3Xxs) == 98);
static_assert(sizeof(BlockIq3S) == 110 && sizeof(BlockIq1S) == 50 && sizeof(BlockIq1M) == 56);
static_assert(sizeof(BlockTq1_0) == 54 && sizeof(BlockTq2_0) == 66 && sizeof(BlockMxfp4) == 17);
static_assert(sizeof(BlockNvfp4) == 36 && sizeof(BlockQ1_0) == 18 && sizeof(BlockQ2_0) == 18);

inline constexpr std::array<std::int8_t, 16> kIq4Values{-127, -104, -83, -65, -49, -35, -22, -10,
                                                        1,    13,   25,  38,  53,  69,  89,  113};
/// Values of FP4 (e2m1) times two, to be integers.
inline constexpr std::array<std::int8_t, 16> kFp4Values{0, 1,  2,  3,  4,  6,  8,  12,
                                                        0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace splitscope
