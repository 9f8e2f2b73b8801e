// SPDX-License-Identifier: MIT
// Extraction of 64 codes per step from blocks of the quantised types, for the AVX-512 VNNI kernels. Include
// only where these instructions are enabled.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <immintrin.h>

#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"

namespace splitscope::cpu::kernels {

#define SPLITSCOPE_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,f16c")))

// 64 codes per step: the products of one weight group fill eight (group 32) or four (group 16) neighbouring
// lanes.
constexpr std::int64_t kStep = 64;

SPLITSCOPE_VNNI inline __m512i codes_of_step(const std::int8_t* codes, std::int64_t left) {
    if (left >= kStep) return _mm512_loadu_si512(codes);
    return _mm512_zextsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes)));
}

SPLITSCOPE_VNNI inline __m128i load_16(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
SPLITSCOPE_VNNI inline __m256i load_32(const std::byte* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}

SPLITSCOPE_VNNI inline __m512i pair(__m256i first, __m256i second) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}

/// Low, then high nibbles of the first block's sixteen bytes, then those of the second's.
SPLITSCOPE_VNNI inline __m512i nibbles_of_two(const std::byte* first, const std::byte* second) {
    const __m512i bytes =
        _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(load_16(first)), 0xFF00, load_16(second));
    const __m512i shifted = _mm512_srlv_epi64(bytes, _mm512_setr_epi64(0, 0, 4, 4, 0, 0, 4, 4));
    return _mm512_and_si512(shifted, _mm512_set1_epi8(15));
}

/// A table of signed values with 128 added.
SPLITSCOPE_VNNI inline __m512i shifted_table(const std::array<std::int8_t, 16>& values) {
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values.data()));
    return _mm512_broadcast_i32x4(_mm_xor_si128(table, _mm_set1_epi8(-128)));
}

inline std::uint16_t bits_at(const std::byte* p) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, p, sizeof(bits));
    return bits;
}

// Per block type: the unsigned codes of two blocks, the offset that makes them unsigned, and the position of
// the binary16 scale. A min follows the scale.

struct StreamQ8_0 {
    static constexpr std::int64_t kBytes = sizeof(BlockQ8_0);
    static constexpr int kOffset = 128;
    static constexpr bool kMins = false;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return _mm512_xor_si512(pair(load_32(first + 2), load_32(second + 2)), _mm512_set1_epi8(-128));
    }
};
struct StreamQ4_0 {
    static constexpr std::int64_t kBytes = sizeof(BlockQ4_0);
    static constexpr int kOffset = 8;
    static constexpr bool kMins = false;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return nibbles_of_two(first + 2, second + 2);
    }
};
struct StreamQ4_1 {
    static constexpr std::int64_t kBytes = sizeof(BlockQ4_1);
    static constexpr int kOffset = 0;
    static constexpr bool kMins = true;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return nibbles_of_two(first + 4, second + 4);
    }
};
/// Adds the fifth bits of two blocks to their nibbles.
SPLITSCOPE_VNNI inline __m512i with_fifth_bits(__m512i nibbles, const std::byte* first,
                                               const std::byte* second) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::memcpy(&a, first, sizeof(a));
    std::memcpy(&b, second, sizeof(b));
    return _mm512_mask_add_epi8(nibbles, a | std::uint64_t{b} << 32, nibbles, _mm512_set1_epi8(16));
}
struct StreamQ5_0 {
    static constexpr std::int64_t kBytes = sizeof(BlockQ5_0);
    static constexpr int kOffset = 16;
    static constexpr bool kMins = false;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return with_fifth_bits(nibbles_of_two(first + 6, second + 6), first + 2, second + 2);
    }
};
struct StreamQ5_1 {
    static constexpr std::int64_t kBytes = sizeof(BlockQ5_1);
    static constexpr int kOffset = 0;
    static constexpr bool kMins = true;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return with_fifth_bits(nibbles_of_two(first + 8, second + 8), first + 4, second + 4);
    }
};
struct StreamIq4Nl {
    static constexpr std::int64_t kBytes = sizeof(BlockIq4Nl);
    static constexpr int kOffset = 128;
    static constexpr bool kMins = false;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return _mm512_shuffle_epi8(shifted_table(kIq4Values), nibbles_of_two(first + 2, second + 2));
    }
};
struct StreamMxfp4 {
    static constexpr std::int64_t kBytes = sizeof(BlockMxfp4);
    static constexpr int kOffset = 128;
    static constexpr bool kMins = false;
    SPLITSCOPE_VNNI static __m512i codes(const std::byte* first, const std::byte* second) {
        return _mm512_shuffle_epi8(shifted_table(kFp4Values), nibbles_of_two(first + 1, second + 1));
    }
};

/// Number of blocks whose scales are loaded together.
constexpr std::int64_t kBatch = 16;

