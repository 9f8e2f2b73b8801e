// SPDX-License-Identifier: MIT
// Internal to the AVX2 kernels: super-blocks whose codes are indices into a codebook (IQ1 to IQ3). Members as
// those in avx2_blocks.hpp, of an object that holds the address of the codebook. Where codes have signs,
// points() are their magnitudes and signs() is −1 or 1 for each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "backends/cpu/kernels/avx2_blocks.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/iq_grids.hpp"
#include "engine/tensor/quants/iq_words.hpp"

namespace splitscope::cpu::kernels::avx2 {

SPLITSCOPE_AVX2 inline __m256i four_words(const std::uint64_t* words, std::size_t a, std::size_t b,
                                          std::size_t c, std::size_t d) {
    // Broadcasts from memory, unlike insertions, do not occupy the shuffle units.
    const auto word = [words](std::size_t i)
                          SPLITSCOPE_AVX2 { return _mm256_set1_epi64x(static_cast<long long>(words[i])); };
    return _mm256_blend_epi32(_mm256_blend_epi32(word(a), word(b), 0b00001100),
                              _mm256_blend_epi32(word(c), word(d), 0b11000000), 0xF0);
}
/// The four words of group `g`, of which the indices have been unpacked.
SPLITSCOPE_AVX2 inline __m256i four_words_of(const std::uint64_t* words, const SuperBlock& block, int g) {
    const std::uint16_t* i = block.indices.data() + g * 4;
    return four_words(words, i[0], i[1], i[2], i[3]);
}
/// A sign for each bit; set bits are negative.
SPLITSCOPE_AVX2 inline __m256i signs_of_32(const std::byte* p) {
    return _mm256_or_si256(bytes_of_bits(load_as<std::uint32_t>(p)), _mm256_set1_epi8(1));
}

inline std::size_t byte_at(const std::byte* p) {
    return load_as<std::uint8_t>(p);
}

/// Twice each lane, plus one.
SPLITSCOPE_AVX2 inline void store_odd_factors(__m256i lanes, SuperBlock& block) {
    store_factors(_mm256_or_si256(_mm256_slli_epi32(lanes, 1), _mm256_set1_epi32(1)), block);
}
/// Twice each nibble, plus one: the low nibble of a byte, then the high one; sixteen nibbles.
SPLITSCOPE_AVX2 inline void store_odd_nibbles(std::uint64_t packed, SuperBlock& block) {
    const __m128i bytes = _mm_set_epi64x(0, static_cast<long long>(packed));
    const __m128i both = _mm_unpacklo_epi8(bytes, _mm_srli_epi16(bytes, 4));
    const __m256i words = _mm256_cvtepu8_epi16(_mm_and_si128(both, _mm_set1_epi8(15)));
    store_words(_mm256_or_si256(_mm256_slli_epi16(words, 1), _mm256_set1_epi16(1)), block.scales);
}

/// Stores 32 words, given their bytes.
SPLITSCOPE_AVX2 inline void store_pairs(__m256i lower, __m256i upper, std::uint16_t* out) {
    const __m256i first = _mm256_unpacklo_epi8(lower, upper);
    const __m256i second = _mm256_unpackhi_epi8(lower, upper);
    auto* const to = reinterpret_cast<__m256i*>(out);
    _mm256_store_si256(to, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_store_si256(to + 1, _mm256_permute2x128_si256(first, second, 0x31));
}
/// Stores 32 indices, given their bytes.
SPLITSCOPE_AVX2 inline void store_indices(__m256i lower, __m256i upper, std::size_t at, SuperBlock& block) {
    store_pairs(lower, upper, block.indices.data() + at);
}
/// Optimisation barrier: loads of single indices are cheaper than extracting them from vectors.
SPLITSCOPE_AVX2 inline void keep_indices_in_memory(SuperBlock& block) {
    asm("" : "+m"(block.indices));
}

/// Keeps the bits in `rest`, and shifts the others up into `moved`.
SPLITSCOPE_AVX2 inline __m256i move_half(__m256i lanes, int rest, int up, unsigned moved) {
    return _mm256_or_si256(
        _mm256_and_si256(lanes, _mm256_set1_epi32(rest)),
        _mm256_and_si256(_mm256_slli_epi32(lanes, up), _mm256_set1_epi32(static_cast<int>(moved))));
}
/// Eight lanes, each four times seven signs, then a scale of four bits. The eighth of each seven signs makes
/// the number of negative ones even.
SPLITSCOPE_AVX2 inline void store_signs_and_scales(__m256i lanes, SuperBlock& block) {
    store_odd_factors(_mm256_srli_epi32(lanes, 28), block);
    const __m256i fourteen = move_half(lanes, 0x00003FFF, 2, 0x3FFF0000);
    // From bit 1 of each byte on.
    const __m256i sevens = move_half(_mm256_slli_epi32(fourteen, 1), 0x00FE00FE, 1, 0xFE00FE00);
    const __m256i folded = _mm256_xor_si256(sevens, _mm256_srli_epi16(sevens, 4));
    const __m256i odd_of_nibble =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 2, 2, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 2, 2, 0));
    const __m256i eighth = _mm256_shuffle_epi8(odd_of_nibble, _mm256_and_si256(folded, _mm256_set1_epi8(15)));
    store_pairs(eighth, sevens, block.signs.data());
    asm("" : "+m"(block.signs));
}
/// A sign for each bit of group `g`, where block.signs are, per eight codes, the eighth sign in bit 1 and the
/// others in bits 9 to 15.
SPLITSCOPE_AVX2 inline __m256i stored_signs(const SuperBlock& block, int g) {
    std::int64_t four = 0;
    std::memcpy(&four, block.signs.data() + g * 4, sizeof(four));
    const __m256i lanes =
        _mm256_setr_epi64x(0x0001010101010101, 0x0203030303030303, 0x0405050505050505, 0x0607070707070707);
    const __m256i each = _mm256_set1_epi64x(0x0280402010080402);
    const __m256i spread = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi64x(four), lanes), each);
    return _mm256_sub_epi8(_mm256_sub_epi8(each, _mm256_set1_epi8(1)), spread);
}

