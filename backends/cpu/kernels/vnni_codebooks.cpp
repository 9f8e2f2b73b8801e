// SPDX-License-Identifier: MIT
// Streams of the IQ1, IQ2 and IQ3 types for AVX-512 VNNI: points are looked up as words of unsigned bytes,
// and signs are applied to the activations.
#include "backends/cpu/kernels/vnni.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <chrono>

#include "backends/cpu/kernels/vnni_steps.hpp"
#include "engine/tensor/quants/iq_words.hpp"

namespace splitscope::cpu::kernels {
namespace {

/// A super-block without its points.
struct OpenBlock {
    __m256i scales;  ///< one word for each group
    float d;
    alignas(64) std::array<std::uint16_t, 64> points;  ///< indices, if they are not whole bytes
    alignas(32) std::array<std::uint64_t, 4> signs;    ///< of each step: set bits are negative elements
    std::uint32_t raised;                              ///< iq1: points that are shifted up, one bit each
};

template <class Index>
SPLITSCOPE_VNNI inline __m512i qword_indices(const Index* points) {
    const auto* p = reinterpret_cast<const __m128i*>(points);
    return sizeof(Index) == 1 ? _mm512_cvtepu8_epi64(_mm_loadl_epi64(p))
                              : _mm512_cvtepu16_epi64(_mm_loadu_si128(p));
}

template <class Index>
SPLITSCOPE_VNNI inline __m512i dword_indices(const Index* points) {
    if constexpr (sizeof(Index) == 1) {
        return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(points)));
    } else {
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(points)));
    }
}

/// Eight words of eight bytes.
template <bool kGather, class Index>
SPLITSCOPE_VNNI inline __m512i points_of(const std::uint64_t* words, const Index* points) {
    if constexpr (kGather) return _mm512_i64gather_epi64(qword_indices(points), words, 8);
    const auto word = [&](int i) { return static_cast<long long>(words[points[i]]); };
    return _mm512_setr_epi64(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

/// Sixteen words of four bytes.
template <bool kGather, class Index>
SPLITSCOPE_VNNI inline __m512i points_of(const std::uint32_t* words, const Index* points) {
    if constexpr (kGather) return _mm512_i32gather_epi32(dword_indices(points), words, 4);
    const auto word = [&](int i) { return static_cast<int>(words[points[i]]); };
    return _mm512_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7), word(8),
                             word(9), word(10), word(11), word(12), word(13), word(14), word(15));
}

/// Sign rows of seven bits in each byte, completed by a bit that makes their parity even.
SPLITSCOPE_VNNI inline __m512i with_even_parity(__m512i rows) {
    const __m512i nibbles =
        _mm512_and_si512(_mm512_xor_si512(rows, _mm512_srli_epi16(rows, 4)), _mm512_set1_epi8(15));
    const __m512i odd = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, -128, -128, 0, -128, 0, 0, -128, -128, 0, 0, -128, 0, -128, -128, 0));
    return _mm512_or_si512(rows, _mm512_shuffle_epi8(odd, nibbles));
}

/// From the last words of each group of iq2_xxs and iq3_xxs: four sign rows of seven bits, a scale of four.
SPLITSCOPE_VNNI inline void open_signs_and_scales(__m512i rest, OpenBlock& block) {
    const auto row = [rest](unsigned shift, long long mask) SPLITSCOPE_VNNI {
        return _mm512_and_si512(_mm512_slli_epi64(rest, shift), _mm512_set1_epi64(mask));
    };
    const __m512i rows = _mm512_or_si512(_mm512_or_si512(row(0, 0x7F), row(1, 0x7F00)),
                                         _mm512_or_si512(row(2, 0x7F0000), row(3, 0x7F000000)));
    const __m256i signs = _mm512_cvtepi64_epi32(with_even_parity(rows));
    _mm256_store_si256(reinterpret_cast<__m256i*>(block.signs.data()), signs);
    const __m128i scales = _mm512_cvtepi64_epi16(_mm512_srli_epi64(rest, 28));
    block.scales = _mm256_zextsi128_si256(_mm_add_epi16(_mm_add_epi16(scales, scales), _mm_set1_epi16(1)));
}

