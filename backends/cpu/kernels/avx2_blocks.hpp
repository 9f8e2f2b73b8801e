// SPDX-License-Identifier: MIT
// Internal to the AVX2 kernels: codes and scales of blocks as stored in the file.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"

#define SPLITSCOPE_AVX2 __attribute__((target("avx2,fma,f16c")))

namespace splitscope::cpu::kernels::avx2 {

SPLITSCOPE_AVX2 inline __m128i load_half(const void* p) {
    return _mm_loadu_si128(static_cast<const __m128i*>(p));
}
SPLITSCOPE_AVX2 inline __m256i load_whole(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}
template <class T>
inline T load_as(const std::byte* p) {
    T number;
    std::memcpy(&number, p, sizeof(number));
    return number;
}
SPLITSCOPE_AVX2 inline float load_f16(const std::byte* p) {
    return _cvtsh_ss(load_as<std::uint16_t>(p));
}
SPLITSCOPE_AVX2 inline __m256i concat_halves(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// Low nibbles, then high nibbles, of sixteen bytes.
SPLITSCOPE_AVX2 inline __m256i unpack_nibbles(__m128i bytes) {
    const __m256i shifted =
        _mm256_srlv_epi64(_mm256_broadcastsi128_si256(bytes), _mm256_setr_epi64x(0, 0, 4, 4));
    return _mm256_and_si256(shifted, _mm256_set1_epi8(15));
}
/// Low, then high nibbles of the first eight bytes, then those of the last.
SPLITSCOPE_AVX2 inline __m256i unpack_nibbles_of_8(__m128i bytes) {
    const __m128i low = _mm_and_si128(bytes, _mm_set1_epi8(15));
    const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
    return concat_halves(_mm_unpacklo_epi64(low, high), _mm_unpackhi_epi64(low, high));
}
/// The bits of each byte in `mask`, after moving them up (or down).
SPLITSCOPE_AVX2 inline __m256i shift_and_mask(__m256i bytes, int up, char mask) {
    const __m256i moved = up >= 0 ? _mm256_slli_epi16(bytes, up) : _mm256_srli_epi16(bytes, -up);
    return _mm256_and_si256(moved, _mm256_set1_epi8(mask));
}
/// 32 bits as bytes: each 0, or 2^i for bit i of its byte.
SPLITSCOPE_AVX2 inline __m256i spread_bits(std::uint32_t bits) {
    const __m256i lanes =
        _mm256_setr_epi64x(0x0000000000000000, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i each = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
    return _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), lanes), each);
}
/// 32 bits as bytes 0 or −1.
SPLITSCOPE_AVX2 inline __m256i bytes_of_bits(std::uint32_t bits) {
    const __m256i each = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
    return _mm256_cmpeq_epi8(spread_bits(bits), each);
}
/// The pairs of bits of eight bytes.
SPLITSCOPE_AVX2 inline __m256i pairs_of_bits(const std::byte* p) {
    __m256i pairs = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    pairs = _mm256_or_si256(pairs, _mm256_slli_epi32(pairs, 12));
    pairs = _mm256_or_si256(pairs, _mm256_slli_epi32(pairs, 6));
    return _mm256_and_si256(pairs, _mm256_set1_epi8(3));
}
/// Sums of two codes times activations (at least −127), as words; kSigned: codes may be negative.
template <bool kSigned>
SPLITSCOPE_AVX2 inline __m256i pair_products(__m256i codes, __m256i x) {
    if constexpr (!kSigned) return _mm256_maddubs_epi16(codes, x);
    return _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes));
}
/// The same with the magnitudes of the activations (at most 127), for any codes but −128.
SPLITSCOPE_AVX2 inline __m256i pair_products(__m256i codes, __m256i x, __m256i magnitudes) {
    return _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(codes, x));
}
SPLITSCOPE_AVX2 inline __m256i lookup_nibbles(const std::array<std::int8_t, 16>& values, __m256i codes) {
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(values.data())), codes);
}
/// `count` ≤ 8 binary16 numbers, `stride` bytes apart, as floats; the others are 0.
SPLITSCOPE_AVX2 inline __m256 load_8_f16(const std::byte* p, std::int64_t stride, std::int64_t count) {
    if (count == 8) {
        __m128i halves = _mm_cvtsi32_si128(load_as<std::uint16_t>(p));
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + stride), 1);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 2 * stride), 2);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 3 * stride), 3);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 4 * stride), 4);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 5 * stride), 5);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 6 * stride), 6);
        halves = _mm_insert_epi16(halves, load_as<std::uint16_t>(p + 7 * stride), 7);
        return _mm256_cvtph_ps(halves);
    }
    alignas(16) std::array<std::uint16_t, 8> halves{};
    for (std::int64_t i = 0; i < count; ++i)
        halves[static_cast<std::size_t>(i)] = load_as<std::uint16_t>(p + i * stride);
    return _mm256_cvtph_ps(load_half(halves.data()));
}