/// Prefetches `bytes` from `p`. The rows of a product are too far apart for the hardware prefetcher.
SPLITSCOPE_VNNI inline void prefetch(const std::byte* p, std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes; i += 64)
        _mm_prefetch(reinterpret_cast<const char*>(p + i), _MM_HINT_T0);
}

/// The first 16-bit words of sixteen blocks of 18 bytes.
SPLITSCOPE_VNNI inline __m256i words_of_18(const std::byte* blocks) {
    // The scales are the words 0, 9, 18 … 135: sixteen words in two pairs of vectors.
    const __m512i low = _mm512_permutex2var_epi16(
        _mm512_loadu_si512(blocks), _mm512_zextsi128_si512(_mm_setr_epi16(0, 9, 18, 27, 36, 45, 54, 63)),
        _mm512_loadu_si512(blocks + 64));
    const __m512i high =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(blocks + 128),
                                  _mm512_zextsi128_si512(_mm_setr_epi16(8, 17, 26, 35, 44, 53, 62, 0)),
                                  _mm512_loadu_si512(blocks + 192));
    const __m128i all_high = _mm_insert_epi16(_mm512_castsi512_si128(high), bits_at(blocks + 270), 7);
    return _mm256_inserti128_si256(_mm512_castsi512_si256(low), all_high, 1);
}

/// The first four bytes of sixteen blocks of 20 bytes.
SPLITSCOPE_VNNI inline __m512i dwords_of_20(const std::byte* blocks) {
    // The dwords 0, 5, 10 … 75.
    const __m512i first = _mm512_permutex2var_epi32(
        _mm512_loadu_si512(blocks), _mm512_setr_epi32(0, 5, 10, 15, 20, 25, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        _mm512_loadu_si512(blocks + 64));
    const __m512i second =
        _mm512_permutex2var_epi32(_mm512_loadu_si512(blocks + 128),
                                  _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 3, 8, 13, 18, 23, 28, 0, 0, 0),
                                  _mm512_loadu_si512(blocks + 192));
    const __m512i last = _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 6, 11), _mm512_loadu_si512(blocks + 256));
    return _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(first, 0x1F80, second), 0xE000, last);
}

/// The first bytes of sixteen blocks of 17 bytes.
SPLITSCOPE_VNNI inline __m512i bytes_of_17(const std::byte* blocks) {
    // The 16-bit words with bytes 0, 17, 34 … 255; of every second word, the upper byte.
    const __m512i low = _mm512_permutex2var_epi16(
        _mm512_loadu_si512(blocks), _mm512_zextsi128_si512(_mm_setr_epi16(0, 8, 17, 25, 34, 42, 51, 59)),
        _mm512_loadu_si512(blocks + 64));
    const __m512i high =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(blocks + 128),
                                  _mm512_zextsi128_si512(_mm_setr_epi16(4, 12, 21, 29, 38, 46, 55, 63)),
                                  _mm512_loadu_si512(blocks + 192));
    const __m256i words =
        _mm256_inserti128_si256(_mm512_castsi512_si256(low), _mm512_castsi512_si128(high), 1);
    const __m512i shifts = _mm512_set1_epi64(std::int64_t{8} << 32);
    return _mm512_and_si512(_mm512_srlv_epi32(_mm512_cvtepu16_epi32(words), shifts), _mm512_set1_epi32(255));
}

/// quants::half_of_e8m0() of sixteen numbers.
SPLITSCOPE_VNNI inline __m512 halves_of_e8m0(__m512i e) {
    const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, _mm512_set1_epi32(1)), 23);
    const __m512i denormal = _mm512_sllv_epi32(_mm512_set1_epi32(0x0020'0000), e);
    const __mmask16 small = _mm512_cmplt_epi32_mask(e, _mm512_set1_epi32(2));
    return _mm512_castsi512_ps(_mm512_mask_mov_epi32(normal, small, denormal));
}

/// The scales of `count` blocks, at `offset` bytes into each; zero beyond `count`.
template <class S>
SPLITSCOPE_VNNI inline __m512 scales_of_batch(const std::byte* blocks, std::int64_t count,
                                              std::int64_t offset) {
    if constexpr (std::is_same_v<S, StreamMxfp4>) {
        if (count == kBatch) return halves_of_e8m0(bytes_of_17(blocks));
        alignas(64) float scales[kBatch] = {};
        for (std::int64_t i = 0; i < count; ++i) {
            scales[i] = quants::half_of_e8m0(std::to_integer<std::uint8_t>(blocks[i * S::kBytes]));
        }
        return _mm512_load_ps(scales);
    } else {
        if constexpr (S::kBytes == 18) {
            if (count == kBatch) return _mm512_cvtph_ps(words_of_18(blocks));
        }
        if constexpr (S::kBytes == 20) {
            if (count == kBatch) {
                const __m512i both =
                    _mm512_srlv_epi32(dwords_of_20(blocks), _mm512_set1_epi32(static_cast<int>(8 * offset)));
                return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(both));
            }
        }
        alignas(32) std::uint16_t halves[kBatch] = {};
        for (std::int64_t i = 0; i < count; ++i) halves[i] = bits_at(blocks + i * S::kBytes + offset);
        return _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(halves)));
    }
}

