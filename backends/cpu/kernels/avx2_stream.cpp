// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/avx2_stream.hpp"

#if defined(__x86_64__)

#include <array>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "backends/cpu/kernels/avx2_blocks.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/kernels/stream_distance.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"
#include "engine/tensor/quants/iq_grids.hpp"
#include "engine/tensor/quants/iq_words.hpp"

namespace splitscope::cpu::kernels {
namespace {

using namespace avx2;

/// The activations, negated where a bit is set.
SPLITSCOPE_AVX2 inline __m256i turned(__m256i x, std::uint32_t bits) {
    return _mm256_sign_epi8(x, _mm256_or_si256(bytes_of_bits(bits), _mm256_set1_epi8(1)));
}
SPLITSCOPE_AVX2 inline float sum_of(__m256 v) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
/// `value`, then seven zeros.
SPLITSCOPE_AVX2 inline __m256 first_lane(float value) {
    return _mm256_insertf128_ps(_mm256_setzero_ps(), _mm_set_ss(value), 0);
}
SPLITSCOPE_AVX2 inline void fetch_ahead(const std::byte* p, std::int64_t bytes) {
    const char* const from = reinterpret_cast<const char*>(p);
    for (std::int64_t i = 0; i < bytes; i += 64) {
        _mm_prefetch(from + i + kStreamDistance, _MM_HINT_T0);
        _mm_prefetch(from + i + kFarDistance, _MM_HINT_T1);
    }
}

/// Blocks of 32 elements, eight at a time, which share the work on scales.
template <class S>
SPLITSCOPE_AVX2 void small_block_rows(const StreamTile& t) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    constexpr std::int64_t kBatch = 8;
    const __m256i ones = _mm256_set1_epi16(1);
    const std::int64_t blocks = t.depth / 32;
    const auto product = [&](const std::byte* block, std::int64_t g, float scale,
                             __m256 total) SPLITSCOPE_AVX2 {
        const __m256i pairs = pair_products<S::kSigned>(S::codes(block), load_whole(t.x.codes + g * 32));
        return _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, ones)), _mm256_set1_ps(scale),
                               total);
    };
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 even = _mm256_setzero_ps();
        __m256 odd = _mm256_setzero_ps();
        __m256 rest = _mm256_setzero_ps();
        alignas(32) std::array<float, kBatch> scales;
        const auto open = [&](std::int64_t count, __m256 x_scales, __m256 x_sums) SPLITSCOPE_AVX2 {
            const __m256 d = scales_of_blocks<S>(w, count);
            _mm256_store_ps(scales.data(), _mm256_mul_ps(d, x_scales));
            asm("" : "+m"(scales));  // broadcasts from memory do not occupy the shuffle units
            if constexpr (S::kOffset != 0)
                rest = _mm256_fnmadd_ps(_mm256_mul_ps(d, _mm256_set1_ps(S::kOffset)), x_sums, rest);
            if constexpr (S::kMins)
                rest = _mm256_fmadd_ps(half_floats_at(w + 2, kBytes, count), x_sums, rest);
        };
        std::int64_t g = 0;
        for (; g + kBatch <= blocks; g += kBatch, w += kBatch * kBytes) {
            fetch_ahead(w, kBatch * kBytes);
            open(kBatch, _mm256_loadu_ps(t.x.scales + g), _mm256_loadu_ps(t.x_sums + g));
#pragma GCC unroll 4
            for (int i = 0; i < kBatch; i += 2) {
                even = product(w + i * kBytes, g + i, scales[i], even);
                odd = product(w + (i + 1) * kBytes, g + i + 1, scales[i + 1], odd);
            }
        }
        for (; g < blocks; ++g, w += kBytes) {
            open(1, first_lane(t.x.scales[g]), first_lane(t.x_sums[g]));
            even = product(w, g, scales[0], even);
        }
        t.out[row] = sum_of(_mm256_add_ps(_mm256_add_ps(even, odd), rest));
    }
}

// Blocks of several times 32 elements with one scale: codes of element 32 · part on.