/// Twice the nibbles, plus one, as words: the low nibble of a byte, then the high one.
SPLITSCOPE_VNNI inline __m256i odd_scales(__m128i bytes) {
    const __m128i low = _mm_and_si128(bytes, _mm_set1_epi8(15));
    const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
    const __m256i words = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(low, high));
    return _mm256_add_epi16(_mm256_add_epi16(words, words), _mm256_set1_epi16(1));
}

SPLITSCOPE_VNNI inline __m128i load_8(const std::byte* p) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}

// Per type: opening a block, and the 64 codes of a step. An element is d · kFactor · (scale of its group) ·
// ±(code − kOffset).

struct Iq2Xxs {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xxs);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 0;
    static constexpr bool kSigns = true;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_xxs_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        const __m512i parts = _mm512_loadu_si512(w + 2);
        open_signs_and_scales(_mm512_srli_epi64(parts, 32), block);
        // Four indices of a byte for each group.
        _mm256_store_si256(reinterpret_cast<__m256i*>(block.points.data()), _mm512_cvtepi64_epi32(parts));
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return points_of<kGather>(words,
                                  reinterpret_cast<const std::uint8_t*>(block.points.data()) + step * 8);
    }
};

struct Iq2Xs {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xs);
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 0;
    static constexpr bool kSigns = true;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_xs_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        const __m512i points = _mm512_loadu_si512(w + 2);
        _mm512_store_si512(block.points.data(), _mm512_and_si512(points, _mm512_set1_epi16(511)));
        const __m256i rows = _mm512_cvtepi16_epi8(_mm512_srli_epi16(points, 9));
        _mm256_store_si256(reinterpret_cast<__m256i*>(block.signs.data()),
                           _mm512_castsi512_si256(with_even_parity(_mm512_castsi256_si512(rows))));
        block.scales = odd_scales(load_8(w + 66));
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return points_of<kGather>(words, block.points.data() + step * 8);
    }
};

/// Stores 32 indices: their low bytes and, above them, the given bits.
SPLITSCOPE_VNNI inline void store_points(const std::byte* low, __m512i high, OpenBlock& block) {
    const __m512i bytes = _mm512_cvtepu8_epi16(load_32(low));
    _mm512_store_si512(block.points.data(), _mm512_or_si512(bytes, _mm512_slli_epi16(high, 8)));
}

/// Each of eight words four times, shifted right by 0, `bits`, 2 · `bits` and 3 · `bits`.
SPLITSCOPE_VNNI inline __m512i four_fields_of(__m128i eight, short bits) {
    const __m512i lanes = _mm512_set_epi16(7, 7, 7, 7, 6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2,
                                           2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
    const __m512i all = _mm512_permutexvar_epi16(lanes, _mm512_castsi128_si512(eight));
    const auto shifts =
        _mm512_set1_epi64(static_cast<long long>(bits) << 16 | static_cast<long long>(2 * bits) << 32 |
                          static_cast<long long>(3 * bits) << 48);
    return _mm512_srlv_epi16(all, shifts);
}

struct Iq2S {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2S);
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 0;
    static constexpr bool kSigns = true;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq2_s_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        const __m512i high = four_fields_of(_mm_cvtepu8_epi16(load_8(w + 66)), 2);
        store_points(w + 2, _mm512_and_si512(high, _mm512_set1_epi16(3)), block);
        _mm256_store_si256(reinterpret_cast<__m256i*>(block.signs.data()), load_32(w + 34));
        block.scales = odd_scales(load_8(w + 74));
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return points_of<kGather>(words, block.points.data() + step * 8);
    }
};

struct Iq3Xxs {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3Xxs);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 0;
    static constexpr bool kSigns = true;
    static constexpr float kFactor = 0.25F;
    const std::uint32_t* words = quants::iq3_xxs_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        open_signs_and_scales(_mm512_cvtepu32_epi64(load_32(w + 66)), block);
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte* w, const OpenBlock&, int step) const {
        return points_of<kGather>(words, reinterpret_cast<const std::uint8_t*>(w + 2 + step * 16));
    }
};

