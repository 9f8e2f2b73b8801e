// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/avx2_stream.hpp"

#if defined(__x86_64__)

#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>

#include <immintrin.h>

#include "backends/cpu/kernels/avx2_blocks.hpp"
#include "backends/cpu/kernels/avx2_codebooks.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/kernels/stream_distance.hpp"
#include "engine/tensor/quants/blocks.hpp"

namespace splitscope::cpu::kernels {
namespace {

using namespace avx2;

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

/// Groups of 32 elements, eight at a time, which share the work on scales.
template <class S>
SPLITSCOPE_AVX2 void small_block_rows(const StreamTile& t) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    constexpr std::int64_t kBatch = 8;
    const __m256i ones = _mm256_set1_epi16(1);
    const std::int64_t groups = t.depth / 32;
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 even = _mm256_setzero_ps();
        __m256 odd = _mm256_setzero_ps();
        __m256 rest = _mm256_setzero_ps();
        alignas(32) std::array<float, kBatch> scales;
        const auto open = [&](std::int64_t g, std::int64_t count, __m256 x_scales,
                              __m256 x_sums) SPLITSCOPE_AVX2 {
            const __m256 d = scales_of_groups<S>(w, g, count);
            _mm256_store_ps(scales.data(), _mm256_mul_ps(d, x_scales));
            asm("" : "+m"(scales));  // broadcasts from memory do not occupy the shuffle units
            if constexpr (S::kOffset != 0)
                rest = _mm256_fnmadd_ps(_mm256_mul_ps(d, _mm256_set1_ps(S::kOffset)), x_sums, rest);
            if constexpr (S::kMins)
                rest = _mm256_fmadd_ps(load_8_f16(w + g * kBytes + 2, kBytes, count), x_sums, rest);
        };
        const auto add_group = [&](__m256& total, std::int64_t g, std::size_t scale) SPLITSCOPE_AVX2 {
            const __m256i pairs =
                pair_products<S::kSigned>(codes_of_group<S>(w, g), load_whole(t.x.codes + g * 32));
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, ones)),
                                    _mm256_set1_ps(scales[scale]), total);
        };
        std::int64_t g = 0;
        for (; g + kBatch <= groups; g += kBatch) {
            fetch_ahead(block_of_group<S>(w, g), kBatch / S::kParts * kBytes);
            open(g, kBatch, _mm256_loadu_ps(t.x.scales + g), _mm256_loadu_ps(t.x_sums + g));
#pragma GCC unroll 4
            for (std::int64_t i = 0; i < kBatch; i += 2) {
                add_group(even, g + i, static_cast<std::size_t>(i));
                add_group(odd, g + i + 1, static_cast<std::size_t>(i + 1));
            }
        }
        for (; g < groups; ++g) {
            open(g, 1, first_lane(t.x.scales[g]), first_lane(t.x_sums[g]));
            add_group(even, g, 0);
        }
        t.out[row] = sum_of(_mm256_add_ps(_mm256_add_ps(even, odd), rest));
    }
}

// Blocks of 32 elements in nibbles, eight at a time. A vector has sixteen bytes of a block and of the one
// four further on, and the activations are arranged to match: per four such pairs, first those of low, then
// of high nibbles. The sums of the pairs are added across lanes until each lane is the sum of one block, so
// that all eight are scaled together.

void arrange_nibbles(std::int64_t depth, const std::int8_t* codes, std::byte* out) {
    for (; depth >= 256; depth -= 256, codes += 256) {
        for (int pair = 0; pair < 4; ++pair) {
            for (int half = 0; half < 32; half += 16) {
                for (int block = pair; block < 8; block += 4, out += 16)
                    std::memcpy(out, codes + block * 32 + half, 16);
            }
        }
    }
}

/// Sums of neighbouring 32-bit lanes, of `a` and then of `b` in each half; kWords: lanes are two words.
template <bool kWords>
SPLITSCOPE_AVX2 inline __m256i add_neighbours(__m256i a, __m256i b) {
    const __m256 first = _mm256_castsi256_ps(a);
    const __m256 second = _mm256_castsi256_ps(b);
    const __m256i even = _mm256_castps_si256(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m256i odd = _mm256_castps_si256(_mm256_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)));
    return kWords ? _mm256_add_epi16(even, odd) : _mm256_add_epi32(even, odd);
}