struct BlocksQ1_0 {
    using Block = BlockQ1_0;
    static constexpr int kParts = 4;
    static constexpr float kOffset = 0;
    SPLITSCOPE_AVX2 static __m256i products(const std::byte* w, int part, __m256i x) {
        return _mm256_maddubs_epi16(_mm256_set1_epi8(1),
                                    turned(x, ~number_at<std::uint32_t>(w + 2 + part * 4)));
    }
};
struct BlocksQ2_0 {
    using Block = BlockQ2_0;
    static constexpr int kParts = 2;
    static constexpr float kOffset = 1;
    SPLITSCOPE_AVX2 static __m256i products(const std::byte* w, int part, __m256i x) {
        __m256i codes = _mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(w + 2 + static_cast<std::ptrdiff_t>(part) * 8)));
        codes = _mm256_or_si256(codes, _mm256_slli_epi32(codes, 12));
        codes = _mm256_or_si256(codes, _mm256_slli_epi32(codes, 6));
        return _mm256_maddubs_epi16(_mm256_and_si256(codes, _mm256_set1_epi8(3)), x);
    }
};

template <class S>
SPLITSCOPE_AVX2 void long_block_rows(const StreamTile& t) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    const __m256i ones = _mm256_set1_epi16(1);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        float under = 0;
        for (std::int64_t g = 0; g < t.depth / 32; g += S::kParts, w += kBytes) {
            fetch_ahead(w, 1);
            const float d = half_float_at(w);
            for (int part = 0; part < S::kParts; ++part) {
                const __m256i x = load_whole(t.x.codes + (g + part) * 32);
                const __m256i sums = _mm256_madd_epi16(S::products(w, part, x), ones);
                const float scale = d * t.x.scales[g + part];
                total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), _mm256_set1_ps(scale), total);
                if constexpr (S::kOffset != 0) under -= d * S::kOffset * t.x_sums[g + part];
            }
        }
        t.out[row] = sum_of(total) + under;
    }
}

constexpr std::array<float, 128> e4m3_values() {
    std::array<float, 128> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = quants::half_of_ue4m3(static_cast<std::uint8_t>(i));
    return values;
}

SPLITSCOPE_AVX2 void nvfp4_stream(const StreamTile& t) {
    static constexpr std::array<float, 128> kScales = e4m3_values();
    const auto scale_at = [](const std::byte* p) { return kScales[number_at<std::uint8_t>(p) & 127u]; };
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 64, w += sizeof(BlockNvfp4)) {
            fetch_ahead(w, 1);
            for (int part = 0; part < 2; ++part) {
                const __m256i codes = low_then_high_of_8(load_half(w + 4 + part * 16));
                const __m256i products =
                    pair_products<true>(looked_up(kFp4Values, codes), load_whole(t.x.codes + k + part * 32));
                const __m256 scales = _mm256_set_m128(_mm_set1_ps(scale_at(w + part * 2 + 1)),
                                                      _mm_set1_ps(scale_at(w + part * 2)));
                const __m256 both = _mm256_mul_ps(scales, _mm256_set1_ps(t.x.scales[k / 32 + part]));
                total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(products, _mm256_set1_epi16(1))),
                                        both, total);
            }
        }
        t.out[row] = sum_of(total);
    }
}