struct SignedPoints : SuperCodes {
    static constexpr bool kSigned = true;
};

struct SuperIq2Xxs : SignedPoints {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xxs);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 43;
    static constexpr int kGroup = 32;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_xxs_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.d = load_f16(w);
        // Each eight bytes are four indices, then signs and scale.
        const __m256 upper =
            _mm256_shuffle_ps(_mm256_castsi256_ps(load_whole(w + 2)), _mm256_castsi256_ps(load_whole(w + 34)),
                              _MM_SHUFFLE(3, 1, 3, 1));
        store_signs_and_scales(_mm256_permute4x64_epi64(_mm256_castps_si256(upper), _MM_SHUFFLE(3, 1, 2, 0)),
                               block);
    }
    SPLITSCOPE_AVX2 __m256i points(const std::byte* w, const SuperBlock&, int g) const {
        const std::byte* p = w + 2 + g * 8;
        return four_words(words, byte_at(p), byte_at(p + 1), byte_at(p + 2), byte_at(p + 3));
    }
    SPLITSCOPE_AVX2 static __m256i signs(const std::byte*, const SuperBlock& block, int g) {
        return stored_signs(block, g);
    }
};

struct SuperIq2Xs : SignedPoints {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xs);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 43;
    static constexpr int kGroup = 16;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_xs_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.d = load_f16(w);
        store_odd_nibbles(load_as<std::uint64_t>(w + 66), block);
        // A word is the index of a point in nine bits, and seven signs. The eighth sign makes their number
        // even.
        for (std::size_t i = 0; i < 32; i += 16) {
            const __m256i packed = load_whole(w + 2 + i * 2);
            const auto store = [i](__m256i numbers, auto& to) SPLITSCOPE_AVX2 {
                _mm256_store_si256(reinterpret_cast<__m256i*>(to.data() + i), numbers);
            };
            store(_mm256_and_si256(packed, _mm256_set1_epi16(511)), block.indices);
            const __m256i seven = _mm256_andnot_si256(_mm256_set1_epi16(511), packed);
            const __m256i folded = _mm256_xor_si256(seven, _mm256_srli_epi16(seven, 4));
            const __m256i odd = _mm256_shuffle_epi8(
                _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0001010001000001, 0x0100000100010100)),
                _mm256_and_si256(folded, _mm256_set1_epi16(0x0F00)));
            store(_mm256_or_si256(seven, _mm256_srli_epi16(odd, 7)), block.signs);
        }
        keep_indices_in_memory(block);
        asm("" : "+m"(block.signs));
    }
    SPLITSCOPE_AVX2 __m256i points(const std::byte*, const SuperBlock& block, int g) const {
        return four_words_of(words, block, g);
    }
    SPLITSCOPE_AVX2 static __m256i signs(const std::byte*, const SuperBlock& block, int g) {
        return stored_signs(block, g);
    }
};