template <class S>
constexpr bool kHasShift = requires {
    S::kShift;
};
/// Whether codes have no signs, or lose them by a shift.
template <class S>
constexpr bool kUnsigned = !S::kSigned || kHasShift<S>;
template <class S>
SPLITSCOPE_AVX2 inline __m256i multiplied_codes_of(__m256i nibbles) {
    if constexpr (kHasShift<S>) return S::shifted_codes_of(nibbles);
    return S::codes_of(nibbles);
}

/// Sums of the products of eight blocks. For codes with signs, the magnitudes of the activations are
/// `to_magnitudes` after them.
template <class S>
SPLITSCOPE_AVX2 inline __m256i sums_of_8_blocks(const std::byte* w, const std::byte* x,
                                                std::int64_t to_magnitudes, const std::int32_t* x_starts) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i, x += 64) {
        const auto block = [&](std::int64_t at) SPLITSCOPE_AVX2 {
            return _mm256_broadcastsi128_si256(load_half(w + at * kBytes + S::kNibblesAt));
        };
        const __m256i bytes = _mm256_blend_epi32(block(i), block(i + 4), 0xF0);
        const __m256i low = multiplied_codes_of<S>(_mm256_and_si256(bytes, _mm256_set1_epi8(15)));
        const __m256i high =
            multiplied_codes_of<S>(_mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15)));
        if constexpr (kUnsigned<S>) {
            sums[i] = _mm256_add_epi16(_mm256_maddubs_epi16(low, load_whole(x)),
                                       _mm256_maddubs_epi16(high, load_whole(x + 32)));
        } else {
            const std::byte* magnitudes = x + to_magnitudes;
            const __m256i pairs = pair_products(low, load_whole(x), load_whole(magnitudes));
            const __m256i others = pair_products(high, load_whole(x + 32), load_whole(magnitudes + 32));
            sums[i] = _mm256_add_epi32(_mm256_madd_epi16(pairs, ones), _mm256_madd_epi16(others, ones));
        }
    }
    if constexpr (!kUnsigned<S>) {
        return add_neighbours<false>(add_neighbours<false>(sums[0], sums[1]),
                                     add_neighbours<false>(sums[2], sums[3]));
    } else {
        const __m256i first = add_neighbours<true>(sums[0], sums[1]);
        const __m256i second = add_neighbours<true>(sums[2], sums[3]);
        if constexpr (kHasShift<S>) {
            static_assert(8 * 127 * (S::kMaxMagnitude + S::kShift) <= 32767);
            const __m256i minus_x = _mm256_srai_epi32(load_whole(x_starts), 7);
            return _mm256_add_epi32(
                add_neighbours<false>(_mm256_madd_epi16(first, ones), _mm256_madd_epi16(second, ones)),
                _mm256_mullo_epi32(minus_x, _mm256_set1_epi32(S::kShift)));
        } else {
            static_assert(16 * 127 * S::kMaxMagnitude <= 32767);  // activations are at least −127
            return _mm256_madd_epi16(add_neighbours<true>(first, second), ones);
        }
    }
}