// Blocks of kParts · 32 elements: d · (code − kOffset), plus m if kMins. kMaxMagnitude: the largest magnitude
// of a code.

struct SmallCodes {
    static constexpr int kParts = 1;
    static constexpr int kFactor = 1;
    static constexpr bool kSigned = false;
    static constexpr int kOffset = 0;
    static constexpr bool kMins = false;  ///< whether a min follows the scale
};

struct SmallQ8_0 : SmallCodes {
    using Block = BlockQ8_0;
    static constexpr bool kSigned = true;
    static constexpr int kMaxMagnitude = 127;  ///< with −128, sums still fit
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w) { return load_whole(w + 2); }
};
struct SmallQ4_0 : SmallCodes {
    using Block = BlockQ4_0;
    static constexpr int kMaxMagnitude = 15;
    static constexpr int kOffset = 8;
    static constexpr std::int64_t kNibblesAt = 2;
    SPLITSCOPE_AVX2 static __m256i codes_of(__m256i nibbles) { return nibbles; }
};
struct SmallQ4_1 : SmallCodes {
    using Block = BlockQ4_1;
    static constexpr int kMaxMagnitude = 15;
    static constexpr bool kMins = true;
    static constexpr std::int64_t kNibblesAt = 4;
    SPLITSCOPE_AVX2 static __m256i codes_of(__m256i nibbles) { return nibbles; }
};
SPLITSCOPE_AVX2 inline __m256i with_fifth_bit(__m128i nibbles, const std::byte* high) {
    const __m256i fifth = bytes_of_bits(load_as<std::uint32_t>(high));
    return _mm256_or_si256(unpack_nibbles(nibbles), _mm256_and_si256(fifth, _mm256_set1_epi8(16)));
}
struct SmallQ5_0 : SmallCodes {
    using Block = BlockQ5_0;
    static constexpr int kMaxMagnitude = 31;
    static constexpr int kOffset = 16;
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w) {
        return with_fifth_bit(load_half(w + 6), w + 2);
    }
};
struct SmallQ5_1 : SmallCodes {
    using Block = BlockQ5_1;
    static constexpr int kMaxMagnitude = 31;
    static constexpr bool kMins = true;
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w) {
        return with_fifth_bit(load_half(w + 8), w + 4);
    }
};
struct SmallIq4Nl : SmallCodes {
    using Block = BlockIq4Nl;
    static constexpr bool kSigned = true;
    static constexpr int kMaxMagnitude = 127;
    static constexpr std::int64_t kNibblesAt = 2;
    SPLITSCOPE_AVX2 static __m256i codes_of(__m256i nibbles) { return lookup_nibbles(kIq4Values, nibbles); }
};
/// kFp4Values plus kFp4Shift: products of codes without signs are cheaper.
inline constexpr int kFp4Shift = 12;
inline constexpr std::array<std::int8_t, 16> kShiftedFp4Values = [] {
    std::array<std::int8_t, 16> shifted{};
    for (std::size_t i = 0; i < shifted.size(); ++i)
        shifted[i] = static_cast<std::int8_t>(kFp4Values[i] + kFp4Shift);
    return shifted;
}();
/// Scaled, the shift could overflow, so it is no kOffset.
struct SmallMxfp4 : SmallCodes {
    using Block = BlockMxfp4;
    static constexpr bool kSigned = true;
    static constexpr int kMaxMagnitude = 12;
    static constexpr std::int64_t kNibblesAt = 1;
    static constexpr int kShift = kFp4Shift;
    SPLITSCOPE_AVX2 static __m256i codes_of(__m256i nibbles) { return lookup_nibbles(kFp4Values, nibbles); }
    SPLITSCOPE_AVX2 static __m256i shifted_codes_of(__m256i nibbles) {
        return lookup_nibbles(kShiftedFp4Values, nibbles);
    }
};
struct SmallQ1_0 : SmallCodes {
    using Block = BlockQ1_0;
    static constexpr int kParts = 4;
    static constexpr int kFactor = 2;
    static constexpr int kOffset = 1;
    static constexpr int kMaxMagnitude = 1;
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, std::int64_t part) {
        return _mm256_min_epu8(spread_bits(load_as<std::uint32_t>(w + 2 + part * 4)), _mm256_set1_epi8(1));
    }
};
struct SmallQ2_0 : SmallCodes {
    using Block = BlockQ2_0;
    static constexpr int kParts = 2;
    static constexpr int kOffset = 1;
    static constexpr int kMaxMagnitude = 3;
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, std::int64_t part) {
        return pairs_of_bits(w + 2 + part * 8);
    }
};