constexpr std::array<std::uint8_t, 128> even_sign_rows() {
    std::array<std::uint8_t, 128> rows{};
    for (unsigned i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint8_t>(quants::even_signs(i));
    return rows;
}
constexpr std::array<std::uint8_t, 128> kSignRows = even_sign_rows();

/// From the last word of a group of iq2_xxs and iq3_xxs.
inline void open_signs_and_scale(std::uint32_t rest, std::size_t g, SuperBlock& block) {
    block.signs[g] = static_cast<std::uint32_t>(kSignRows[rest & 127u]) |
                     static_cast<std::uint32_t>(kSignRows[rest >> 7 & 127u]) << 8 |
                     static_cast<std::uint32_t>(kSignRows[rest >> 14 & 127u]) << 16 |
                     static_cast<std::uint32_t>(kSignRows[rest >> 21 & 127u]) << 24;
    block.scales[g] = static_cast<std::int16_t>(2 * (rest >> 28) + 1);
}
/// Twice each nibble, plus one: the low nibble of a byte, then the high one.
inline void open_odd_scales(const std::byte* packed, std::size_t bytes, SuperBlock& block) {
    for (std::size_t i = 0; i < bytes; ++i) {
        const auto both = number_at<std::uint8_t>(packed + i);
        block.scales[2 * i] = static_cast<std::int16_t>(2 * (both & 15u) + 1);
        block.scales[2 * i + 1] = static_cast<std::int16_t>(2 * (both >> 4u) + 1);
    }
}

template <std::size_t N>
SPLITSCOPE_AVX2 inline __m256i four_points(const std::array<std::uint64_t, N>& words,
                                           const std::uint16_t* p) {
    const auto word = [&](int i) { return static_cast<long long>(words[p[i]]); };
    return _mm256_setr_epi64x(word(0), word(1), word(2), word(3));
}
template <std::size_t N>
SPLITSCOPE_AVX2 inline __m256i eight_points(const std::array<std::uint32_t, N>& words,
                                            const std::uint16_t* p) {
    const auto word = [&](int i) { return static_cast<int>(words[p[i]]); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

/// The common part of the types with a codebook of eight-byte words and signs.
template <const auto& (*kWords)()>
struct SuperIq2 : SuperCodes {
    static constexpr float kFactor = 0.125F;
    SPLITSCOPE_AVX2 static __m256i products(const std::byte*, const SuperBlock& block, int g, __m256i x) {
        const auto group = static_cast<std::size_t>(g);
        return _mm256_maddubs_epi16(four_points(kWords(), &block.points[group * 4]),
                                    turned(x, block.signs[group]));
    }
};

struct SuperIq2Xxs : SuperIq2<quants::iq2_xxs_words> {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xxs);
    static constexpr int kGroup = 32;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t g = 0; g < 8; ++g) {
            const auto part = number_at<std::uint64_t>(w + 2 + g * 8);
            for (std::size_t l = 0; l < 4; ++l)
                block.points[g * 4 + l] = static_cast<std::uint8_t>(part >> (8 * l));
            open_signs_and_scale(static_cast<std::uint32_t>(part >> 32), g, block);
        }
        block.d = half_float_at(w);
    }
};

struct SuperIq2Xs : SuperIq2<quants::iq2_xs_words> {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2Xs);
    static constexpr int kGroup = 16;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t l = 0; l < 32; ++l) {
            const auto point = number_at<std::uint16_t>(w + 2 + l * 2);
            block.points[l] = point & 511u;
            const unsigned shift = 8 * (l % 4);
            const auto row = static_cast<std::uint32_t>(kSignRows[point >> 9]) << shift;
            block.signs[l / 4] = shift == 0 ? row : block.signs[l / 4] | row;
        }
        open_odd_scales(w + 66, 8, block);
        block.d = half_float_at(w);
    }
};

struct SuperIq2S : SuperIq2<quants::iq2_s_words> {
    static constexpr std::int64_t kBytes = sizeof(BlockIq2S);
    static constexpr int kGroup = 16;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t l = 0; l < 32; ++l) {
            const unsigned high = number_at<std::uint8_t>(w + 66 + l / 4) >> (2 * (l % 4)) & 3u;
            block.points[l] = static_cast<std::uint16_t>(number_at<std::uint8_t>(w + 2 + l) | high << 8);
        }
        std::memcpy(block.signs.data(), w + 34, sizeof(block.signs));
        open_odd_scales(w + 74, 8, block);
        block.d = half_float_at(w);
    }
};

template <const auto& (*kWords)()>
struct SuperIq3 : SuperCodes {
    static constexpr int kGroup = 32;
    SPLITSCOPE_AVX2 static __m256i products(const std::byte*, const SuperBlock& block, int g, __m256i x) {
        const auto group = static_cast<std::size_t>(g);
        return _mm256_maddubs_epi16(eight_points(kWords(), &block.points[group * 8]),
                                    turned(x, block.signs[group]));
    }
};