template <class S>
SPLITSCOPE_AVX2 void nibble_rows(const StreamTile& t) {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(typename S::Block));
    const std::int64_t groups = t.depth / 32;
    const std::int64_t arranged = t.depth / 256 * 256;
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        __m256 rest = _mm256_setzero_ps();
        const auto add = [&](__m256i sums, std::int64_t g, std::int64_t count, __m256 x_scales,
                             __m256 x_sums) SPLITSCOPE_AVX2 {
            const __m256 d = scales_of_groups<S>(w, g, count);
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), _mm256_mul_ps(d, x_scales), total);
            if constexpr (S::kOffset != 0) rest = _mm256_fmadd_ps(d, x_sums, rest);
            if constexpr (S::kMins)
                rest = _mm256_fmadd_ps(load_8_f16(w + g * kBytes + 2, kBytes, count), x_sums, rest);
        };
        std::int64_t g = 0;
        for (; g + 8 <= groups; g += 8) {
            const std::byte* blocks = w + g * kBytes;
            fetch_ahead(blocks, 8 * kBytes);
            add(sums_of_8_blocks<S>(blocks, t.x_arranged + g * 32, arranged, t.x_starts + g), g, 8,
                _mm256_loadu_ps(t.x.scales + g), _mm256_loadu_ps(t.x_sums + g));
        }
        for (; g < groups; ++g) {
            const __m256i pairs =
                pair_products<S::kSigned>(codes_of_group<S>(w, g), load_whole(t.x.codes + g * 32));
            // The sum of the group in the first lane.
            __m256i sums = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
            sums = _mm256_add_epi32(sums, _mm256_permute2x128_si256(sums, sums, 1));
            sums = add_neighbours<false>(sums, sums);
            sums = add_neighbours<false>(sums, sums);
            add(sums, g, 1, first_lane(t.x.scales[g]), first_lane(t.x_sums[g]));
        }
        if constexpr (S::kOffset != 0) rest = _mm256_mul_ps(rest, _mm256_set1_ps(-S::kOffset));
        t.out[row] = sum_of(_mm256_add_ps(total, rest));
    }
}

SPLITSCOPE_AVX2 void nvfp4_stream(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 64, w += sizeof(BlockNvfp4)) {
            fetch_ahead(w, 1);
            for (int part = 0; part < 2; ++part) {
                const __m256i codes = unpack_nibbles_of_8(load_half(w + 4 + part * 16));
                const std::int64_t at = k + part * 32;
                const __m256i products =
                    pair_products(lookup_nibbles(kFp4Values, codes), load_whole(t.x.codes + at),
                                  load_whole(t.x_arranged + at));
                const __m256 scales = _mm256_set_m128(_mm_set1_ps(half_of_e4m3_at(w + part * 2 + 1)),
                                                      _mm_set1_ps(half_of_e4m3_at(w + part * 2)));
                const __m256 both = _mm256_mul_ps(scales, _mm256_set1_ps(t.x.scales[k / 32 + part]));
                total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(products, _mm256_set1_epi16(1))),
                                        both, total);
            }
        }
        t.out[row] = sum_of(total);
    }
}

/// Shuffles of eight words for each 32 elements: in each half the word of its group of 16.
struct WordShuffles {
    constexpr WordShuffles() {
        for (int g = 0; g < 4; ++g) {
            for (int i = 0; i < 32; ++i)
                bytes[static_cast<std::size_t>(g * 32 + i)] =
                    static_cast<std::int8_t>(2 * (2 * g + i / 16) + i % 2);
        }
    }
    alignas(32) std::array<std::int8_t, 128> bytes{};
};
constexpr WordShuffles kWordShuffles;

/// The scales of the two groups of 16, or of the group of 32, as words beside their products.
template <int G>
SPLITSCOPE_AVX2 inline __m256i scale_words(const SuperBlock& block, int g) {
    if constexpr (G == 32) return _mm256_set1_epi32(block.factors[static_cast<std::size_t>(g)]);
    const int half = g / 4;
    const __m256i eight = _mm256_broadcastsi128_si256(load_half(block.scales.data() + half * 8));
    return _mm256_shuffle_epi8(eight, load_whole(kWordShuffles.bytes.data() + g % 4 * 32));
}

/// Σ number of each group of 32 · sum.
SPLITSCOPE_AVX2 inline __m256 weighted_sums(const std::array<std::int16_t, 16>& numbers, const float* sums) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load_half(numbers.data()))),
                         _mm256_loadu_ps(sums));
}
/// Σ number of each group of 16 · sum of codes, which are words.
SPLITSCOPE_AVX2 inline __m256i weighted_words(const std::array<std::int16_t, 16>& numbers,
                                              const std::byte* sums) {
    return _mm256_madd_epi16(load_whole(numbers.data()), load_whole(sums));
}