/// The block of group `g` of a row, and its codes.
template <class S>
inline const std::byte* block_of_group(const std::byte* row, std::int64_t g) {
    return row + g / S::kParts * static_cast<std::int64_t>(sizeof(typename S::Block));
}
template <class S>
SPLITSCOPE_AVX2 inline __m256i codes_of_group(const std::byte* row, std::int64_t g) {
    if constexpr (requires { S::kNibblesAt; }) {
        return S::codes_of(unpack_nibbles(load_half(block_of_group<S>(row, g) + S::kNibblesAt)));
    } else if constexpr (S::kParts == 1) {
        return S::codes(block_of_group<S>(row, g));
    } else {
        return S::codes(block_of_group<S>(row, g), g % S::kParts);
    }
}

/// As quants::half_of_e8m0(): 2^(e − 128), of which the first two are denormal.
SPLITSCOPE_AVX2 inline __m256 halves_of_e8m0(const std::array<std::uint8_t, 8>& exponents) {
    const __m256i e = _mm256_cvtepu8_epi32(_mm_set_epi64x(0, std::bit_cast<std::int64_t>(exponents)));
    const __m256i normal = _mm256_slli_epi32(_mm256_sub_epi32(e, _mm256_set1_epi32(1)), 23);
    const __m256i denormal = _mm256_sllv_epi32(_mm256_set1_epi32(0x00200000), e);
    const __m256i is_normal = _mm256_cmpgt_epi32(e, _mm256_set1_epi32(1));
    return _mm256_castsi256_ps(_mm256_blendv_epi8(denormal, normal, is_normal));
}

inline constexpr std::array<float, 128> kE4m3Halves = [] {
    std::array<float, 128> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = quants::half_of_ue4m3(static_cast<std::uint8_t>(i));
    return values;
}();
/// Half of the scale of nvfp4 at `p`.
inline float half_of_e4m3_at(const std::byte* p) {
    return kE4m3Halves[load_as<std::uint8_t>(p) & 127u];
}