struct SuperIq3Xxs : SuperIq3<quants::iq3_xxs_words> {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3Xxs);
    static constexpr float kFactor = 0.25F;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t l = 0; l < 64; ++l) block.points[l] = number_at<std::uint8_t>(w + 2 + l);
        for (std::size_t g = 0; g < 8; ++g)
            open_signs_and_scale(number_at<std::uint32_t>(w + 66 + g * 4), g, block);
        block.d = half_float_at(w);
    }
};

struct SuperIq3S : SuperIq3<quants::iq3_s_words> {
    static constexpr std::int64_t kBytes = sizeof(BlockIq3S);
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        const auto high = number_at<std::uint64_t>(w + 66);
        for (std::size_t l = 0; l < 64; ++l) {
            const auto ninth = static_cast<unsigned>(high >> l & 1u) << 8;
            block.points[l] = static_cast<std::uint16_t>(number_at<std::uint8_t>(w + 2 + l) | ninth);
        }
        std::memcpy(block.signs.data(), w + 74, sizeof(block.signs));
        open_odd_scales(w + 106, 4, block);
        block.d = half_float_at(w);
    }
};

/// Points of iq1 are eight times 0, 1 or 2; shifted up, two more.
SPLITSCOPE_AVX2 inline __m256i iq1_products(const SuperBlock& block, int g, __m256i x) {
    const auto group = static_cast<std::size_t>(g);
    const __m256i raised = _mm256_and_si256(bytes_of_bits(block.signs[group]), _mm256_set1_epi8(2));
    return _mm256_maddubs_epi16(
        _mm256_or_si256(four_points(quants::iq1_words(), &block.points[group * 4]), raised), x);
}

struct SuperIq1S : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1S);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 9;
    static constexpr float kFactor = 0.125F;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t g = 0; g < 8; ++g) {
            const unsigned high = number_at<std::uint16_t>(w + 34 + g * 2);
            for (std::size_t l = 0; l < 4; ++l) {
                block.points[g * 4 + l] = static_cast<std::uint16_t>(
                    number_at<std::uint8_t>(w + 2 + g * 4 + l) | (high >> (3 * l) & 7u) << 8);
            }
            block.signs[g] = (high & 0x8000u) != 0 ? 0 : ~0u;
            block.scales[g] = static_cast<std::int16_t>(2 * (high >> 12 & 7u) + 1);
        }
        block.d = half_float_at(w);
    }
    SPLITSCOPE_AVX2 static __m256i products(const std::byte*, const SuperBlock& block, int g, __m256i x) {
        return iq1_products(block, g, x);
    }
};

struct SuperIq1M : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockIq1M);
    static constexpr int kGroup = 16;
    static constexpr int kOffset = 9;
    static constexpr float kFactor = 0.125F;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        for (std::size_t l = 0; l < 32; ++l) {
            const unsigned high = number_at<std::uint8_t>(w + 32 + l / 2) >> (4 * (l % 2)) & 15u;
            block.points[l] = static_cast<std::uint16_t>(number_at<std::uint8_t>(w + l) | (high & 7u) << 8);
            const unsigned shift = 8 * (l % 4);
            const std::uint32_t raised = (high & 8u) != 0 ? 0 : 255u << shift;
            block.signs[l / 4] = shift == 0 ? raised : block.signs[l / 4] | raised;
        }
        const auto packed = number_at<std::uint64_t>(w + 48);
        unsigned d = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const auto word = static_cast<unsigned>(packed >> (16 * i) & 0xFFFFu);
            for (unsigned j = 0; j < 4; ++j)
                block.scales[i * 4 + j] = static_cast<std::int16_t>(2 * (word >> (3 * j) & 7u) + 1);
            d |= (word >> 12) << (4 * i);
        }
        block.d = _cvtsh_ss(static_cast<std::uint16_t>(d));
    }
    SPLITSCOPE_AVX2 static __m256i products(const std::byte*, const SuperBlock& block, int g, __m256i x) {
        return iq1_products(block, g, x);
    }
};