/// Sums of two codes times activations, of group `g` of 32 elements of the super-block at `k`, as words.
template <class S>
SPLITSCOPE_AVX2 inline __m256i super_products(const StreamTile& t, const S& source, const std::byte* w,
                                              const SuperBlock& block, std::int64_t k, int g) {
    const __m256i x = load_whole(t.x.codes + k + g * 32);
    if constexpr (requires { source.signs(w, block, g); }) {
        return _mm256_maddubs_epi16(source.points(w, block, g),
                                    _mm256_sign_epi8(x, source.signs(w, block, g)));
    } else if constexpr (S::kMagnitudes) {
        return pair_products(source.codes(w, block, g), x, load_whole(t.x_arranged + k + g * 32));
    } else {
        return pair_products<S::kSigned>(source.codes(w, block, g), x);
    }
}

template <class S>
SPLITSCOPE_AVX2 void super_block_rows(const StreamTile& t) {
    static_assert(S::kGroup == 16 ? !S::kMins : S::kUniform || S::kOffset == 0);
    const S source{};
    std::array<SuperBlock, S::kOpenAhead ? 2 : 1> blocks;
    const auto block_at = [&](std::int64_t k) -> SuperBlock& {
        return blocks[static_cast<std::size_t>(k / 256) % blocks.size()];
    };
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        if constexpr (S::kOpenAhead) S::open(w, blocks[0]);
        for (std::int64_t k = 0; k < t.depth; k += 256, w += S::kBytes) {
            fetch_ahead(w, S::kBytes);
            const SuperBlock& block = block_at(k);
            if constexpr (!S::kOpenAhead) {
                S::open(w, blocks[0]);
            } else if (k + 256 < t.depth) {
                S::open(w + S::kBytes, block_at(k + 256));
            }
            __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 8
            for (int g = 0; g < 8; ++g) {
                const __m256i pairs = super_products(t, source, w, block, k, g);
                if constexpr (S::kUniform) {
                    sum = _mm256_add_epi16(sum, pairs);
                } else {
                    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, scale_words<S::kGroup>(block, g)));
                }
            }
            if constexpr (S::kUniform) sum = _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
            if constexpr (S::kGroup == 16 && S::kOffset != 0) {
                const __m256i under = weighted_words(block.scales, t.x_arranged + k / 8);
                sum = _mm256_sub_epi32(sum, _mm256_mullo_epi32(under, _mm256_set1_epi32(S::kOffset)));
            }
            const float d = block.d * S::kFactor;
            const float x_scale = t.x.scales[k / 32];
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(d * x_scale), total);
            if constexpr (S::kMins) {
                total = _mm256_fmadd_ps(weighted_sums(block.mins, t.x_sums + k / 32), _mm256_set1_ps(block.m),
                                        total);
            } else if constexpr (S::kUniform) {
                total = _mm256_fnmadd_ps(_mm256_loadu_ps(t.x_sums + k / 32), _mm256_set1_ps(d * S::kOffset),
                                         total);
            }
        }
        t.out[row] = sum_of(total);
    }
}

/// Sixteen bytes to words: in the low half of a vector, byte 2 · i, in the high half, byte 2 · i + 1.
struct PairShuffles {
    constexpr PairShuffles() {
        for (int i = 0; i < 8; ++i) {
            for (int at = 0; at < 32; ++at)
                bytes[static_cast<std::size_t>(i * 32 + at)] =
                    static_cast<std::int8_t>(at % 2 == 0 ? 2 * i + at / 16 : -1);
        }
    }
    alignas(32) std::array<std::int8_t, 256> bytes{};
};
constexpr PairShuffles kPairShuffles;

/// 128 codes of two bits. Those in bits 2 and 3 of a nibble are not shifted, so they are four times as large.
struct TwoBitCodes {
    SPLITSCOPE_AVX2 explicit TwoBitCodes(const std::byte* w)
        : low(load_whole(w)), high(_mm256_srli_epi16(low, 4)) {}
    SPLITSCOPE_AVX2 __m256i group(int g) const {
        return _mm256_and_si256(g < 2 ? low : high, _mm256_set1_epi8(g % 2 == 0 ? 3 : 12));
    }

    __m256i low;
    __m256i high;
};