struct SuperIq2S : SignedPoints {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2S);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 43;
    static constexpr int kGroup = 16;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_s_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.d = load_f16(w);
        store_odd_nibbles(load_as<std::uint64_t>(w + 74), block);
        store_indices(load_whole(w + 2), pairs_of_bits(w + 66), 0, block);
        keep_indices_in_memory(block);
    }
    SPLITSCOPE_AVX2 __m256i points(const std::byte*, const SuperBlock& block, int g) const {
        return four_words_of(words, block, g);
    }
    SPLITSCOPE_AVX2 static __m256i signs(const std::byte* w, const SuperBlock&, int g) {
        return signs_of_32(w + 34 + g * 4);
    }
};

SPLITSCOPE_AVX2 inline __m256i eight_words(const std::uint32_t* words, const std::array<std::size_t, 8>& i) {
    const auto word = [&](std::size_t k) { return static_cast<int>(words[i[k]]); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

struct SuperIq3Xxs : SignedPoints {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3Xxs);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 62;
    static constexpr int kGroup = 32;
    static constexpr float kFactor = 0.25F;
    const std::uint32_t* words = quants::iq3_xxs_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.d = load_f16(w);
        store_signs_and_scales(load_whole(w + 66), block);
    }
    SPLITSCOPE_AVX2 __m256i points(const std::byte* w, const SuperBlock&, int g) const {
        const std::byte* p = w + 2 + g * 8;
        return eight_words(words, {byte_at(p), byte_at(p + 1), byte_at(p + 2), byte_at(p + 3), byte_at(p + 4),
                                   byte_at(p + 5), byte_at(p + 6), byte_at(p + 7)});
    }
    SPLITSCOPE_AVX2 static __m256i signs(const std::byte*, const SuperBlock& block, int g) {
        return stored_signs(block, g);
    }
};

struct SuperIq3S : SignedPoints {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3S);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 15;
    static constexpr int kGroup = 32;
    const std::uint32_t* words = quants::iq3_s_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.d = load_f16(w);
        const __m256i nibbles = _mm256_srlv_epi32(_mm256_set1_epi32(load_as<std::int32_t>(w + 106)),
                                                  _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
        store_odd_factors(_mm256_and_si256(nibbles, _mm256_set1_epi32(15)), block);
        for (std::size_t i = 0; i < 64; i += 32) {
            const __m256i ninth = bytes_of_bits(load_as<std::uint32_t>(w + 66 + i / 8));
            store_indices(load_whole(w + 2 + i), _mm256_and_si256(ninth, _mm256_set1_epi8(1)), i, block);
        }
        keep_indices_in_memory(block);
    }
    SPLITSCOPE_AVX2 __m256i points(const std::byte*, const SuperBlock& block, int g) const {
        const std::uint16_t* i = block.indices.data() + g * 8;
        return eight_words(words, {i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]});
    }
    SPLITSCOPE_AVX2 static __m256i signs(const std::byte* w, const SuperBlock&, int g) {
        return signs_of_32(w + 74 + g * 4);
    }
};