struct SuperTq2 : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockTq2_0);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 1;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.scales.fill(1);
        block.d = half_float_at(w + 64);
    }
    SPLITSCOPE_AVX2 static __m256i products(const std::byte* w, const SuperBlock&, int g, __m256i x) {
        return _mm256_maddubs_epi16(two_bits_of(load_whole(w + g / 4 * 32), g % 4), x);
    }
};

/// Multiplies bytes by 3^n, which moves their base-3 digit n to the front.
SPLITSCOPE_AVX2 inline __m256i times_power_of_3(__m256i bytes, int n) {
    for (int i = 0; i < n; ++i) bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(bytes, bytes));
    return bytes;
}

struct SuperTq1 : SuperCodes {
    static constexpr std::int64_t kBytes = sizeof(BlockTq1_0);
    static constexpr int kGroup = 32;
    static constexpr int kOffset = 1;
    SPLITSCOPE_AVX2 static void open(const std::byte* w, SuperBlock& block) {
        block.scales.fill(1);
        block.d = half_float_at(w + 52);
    }
    SPLITSCOPE_AVX2 static __m256i products(const std::byte* w, const SuperBlock&, int g, __m256i x) {
        const __m256i digits = shifted(w, g);
        const auto at_least = [&](int least) SPLITSCOPE_AVX2 {
            return _mm256_cmpeq_epi8(_mm256_max_epu8(digits, _mm256_set1_epi8(static_cast<char>(least))),
                                     digits);
        };
        const __m256i minus = _mm256_add_epi8(at_least(86), at_least(171));
        return _mm256_maddubs_epi16(_mm256_sub_epi8(_mm256_setzero_si256(), minus), x);
    }

 private:
    /// Bytes with the digits of group `g` in front: five of 32 bytes, five of sixteen, four of four.
    SPLITSCOPE_AVX2 static __m256i shifted(const std::byte* w, int g) {
        if (g < 5) return times_power_of_3(load_whole(w), g);
        const __m128i middle = load_half(w + 32);
        const __m256i both = _mm256_set_m128i(
            _mm256_castsi256_si128(times_power_of_3(_mm256_castsi128_si256(middle), 1)), middle);
        if (g < 7) return times_power_of_3(both, 2 * (g - 5));
        __m256i tail = _mm256_set1_epi32(number_at<std::int32_t>(w + 48));
        const __m256i tail3 = times_power_of_3(tail, 1);
        const __m256i tail9 = times_power_of_3(tail3, 1);
        tail = _mm256_blend_epi32(tail, tail3, 2);
        tail = _mm256_blend_epi32(tail, tail9, 4);
        tail = _mm256_blend_epi32(tail, times_power_of_3(tail9, 1), 8);
        return _mm256_set_m128i(_mm256_castsi256_si128(tail),
                                _mm256_castsi256_si128(times_power_of_3(_mm256_castsi128_si256(middle), 4)));
    }
};

/// The scales of the two groups of 16, or of the group of 32, as words beside their products.
template <int G>
SPLITSCOPE_AVX2 inline __m256i scale_words(const SuperBlock& block, int g) {
    if constexpr (G == 32) return _mm256_set1_epi16(block.scales[static_cast<std::size_t>(g)]);
    std::int32_t two = 0;
    std::memcpy(&two, &block.scales[static_cast<std::size_t>(g) * 2], sizeof(two));
    const __m256i lanes = two_halves(_mm_set1_epi16(0x0100), _mm_set1_epi16(0x0302));
    return _mm256_shuffle_epi8(_mm256_set1_epi32(two), lanes);
}

/// Σ number of each group · sum.
template <int G>
SPLITSCOPE_AVX2 inline __m256 weighted_sums(const std::array<std::int16_t, 16>& numbers, const float* sums) {
    const auto eight = [&](std::size_t from) SPLITSCOPE_AVX2 {
        return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load_half(&numbers[from])));
    };
    __m256 total = _mm256_mul_ps(eight(0), _mm256_loadu_ps(sums));
    if constexpr (G == 16) total = _mm256_fmadd_ps(eight(8), _mm256_loadu_ps(sums + 8), total);
    return total;
}