struct Iq3S {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3S);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 0;
    static constexpr bool kSigns = true;
    static constexpr float kFactor = 1;
    const std::uint32_t* words = quants::iq3_s_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        std::uint64_t high = 0;
        std::memcpy(&high, w + 66, sizeof(high));
        const auto store = [&](int half) SPLITSCOPE_VNNI {
            const __m512i bytes = _mm512_cvtepu8_epi16(load_32(w + 2 + half * 32));
            const auto ninth = static_cast<__mmask32>(high >> (32 * half));
            _mm512_store_si512(block.points.data() + half * 32,
                               _mm512_mask_add_epi16(bytes, ninth, bytes, _mm512_set1_epi16(256)));
        };
        store(0);
        store(1);
        _mm256_store_si256(reinterpret_cast<__m256i*>(block.signs.data()), load_32(w + 74));
        std::uint32_t scales = 0;
        std::memcpy(&scales, w + 106, sizeof(scales));
        block.scales = odd_scales(_mm_cvtsi32_si128(static_cast<int>(scales)));
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return points_of<kGather>(words, block.points.data() + step * 16);
    }
};

/// Points of iq1 are eight times 0, 1 or 2; shifted up, two more.
template <bool kGather>
SPLITSCOPE_VNNI inline __m512i iq1_codes(const std::uint64_t* words, const OpenBlock& block, int step) {
    const __m512i codes = points_of<kGather>(words, block.points.data() + step * 8);
    const auto raised = static_cast<__mmask8>(block.raised >> (8 * step));
    return _mm512_mask_or_epi64(codes, raised, codes, _mm512_set1_epi8(2));
}

struct Iq1S {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1S);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 9;
    static constexpr bool kSigns = false;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq1_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        const __m128i parts = load_16(w + 34);
        const __m512i fields = four_fields_of(parts, 3);
        store_points(w + 2, _mm512_and_si512(fields, _mm512_set1_epi16(7)), block);
        const __m512i signs = four_fields_of(parts, 0);
        block.raised = ~static_cast<std::uint32_t>(_mm512_movepi16_mask(signs));
        // Bits 12 to 14 twice, plus one.
        const __m128i scales = _mm_and_si128(_mm_srli_epi16(parts, 11), _mm_set1_epi16(14));
        block.scales = _mm256_zextsi128_si256(_mm_or_si128(scales, _mm_set1_epi16(1)));
        block.d = half_at(w);
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return iq1_codes<kGather>(words, block, step);
    }
};

struct Iq1M {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1M);
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 9;
    static constexpr bool kSigns = false;
    static constexpr float kFactor = 0.125F;
    const std::uint64_t* words = quants::iq1_words().data();

    SPLITSCOPE_VNNI static void open(const std::byte* w, OpenBlock& block) {
        const __m128i bytes = load_16(w + 32);
        const __m128i low = _mm_and_si128(bytes, _mm_set1_epi8(15));
        const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
        const __m512i nibbles = _mm512_cvtepu8_epi16(_mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_unpacklo_epi8(low, high)), _mm_unpackhi_epi8(low, high), 1));
        store_points(w, _mm512_and_si512(nibbles, _mm512_set1_epi16(7)), block);
        block.raised = _mm512_testn_epi16_mask(nibbles, _mm512_set1_epi16(8));
        std::uint64_t packed = 0;
        std::memcpy(&packed, w + 48, sizeof(packed));
        const __m512i fields = four_fields_of(_mm_cvtsi64_si128(static_cast<long long>(packed)), 3);
        const __m256i scales = _mm256_and_si256(_mm512_castsi512_si256(fields), _mm256_set1_epi16(7));
        block.scales = _mm256_add_epi16(_mm256_add_epi16(scales, scales), _mm256_set1_epi16(1));
        const auto nibble_of_d = [packed](unsigned word) { return packed >> (16 * word + 12) & 15u; };
        block.d = _cvtsh_ss(static_cast<std::uint16_t>(nibble_of_d(0) | nibble_of_d(1) << 4 |
                                                       nibble_of_d(2) << 8 | nibble_of_d(3) << 12));
    }
    template <bool kGather>
    SPLITSCOPE_VNNI __m512i codes(const std::byte*, const OpenBlock& block, int step) const {
        return iq1_codes<kGather>(words, block, step);
    }
};

template <bool kGather, class S>
SPLITSCOPE_VNNI inline __m512i products_of_step(const S& source, const std::byte* w, const OpenBlock& block,
                                                const std::int8_t* x, int step) {
    __m512i xk = _mm512_loadu_si512(x + step * kStep);
    if constexpr (S::kSigns) {
        xk = _mm512_mask_subs_epi8(xk, block.signs[static_cast<std::size_t>(step)], _mm512_setzero_si512(),
                                   xk);
    }
    return _mm512_dpbusd_epi32(_mm512_setzero_si512(), source.template codes<kGather>(w, block, step), xk);
}