SPLITSCOPE_AVX2 void q2_k_stream(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockQ2_K)) {
            fetch_ahead(w, sizeof(BlockQ2_K));
            const __m256i scales =
                _mm256_and_si256(_mm256_broadcastsi128_si256(load_half(w)), _mm256_set1_epi8(15));
            const auto products = [&](__m256i codes, int g) SPLITSCOPE_AVX2 {
                const __m256i words =
                    _mm256_shuffle_epi8(scales, load_whole(kPairShuffles.bytes.data() + g * 32));
                return _mm256_madd_epi16(_mm256_maddubs_epi16(codes, load_whole(t.x.codes + k + g * 32)),
                                         words);
            };
            __m256i sum = _mm256_setzero_si256();
            __m256i fourfold = _mm256_setzero_si256();
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const TwoBitCodes codes(w + 16 + half * 32);
#pragma GCC unroll 4
                for (int g = 0; g < 4; ++g) {
                    __m256i& to = g % 2 == 0 ? sum : fourfold;
                    to = _mm256_add_epi32(to, products(codes.group(g), half * 4 + g));
                }
            }
            sum = _mm256_add_epi32(sum, _mm256_srai_epi32(fourfold, 2));
            const __m256i mins = _mm256_srli_epi16(_mm256_cvtepu8_epi16(load_half(w)), 4);
            const __m256i under = _mm256_madd_epi16(mins, load_whole(t.x_arranged + k / 8));
            const __m128 factors =
                _mm_mul_ps(_mm_cvtph_ps(_mm_loadu_si32(w + 80)), _mm_set1_ps(t.x.scales[k / 32]));
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), _mm256_broadcastss_ps(factors), total);
            total = _mm256_fnmadd_ps(_mm256_cvtepi32_ps(under),
                                     _mm256_broadcastss_ps(_mm_movehdup_ps(factors)), total);
        }
        t.out[row] = sum_of(total);
    }
}

SPLITSCOPE_AVX2 void tq2_0_stream(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockTq2_0)) {
            fetch_ahead(w, sizeof(BlockTq2_0));
            // Words hold four sums of two products of at most 12 · 127.
            __m256i sum = _mm256_setzero_si256();
            __m256i fourfold = _mm256_setzero_si256();
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const TwoBitCodes codes(w + half * 32);
#pragma GCC unroll 4
                for (int g = 0; g < 4; ++g) {
                    __m256i& to = g % 2 == 0 ? sum : fourfold;
                    const __m256i x = load_whole(t.x.codes + k + half * 128 + g * 32);
                    to = _mm256_add_epi16(to, _mm256_maddubs_epi16(codes.group(g), x));
                }
            }
            sum = _mm256_add_epi16(sum, _mm256_srai_epi16(fourfold, 2));
            const float d = load_f16(w + 64);
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(sum, _mm256_set1_epi16(1))),
                                    _mm256_set1_ps(d * t.x.scales[k / 32]), total);
            // An element is d · (code − 1).
            total = _mm256_fnmadd_ps(_mm256_loadu_ps(t.x_sums + k / 32), _mm256_set1_ps(d), total);
        }
        t.out[row] = sum_of(total);
    }
}

/// Bit b of byte j of a block is element 8 · j + b. Each half of a vector is 16 bytes of one bit each, so the
/// activations are arranged like this: for each b < 4, those of bit b, then those of bit b + 4. Four bytes
/// are a group of 32 activations.
void arrange_q1_0(std::int64_t depth, const std::int8_t* codes, std::byte* out) {
    for (std::int64_t k = 0; k < depth; k += 128) {
        for (int b = 0; b < 4; ++b) {
            for (int half = 0; half < 2; ++half) {
                for (int j = 0; j < 16; ++j) *out++ = static_cast<std::byte>(codes[k + 8 * j + b + 4 * half]);
            }
        }
    }
}