/// Sums of two codes times activations 32 · g to 32 · g + 31, as words.
template <class S>
SPLITSCOPE_AVX2 inline __m256i super_products(const std::byte* w, const SuperBlock& block, int g, __m256i x) {
    if constexpr (requires { S::codes(w, g); }) {
        return pair_products<S::kSigned>(S::codes(w, g), x);
    } else {
        return S::products(w, block, g, x);
    }
}

template <class S>
SPLITSCOPE_AVX2 void super_block_rows(const StreamTile& t) {
    SuperBlock block;
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += S::kBytes) {
            fetch_ahead(w, S::kBytes);
            S::open(w, block);
            __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 8
            for (int g = 0; g < 8; ++g) {
                const __m256i x = load_whole(t.x.codes + k + g * 32);
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(super_products<S>(w, block, g, x),
                                                              scale_words<S::kGroup>(block, g)));
            }
            const float d = block.d * S::kFactor;
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(d * t.x.scales[k / 32]), total);
            const float* sums = t.x_sums + k / S::kGroup;
            if constexpr (S::kMins) {
                total = _mm256_fmadd_ps(weighted_sums<S::kGroup>(block.mins, sums), _mm256_set1_ps(block.m),
                                        total);
            }
            if constexpr (S::kOffset != 0) {
                total = _mm256_fnmadd_ps(weighted_sums<S::kGroup>(block.scales, sums),
                                         _mm256_set1_ps(d * S::kOffset), total);
            }
        }
        t.out[row] = sum_of(total);
    }
}

using Stream = void (*)(const StreamTile&);

Stream stream_of(ElementType type) {
    switch (type) {
        case ElementType::q8_0:
            return small_block_rows<SmallQ8_0>;
        case ElementType::q4_0:
            return small_block_rows<SmallQ4_0>;
        case ElementType::q4_1:
            return small_block_rows<SmallQ4_1>;
        case ElementType::q5_0:
            return small_block_rows<SmallQ5_0>;
        case ElementType::q5_1:
            return small_block_rows<SmallQ5_1>;
        case ElementType::iq4_nl:
            return small_block_rows<SmallIq4Nl>;
        case ElementType::mxfp4:
            return small_block_rows<SmallMxfp4>;
        case ElementType::q1_0:
            return long_block_rows<BlocksQ1_0>;
        case ElementType::q2_0:
            return long_block_rows<BlocksQ2_0>;
        case ElementType::nvfp4:
            return nvfp4_stream;
        case ElementType::q2_K:
            return super_block_rows<SuperQ2K>;
        case ElementType::q3_K:
            return super_block_rows<SuperQ3K>;
        case ElementType::q4_K:
            return super_block_rows<SuperKMin<false>>;
        case ElementType::q5_K:
            return super_block_rows<SuperKMin<true>>;
        case ElementType::q6_K:
            return super_block_rows<SuperQ6K>;
        case ElementType::iq4_xs:
            return super_block_rows<SuperIq4Xs>;
        case ElementType::iq2_xxs:
            return super_block_rows<SuperIq2Xxs>;
        case ElementType::iq2_xs:
            return super_block_rows<SuperIq2Xs>;
        case ElementType::iq2_s:
            return super_block_rows<SuperIq2S>;
        case ElementType::iq3_xxs:
            return super_block_rows<SuperIq3Xxs>;
        case ElementType::iq3_s:
            return super_block_rows<SuperIq3S>;
        case ElementType::iq1_s:
            return super_block_rows<SuperIq1S>;
        case ElementType::iq1_m:
            return super_block_rows<SuperIq1M>;
        case ElementType::tq1_0:
            return super_block_rows<SuperTq1>;
        case ElementType::tq2_0:
            return super_block_rows<SuperTq2>;
        default:
            return nullptr;
    }
}

}  // namespace

bool has_avx2() {
    // Every processor with AVX2 converts binary16, for which clang 14 has no name here.
    static const bool has = allowed_instructions() != InstructionSet::sse4 &&
                            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has;
}

bool multiply_stream_avx2(const StreamTile& tile) {
    const Stream stream = stream_of(tile.type);
    if (stream == nullptr) return false;
    stream(tile);
    return true;
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool has_avx2() {
    return false;
}
bool multiply_stream_avx2(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