// Points of IQ1 are eight times 0, 1 or 2; less 9, or 7 where the shift is positive.

struct SuperIq1S : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1S);
    static constexpr int kMaxMagnitude = 16;
    static constexpr int kGroup = 32;
    static constexpr float kFactor = 0.125F;
    static constexpr bool kMins = true;
    const std::uint64_t* words = quants::iq1_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const __m128i high = load_half(w + 34);
        const __m128i three = _mm_and_si128(_mm_srli_epi16(high, 12), _mm_set1_epi16(7));
        const __m128i twice = _mm_or_si128(_mm_slli_epi16(three, 2), _mm_set1_epi16(2));
        const __m128i scales = _mm_srli_epi16(twice, 1);
        const __m128i more = _mm_and_si128(twice, _mm_srai_epi16(high, 15));
        store_factors(scales, block);
        _mm_store_si128(reinterpret_cast<__m128i*>(block.mins.data()),
                        _mm_add_epi16(_mm_mullo_epi16(scales, _mm_set1_epi16(7)), more));
        block.d = load_f16(w);
        block.m = -kFactor * block.d;
    }
    SPLITSCOPE_AVX2 __m256i codes(const std::byte* w, const SuperBlock&, int g) const {
        const std::byte* p = w + 2 + g * 4;
        const std::size_t high = load_as<std::uint16_t>(w + 34 + g * 2);
        return four_words(words, byte_at(p) | (high << 8 & 0x700u), byte_at(p + 1) | (high << 5 & 0x700u),
                          byte_at(p + 2) | (high << 2 & 0x700u), byte_at(p + 3) | (high >> 1 & 0x700u));
    }
};

struct SuperIq1M : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1M);
    static constexpr bool kOpenAhead = true;
    static constexpr int kMaxMagnitude = 18;
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 9;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq1_words().data();

    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const __m256i bytes = _mm256_set1_epi64x(load_as<std::int64_t>(w + 48));
        const __m256i lanes = _mm256_setr_epi64x(0x0100010001000100, 0x0302030203020302, 0x0504050405040504,
                                                 0x0706070607060706);
        // Moves the three bits of each to the same place.
        const __m256i moved =
            _mm256_mullo_epi16(_mm256_shuffle_epi8(bytes, lanes), _mm256_set1_epi64x(0x0001'0008'0040'0200));
        const __m256i twice = _mm256_and_si256(_mm256_srli_epi16(moved, 8), _mm256_set1_epi16(14));
        store_words(_mm256_or_si256(twice, _mm256_set1_epi16(1)), block.scales);
        // The upper four bits of each word are a fourth of d.
        const auto packed = load_as<std::uint64_t>(w + 48);
        const std::uint64_t d = (packed >> 12 & 0xFu) | (packed >> 24 & 0xF0u) | (packed >> 36 & 0xF00u) |
                                (packed >> 48 & 0xF000u);
        block.d = _cvtsh_ss(static_cast<std::uint16_t>(d));
        const __m128i upper = load_half(w + 32);
        const __m128i shifted = _mm_srli_epi16(upper, 4);
        const __m256i nibbles =
            concat_halves(_mm_unpacklo_epi8(upper, shifted), _mm_unpackhi_epi8(upper, shifted));
        store_indices(load_whole(w), _mm256_and_si256(nibbles, _mm256_set1_epi8(7)), 0, block);
        keep_indices_in_memory(block);
    }
    SPLITSCOPE_AVX2 __m256i codes(const std::byte* w, const SuperBlock& block, int g) const {
        const std::size_t high = load_as<std::uint16_t>(w + 32 + g * 2);
        const __m256i codes = four_words_of(words, block, g);
        const __m256i negative = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(high)),
                                                  _mm256_setr_epi64x(0x8, 0x80, 0x800, 0x8000));
        const __m256i positive = _mm256_cmpeq_epi64(negative, _mm256_setzero_si256());
        return _mm256_or_si256(codes, _mm256_and_si256(positive, _mm256_set1_epi8(2)));
    }
};

}  // namespace splitscope::cpu::kernels::avx2