SPLITSCOPE_AVX2 void q1_0_stream(const StreamTile& t) {
    const __m256i bit = _mm256_set1_epi8(1);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        __m128 rest = _mm_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 128, w += sizeof(BlockQ1_0)) {
            fetch_ahead(w, 1);
            const __m256i bytes = _mm256_srlv_epi64(_mm256_broadcastsi128_si256(load_half(w + 2)),
                                                    _mm256_setr_epi64x(0, 0, 4, 4));
            __m256i sum = _mm256_setzero_si256();
#pragma GCC unroll 4
            for (int b = 0; b < 4; ++b) {
                const __m256i codes = _mm256_and_si256(_mm256_srli_epi16(bytes, b), bit);
                sum =
                    _mm256_add_epi16(sum, _mm256_maddubs_epi16(codes, load_whole(t.x_arranged + k + b * 32)));
            }
            const __m256i products = _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
            const __m256 d = _mm256_set1_ps(load_f16(w));
            const __m256 x_scales = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(t.x.scales + k / 32));
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(products), _mm256_mul_ps(d, x_scales), total);
            rest = _mm_fnmadd_ps(_mm256_castps256_ps128(d), _mm_loadu_ps(t.x_sums + k / 32), rest);
        }
        // An element is d · (2 · bit − 1).
        t.out[row] = 2 * sum_of(total) + sum_of(_mm256_zextps128_ps256(rest));
    }
}

/// The sum of each sixteen codes, as words.
void arrange_sums(std::int64_t depth, const std::int8_t* codes, std::byte* out) {
    for (std::int64_t k = 0; k < depth; k += 16, out += 2) {
        const auto sum = static_cast<std::int16_t>(std::accumulate(codes + k, codes + k + 16, 0));
        std::memcpy(out, &sum, sizeof(sum));
    }
}

using Stream = void (*)(const StreamTile&);

Stream stream_of(ElementType type) {
    switch (type) {
        case ElementType::q8_0:
            return small_block_rows<SmallQ8_0>;
        case ElementType::q4_0:
            return nibble_rows<SmallQ4_0>;
        case ElementType::q4_1:
            return nibble_rows<SmallQ4_1>;
        case ElementType::q5_0:
            return small_block_rows<SmallQ5_0>;
        case ElementType::q5_1:
            return small_block_rows<SmallQ5_1>;
        case ElementType::iq4_nl:
            return nibble_rows<SmallIq4Nl>;
        case ElementType::mxfp4:
            return nibble_rows<SmallMxfp4>;
        case ElementType::q1_0:
            return q1_0_stream;
        case ElementType::q2_0:
            return small_block_rows<SmallQ2_0>;
        case ElementType::nvfp4:
            return nvfp4_stream;
        case ElementType::q2_K:
            return q2_k_stream;
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
            return tq2_0_stream;
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

std::int64_t arranged_bytes_avx2(ElementType type, std::int64_t depth) {
    switch (type) {
        case ElementType::q4_0:
        case ElementType::q4_1:
        case ElementType::mxfp4:
        case ElementType::q1_0:
        case ElementType::iq4_xs:
        case ElementType::nvfp4:
            return depth;
        case ElementType::iq4_nl:
            return 2 * depth;
        case ElementType::q2_K:
        case ElementType::q3_K:
        case ElementType::q6_K:
        case ElementType::iq1_m:
            return depth / 8;
        default:
            return 0;
    }
}

void arrange_avx2(ElementType type, std::int64_t depth, const std::int8_t* codes, std::byte* out) {
    const auto store_magnitudes = [](std::int64_t count, const std::byte* from, std::byte* to) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto code = static_cast<std::int8_t>(from[i]);
            to[i] = static_cast<std::byte>(code < 0 ? -code : code);
        }
    };
    switch (type) {
        case ElementType::q4_0:
        case ElementType::q4_1:
        case ElementType::mxfp4:
            return arrange_nibbles(depth, codes, out);
        case ElementType::iq4_nl: {
            arrange_nibbles(depth, codes, out);
            const std::int64_t arranged = depth / 256 * 256;
            return store_magnitudes(arranged, out, out + arranged);
        }
        case ElementType::iq4_xs:
        case ElementType::nvfp4:
            return store_magnitudes(depth, reinterpret_cast<const std::byte*>(codes), out);
        case ElementType::q1_0:
            return arrange_q1_0(depth, codes, out);
        case ElementType::q2_K:
        case ElementType::q3_K:
        case ElementType::q6_K:
        case ElementType::iq1_m:
            return arrange_sums(depth, codes, out);
        default:
            return;
    }
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
std::int64_t arranged_bytes_avx2(ElementType, std::int64_t) {
    return 0;
}
void arrange_avx2(ElementType, std::int64_t, const std::int8_t*, std::byte*) {}
bool multiply_stream_avx2(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