/// Scales of `count` ≤ 8 groups from `g` on, which is a multiple of eight unless `count` is 1.
template <class S>
SPLITSCOPE_AVX2 inline __m256 scales_of_groups(const std::byte* row, std::int64_t g, std::int64_t count) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    const std::byte* w = block_of_group<S>(row, g);
    if constexpr (std::is_same_v<S, SmallMxfp4>) {
        std::array<std::uint8_t, 8> exponents{};
        for (std::int64_t i = 0; i < count; ++i)
            exponents[static_cast<std::size_t>(i)] = load_as<std::uint8_t>(w + i * kBytes);
        return halves_of_e8m0(exponents);
    } else if constexpr (S::kParts == 1) {
        return load_8_f16(w, kBytes, count);
    } else {
        const auto half = [w](std::int64_t i) { return load_as<std::int16_t>(w + i * kBytes); };
        if (count < 8) {
            alignas(16) std::array<std::int16_t, 8> halves{};
            for (std::int64_t i = 0; i < count; ++i)
                halves[static_cast<std::size_t>(i)] = half(i / S::kParts);
            return _mm256_cvtph_ps(load_half(halves.data()));
        }
        if constexpr (S::kParts == 2) {
            return _mm256_cvtph_ps(
                _mm_setr_epi16(half(0), half(0), half(1), half(1), half(2), half(2), half(3), half(3)));
        } else {
            return _mm256_cvtph_ps(
                _mm_setr_epi16(half(0), half(0), half(0), half(0), half(1), half(1), half(1), half(1)));
        }
    }
}

/// Scales and mins of a super-block, unpacked.
struct SuperBlock {
    float d = 0;
    float m = 0;                                        ///< of the mins, negative
    alignas(32) std::array<std::int16_t, 16> scales{};  ///< of groups of 16
    alignas(32) std::array<std::int32_t, 8> factors{};  ///< scales of groups of 32, each as two words
    alignas(32) std::array<std::int16_t, 16> mins{};
    alignas(32) std::array<std::uint16_t, 64> indices{};  ///< of points, for codebooks of more than 256
    alignas(32) std::array<std::uint16_t, 32> signs{};    ///< of points, as stored_signs() reads them
};

// Super-blocks. An element is d · kFactor · (scale of its group) · (code − kOffset) + m · (min of its group);
// open() reads all but the codes; codes() has elements 32 · g to 32 · g + 31.

struct SuperCodes {
    static constexpr bool kSigned = false;
    static constexpr int kOffset = 0;
    static constexpr bool kMins = false;
    static constexpr bool kMagnitudes = false;  ///< whether streams use the magnitudes of activations
    static constexpr float kFactor = 1;
    static constexpr bool kUniform =
        false;  ///< whether all groups have the scale 1; then kMaxMagnitude is at most 3
    static constexpr bool kOpenAhead =
        false;  ///< whether streams open a super-block early, so that its products need not wait
};

/// The eight scales, then the eight mins, of q4_K and q5_K from their twelve bytes; four more are loaded.
SPLITSCOPE_AVX2 inline __m128i six_bits_of(const std::byte* packed) {
    // The first four of each are the low bits of the first two words; the others have their lower bits in the
    // third word, and their upper bits above the first four.
    const __m128i words = load_half(packed);
    const __m128i low = _mm_srlv_epi32(_mm_unpacklo_epi32(words, words), _mm_setr_epi32(0, 2, 0, 2));
    const __m128i high = _mm_srlv_epi32(_mm_shuffle_epi32(words, 0b10101010), _mm_setr_epi32(0, 0, 0, 4));
    return _mm_or_si128(_mm_and_si128(low, _mm_set1_epi64x(0x30303030'3F3F3F3F)),
                        _mm_and_si128(high, _mm_set1_epi64x(0x0F0F0F0F'00000000)));
}
SPLITSCOPE_AVX2 inline void store_words(__m256i words, std::array<std::int16_t, 16>& out) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(out.data()), words);
}

/// Stores the scales of groups of 32, which are lanes.
SPLITSCOPE_AVX2 inline void store_factors(__m256i lanes, SuperBlock& block) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(block.factors.data()),
                       _mm256_blend_epi16(lanes, _mm256_slli_epi32(lanes, 16), 0xAA));
}

/// The same for eight words.
SPLITSCOPE_AVX2 inline void store_factors(__m128i words, SuperBlock& block) {
    auto* const to = reinterpret_cast<__m128i*>(block.factors.data());
    _mm_store_si128(to, _mm_unpacklo_epi16(words, words));
    _mm_store_si128(to + 1, _mm_unpackhi_epi16(words, words));
}

template <bool kFifthBit>
struct SuperKMin : SuperCodes {
    static constexpr std::int64_t kBytes = kFifthBit ? sizeof(BlockQ5_K) : sizeof(BlockQ4_K);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = kFifthBit ? 31 : 15;
    static constexpr int kGroup = 32;
    static constexpr bool kMins = true;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const __m128 d_and_m = _mm_cvtph_ps(_mm_loadu_si32(w));
        block.d = _mm_cvtss_f32(d_and_m);
        block.m = -_mm_cvtss_f32(_mm_movehdup_ps(d_and_m));
        const __m128i both = six_bits_of(w + 4);
        store_factors(_mm_cvtepu8_epi16(both), block);
        _mm_store_si128(reinterpret_cast<__m128i*>(block.mins.data()),
                        _mm_cvtepu8_epi16(_mm_unpackhi_epi64(both, both)));
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        const __m256i bytes = load_whole(w + (kFifthBit ? 48 : 16) + g / 2 * 32);
        __m256i codes =
            _mm256_and_si256(g % 2 == 0 ? bytes : _mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
        if constexpr (kFifthBit) {
            codes = _mm256_or_si256(codes, shift_and_mask(load_whole(w + 16), 4 - g, 16));
        }
        return codes;
    }
};

SPLITSCOPE_AVX2 inline __m256i two_bits_of(__m256i bytes, int pair) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 2 * pair), _mm256_set1_epi8(3));
}