/// Σ scale · sum over a block's groups, the part of the result that the offset takes away.
template <class S>
SPLITSCOPE_VNNI inline __m512 scaled_sums(__m256i scales, const float* sums) {
    const __m512 factors = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(scales));
    constexpr auto kPresent = static_cast<__mmask16>(S::kGroup == 16 ? 0xFFFF : 0xFF);
    return _mm512_mul_ps(factors, _mm512_maskz_loadu_ps(kPresent, sums));
}

template <class S, bool kGather>
SPLITSCOPE_VNNI void codebook_rows(const StreamTile& t) {
    const S source;
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += S::kBytes) {
            prefetch_ahead(w, S::kBytes);
            OpenBlock block;
            S::open(w, block);
            const std::int8_t* x = t.x.codes + k;
            __m512i sum = _mm512_setzero_si512();
            for (int step = 0; step < 4; step += 2) {
                const __m512i both =
                    _mm512_packs_epi32(products_of_step<kGather>(source, w, block, x, step),
                                       products_of_step<kGather>(source, w, block, x, step + 1));
                sum = _mm512_dpwssd_epi32(sum, both, words_of_steps<S::kGroup>(step, block.scales));
            }
            const __m512 factor = _mm512_set1_ps(block.d * S::kFactor);
            total = _mm512_fmadd_ps(
                _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(t.x.scales[k / 32])), factor, total);
            if constexpr (S::kOffset != 0) {
                const __m512 under = scaled_sums<S>(block.scales, t.x_sums + k / S::kGroup);
                total = _mm512_fnmadd_ps(under, _mm512_mul_ps(factor, _mm512_set1_ps(S::kOffset)), total);
            }
        }
        t.out[row] = _mm512_reduce_add_ps(total);
    }
}

/// Seconds of a few hundred look-ups, the fastest of several tries.
template <bool kGather>
SPLITSCOPE_VNNI double seconds_of_look_ups() {
    using Clock = std::chrono::steady_clock;
    constexpr int kTries = 8;
    constexpr int kSteps = 64;
    const std::uint64_t* words = quants::iq2_xxs_words().data();
    std::array<std::uint8_t, 8 * kSteps> points;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<std::uint8_t>(i * 37);
    double best = 1;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        __m512i sum = _mm512_setzero_si512();
        const auto begin = Clock::now();
        for (int step = 0; step < kSteps; ++step)
            sum = _mm512_add_epi64(sum, points_of<kGather>(words, points.data() + step * 8));
        const auto end = Clock::now();
        // Keeps the sum, and the work with it.
        points[0] = static_cast<std::uint8_t>(_mm512_reduce_add_epi64(sum));
        best = std::min(best, std::chrono::duration<double>(end - begin).count());
    }
    return best;
}

/// With the Downfall (GDS) mitigation, gathers are slower than scalar loads. The results are the same.
bool gathers_are_fast() {
    static const bool fast = seconds_of_look_ups<true>() < seconds_of_look_ups<false>();
    return fast;
}

template <class S>
bool rows_of(const StreamTile& tile) {
    if (gathers_are_fast()) {
        codebook_rows<S, true>(tile);
    } else {
        codebook_rows<S, false>(tile);
    }
    return true;
}

}  // namespace

bool multiply_codebook_stream_vnni(const StreamTile& tile) {
    switch (tile.type) {
        case ElementType::iq2_xxs:
            return rows_of<Iq2Xxs>(tile);
        case ElementType::iq2_xs:
            return rows_of<Iq2Xs>(tile);
        case ElementType::iq2_s:
            return rows_of<Iq2S>(tile);
        case ElementType::iq3_xxs:
            return rows_of<Iq3Xxs>(tile);
        case ElementType::iq3_s:
            return rows_of<Iq3S>(tile);
        case ElementType::iq1_s:
            return rows_of<Iq1S>(tile);
        case ElementType::iq1_m:
            return rows_of<Iq1M>(tile);
        default:
            return false;
    }
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool multiply_codebook_stream_vnni(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