SPLITSCOPE_VNNI inline float half_at(const std::byte* p) {
    return _cvtsh_ss(bits_at(p));
}

/// In each half: the eight scales and eight mins of a q4_K or q5_K block, from its twelve bytes of them.
SPLITSCOPE_VNNI inline __m256i unpacked_scales(__m256i words) {
    // Six bits: the low halves are the first two words, the high halves have their lower bits in the third.
    const __m256i low =
        _mm256_srlv_epi32(_mm256_shuffle_epi32(words, 0x50), _mm256_setr_epi32(0, 2, 0, 2, 0, 2, 0, 2));
    const __m256i high =
        _mm256_srlv_epi32(_mm256_shuffle_epi32(words, 0xAA), _mm256_setr_epi32(0, 0, 0, 4, 0, 0, 0, 4));
    return _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi64x(0x30303030'3F3F3F3F)),
                           _mm256_and_si256(high, _mm256_set1_epi64x(0x0F0F0F0F'00000000)));
}

/// The eight scales and eight mins of q4_K and q5_K, as integers in sixteen bytes.
SPLITSCOPE_VNNI inline __m128i scales_and_mins(const std::byte* packed) {
    return _mm256_castsi256_si128(unpacked_scales(_mm256_castsi128_si256(load_16(packed))));
}
/// The same of two blocks, as words.
SPLITSCOPE_VNNI inline __m512i scales_and_mins(const std::byte* first, const std::byte* second) {
    return _mm512_cvtepu8_epi16(
        unpacked_scales(_mm256_inserti128_si256(_mm256_castsi128_si256(load_16(first)), load_16(second), 1)));
}

/// The 64 codes of step `part` of a q4_K or q5_K block.
template <bool kFifthBit>
SPLITSCOPE_VNNI inline __m512i codes_of_k_min(const std::byte* block, int part) {
    const __m512i bytes = _mm512_broadcast_i64x4(load_32(block + (kFifthBit ? 48 : 16) + part * 32));
    const __m512i shifted = _mm512_srlv_epi64(bytes, _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4));
    const __m512i codes = _mm512_and_si512(shifted, _mm512_set1_epi8(15));
    if constexpr (!kFifthBit) return codes;
    const __m256i high = load_32(block + 16);
    const __m512i bits = pair(_mm256_srli_epi16(high, 2 * part), _mm256_srli_epi16(high, 2 * part + 1));
    return _mm512_or_si512(codes, _mm512_slli_epi16(_mm512_and_si512(bits, _mm512_set1_epi8(1)), 4));
}

/// The eight scales of an iq4_xs block, as integers.
SPLITSCOPE_VNNI inline __m256i scales_of_iq4_xs(const std::byte* block) {
    // Behind the common scale the upper two bits of each, then the lower four.
    std::array<std::int32_t, 2> head{};
    std::memcpy(head.data(), block, sizeof(head));
    const __m256i fours = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i twos = _mm256_setr_epi32(16, 18, 20, 22, 24, 26, 28, 30);
    const __m256i lower =
        _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32(head[1]), fours), _mm256_set1_epi32(15));
    const __m256i upper =
        _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32(head[0]), twos), _mm256_set1_epi32(3));
    return _mm256_sub_epi32(_mm256_or_si256(lower, _mm256_slli_epi32(upper, 4)), _mm256_set1_epi32(32));
}

/// The 64 codes of step `step` of a q6_K block, shifted up by 32.
SPLITSCOPE_VNNI inline __m512i codes_of_q6_K(const std::byte* block, int step) {
    const int half = step / 2;
    const int part = step % 2;
    // Elements 0 … 63 of a half: low nibbles and the lower two pairs of bits.
    const __m512i low = _mm512_loadu_si512(block + half * 64);
    const __m256i high = load_32(block + 128 + half * 32);
    const __m512i nibbles =
        _mm512_and_si512(part == 0 ? low : _mm512_srli_epi16(low, 4), _mm512_set1_epi8(15));
    const __m512i pairs = pair(_mm256_srli_epi16(high, 4 * part), _mm256_srli_epi16(high, 4 * part + 2));
    return _mm512_or_si512(nibbles, _mm512_slli_epi16(_mm512_and_si512(pairs, _mm512_set1_epi8(3)), 4));
}

}  // namespace splitscope::cpu::kernels