struct SuperQ2K : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockQ2_K);
    static constexpr int kMaxMagnitude = 3;
    static constexpr int kGroup = 16;
    static constexpr bool kMins = true;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const __m256i packed = _mm256_cvtepu8_epi16(load_half(w));
        store_words(_mm256_and_si256(packed, _mm256_set1_epi16(15)), block.scales);
        store_words(_mm256_srli_epi16(packed, 4), block.mins);
        block.d = load_f16(w + 80);
        block.m = -load_f16(w + 82);
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        return two_bits_of(load_whole(w + 16 + g / 4 * 32), g % 4);
    }
};

struct SuperQ3K : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockQ3_K);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 7;
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 4;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        // Lower four bits of sixteen scales in eight bytes, upper two in the next four.
        const auto low = load_as<std::uint64_t>(w + 96);
        const __m128i lower = _mm_set_epi64x(static_cast<long long>(low >> 4), static_cast<long long>(low));
        const __m128i upper =
            _mm_srlv_epi32(_mm_set1_epi32(load_as<std::int32_t>(w + 104)), _mm_setr_epi32(0, 2, 4, 6));
        const __m128i scales = _mm_or_si128(_mm_and_si128(lower, _mm_set1_epi8(15)),
                                            _mm_slli_epi16(_mm_and_si128(upper, _mm_set1_epi8(3)), 4));
        store_words(_mm256_sub_epi16(_mm256_cvtepu8_epi16(scales), _mm256_set1_epi16(32)), block.scales);
        block.d = load_f16(w + 108);
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        const __m256i low = two_bits_of(load_whole(w + 32 + g / 4 * 32), g % 4);
        return _mm256_or_si256(low, shift_and_mask(load_whole(w), 2 - g, 4));
    }
};

struct SuperQ6K : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockQ6_K);
    static constexpr int kMaxMagnitude = 63;
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 32;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        store_words(_mm256_cvtepi8_epi16(load_half(w + 192)), block.scales);
        block.d = load_f16(w + 208);
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        // Per half of a block, four groups: low, low, high, high nibbles, and two more bits each.
        const int part = g % 4;
        const __m256i bytes = load_whole(w + g / 4 * 64 + part % 2 * 32);
        const __m256i low =
            _mm256_and_si256(part < 2 ? bytes : _mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
        return _mm256_or_si256(low, shift_and_mask(load_whole(w + 128 + g / 4 * 32), 4 - 2 * part, 0x30));
    }
};

struct SuperIq4Xs : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockIq4Xs);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 127;
    static constexpr bool kSigned = true;
    static constexpr bool kMagnitudes = true;
    static constexpr int kGroup = 32;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32(load_as<std::int32_t>(w + 4)),
                                              _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
        const __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(load_as<std::uint16_t>(w + 2)),
                                               _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
        const __m256i scales = _mm256_sub_epi32(
            _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(15)),
                            _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4)),
            _mm256_set1_epi32(32));
        store_factors(scales, block);
        block.d = load_f16(w);
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        return lookup_nibbles(kIq4Values, unpack_nibbles(load_half(w + 8 + g * 16)));
    }
};

struct SuperTq2 : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockTq2_0);
    static constexpr bool kUniform = true;
    static constexpr int kMaxMagnitude = 3;
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 1;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.factors.fill(0x10001);
        block.d = load_f16(w + 64);
    }
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        return two_bits_of(load_whole(w + g / 4 * 32), g % 4);
    }
};

/// Bytes times `factors` (at most 127, each repeated for both bytes of a word), as words.
struct ByteProducts {
    __m256i even;
    __m256i odd;

    SPLITSCOPE_AVX2 ByteProducts(__m256i bytes, __m256i factors)
        : even(_mm256_maddubs_epi16(bytes, _mm256_and_si256(factors, _mm256_set1_epi16(0xFF)))),
          odd(_mm256_maddubs_epi16(bytes, _mm256_andnot_si256(_mm256_set1_epi16(0xFF), factors))) {}
    SPLITSCOPE_AVX2 ByteProducts(__m256i bytes, char factor)
        : ByteProducts(bytes, _mm256_set1_epi8(factor)) {}

    SPLITSCOPE_AVX2 __m256i upper() const { return interleave(_mm256_srli_epi16(even, 8), odd); }
    SPLITSCOPE_AVX2 __m256i lower() const { return interleave(even, _mm256_slli_epi16(odd, 8)); }

 private:
    SPLITSCOPE_AVX2 static __m256i interleave(__m256i evens, __m256i odds) {
        return _mm256_blendv_epi8(evens, odds, _mm256_set1_epi16(static_cast<short>(0xFF00)));
    }
};

/// Bytes are fractions of 256 whose digits have base 3: nine times a byte has two digits, a number below
/// nine, before the point.
struct SuperTq1 : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockTq1_0);
    static constexpr bool kUniform = true;
    static constexpr int kMaxMagnitude = 2;
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 1;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.factors.fill(0x10001);
        block.d = load_f16(w + 52);
    }
    /// Five digits of 32 bytes, five of sixteen, four of four.
    SPLITSCOPE_AVX2 static __m256i codes(const std::byte* w, const SuperBlock&, int g) {
        const __m256i firsts = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x02, 0x02'02'01'01'01'00'00'00));
        const __m256i seconds = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x02, 0x01'00'02'01'00'02'01'00));
        if (g < 5) {
            const ByteProducts nines(load_whole(w), 9);
            if (g < 2) return _mm256_shuffle_epi8(g == 0 ? firsts : seconds, nines.upper());
            const ByteProducts next(nines.lower(), 9);
            if (g < 4) return _mm256_shuffle_epi8(g == 2 ? firsts : seconds, next.upper());
            return ByteProducts(next.lower(), 3).upper();
        }
        const __m256i middle = _mm256_broadcastsi128_si256(load_half(w + 32));
        if (g < 7) {
            const __m256i both = _mm256_blend_epi32(firsts, seconds, 0xF0);
            const ByteProducts nines(middle, 9);
            if (g == 5) return _mm256_shuffle_epi8(both, nines.upper());
            return _mm256_shuffle_epi8(both, ByteProducts(nines.lower(), 9).upper());
        }
        const __m256i ends =
            _mm256_blend_epi32(middle, _mm256_set1_epi32(load_as<std::int32_t>(w + 48)), 0xF0);
        const __m256i powers = _mm256_setr_epi32(0x51515151, 0x51515151, 0x51515151, 0x51515151, 0x01010101,
                                                 0x03030303, 0x09090909, 0x1B1B1B1B);
        return ByteProducts(ByteProducts(ends, powers).lower(), 3).upper();
    }
};

}  // namespace splitscope::cpu::kernels::avx2
