// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/avx2_stream.hpp"

#if defined(__x86_64__)

#include <array>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "backends/cpu/kernels/avx2_blocks.hpp"
#include "backends/cpu/kernels/avx2_codebooks.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/kernels/stream_distance.hpp"
#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/fp4_scales.hpp"

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
            const __m256 both = _mm256_mul_ps(d, x_scales);
            _mm256_store_ps(scales.data(),
                            S::kFactor == 1 ? both : _mm256_mul_ps(both, _mm256_set1_ps(S::kFactor)));
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

constexpr std::array<float, 128> e4m3_values() {
    std::array<float, 128> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = quants::half_of_ue4m3(static_cast<std::uint8_t>(i));
    return values;
}

SPLITSCOPE_AVX2 void nvfp4_stream(const StreamTile& t) {
    static constexpr std::array<float, 128> kScales = e4m3_values();
    const auto scale_at = [](const std::byte* p) { return kScales[load_as<std::uint8_t>(p) & 127u]; };
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m256 total = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 64, w += sizeof(BlockNvfp4)) {
            fetch_ahead(w, 1);
            for (int part = 0; part < 2; ++part) {
                const __m256i codes = unpack_nibbles_of_8(load_half(w + 4 + part * 16));
                const __m256i products = pair_products<true>(lookup_nibbles(kFp4Values, codes),
                                                             load_whole(t.x.codes + k + part * 32));
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

/// Shuffles of eight words for each 32 elements of groups of G: repeat the word of their group, or in each
/// half that of its group.
template <int G>
struct WordShuffles {
    constexpr WordShuffles() {
        for (int g = 0; g < G / 4; ++g) {
            for (int i = 0; i < 32; ++i) {
                const int word = G == 32 ? g : 2 * g + i / 16;
                bytes[static_cast<std::size_t>(g * 32 + i)] = static_cast<std::int8_t>(2 * word + i % 2);
            }
        }
    }
    alignas(32) std::array<std::int8_t, G * 8> bytes{};
};
template <int G>
constexpr WordShuffles<G> kWordShuffles;

/// The scales of the two groups of 16, or of the group of 32, as words beside their products.
template <int G>
SPLITSCOPE_AVX2 inline __m256i scale_words(const SuperBlock& block, int g) {
    const int half = G == 32 ? 0 : g / 4;
    const __m256i eight = _mm256_broadcastsi128_si256(load_half(block.scales.data() + half * 8));
    return _mm256_shuffle_epi8(eight, load_whole(kWordShuffles<G>.bytes.data() + (g - half * 4) * 32));
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
SPLITSCOPE_AVX2 inline __m256i super_products(const S& source, const std::byte* w, int g, __m256i x) {
    if constexpr (requires { source.signs(w, g); }) {
        return _mm256_maddubs_epi16(source.points(w, g), _mm256_sign_epi8(x, source.signs(w, g)));
    } else {
        return pair_products<S::kSigned>(source.codes(w, g), x);
    }
}

template <class S>
SPLITSCOPE_AVX2 void super_block_rows(const StreamTile& t) {
    const S source{};
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
                const __m256i pairs = super_products(source, w, g, load_whole(t.x.codes + k + g * 32));
                if constexpr (S::kUniform) {
                    sum = _mm256_add_epi16(sum, pairs);
                } else {
                    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, scale_words<S::kGroup>(block, g)));
                }
            }
            if constexpr (S::kUniform) sum = _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
            const float d = block.d * S::kFactor;
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(d * t.x.scales[k / 32]), total);
            const float* sums = t.x_sums + k / S::kGroup;
            if constexpr (S::kMins) {
                total = _mm256_fmadd_ps(weighted_sums<S::kGroup>(block.mins, sums), _mm256_set1_ps(block.m),
                                        total);
            }
            if constexpr (S::kUniform) {
                total = _mm256_fnmadd_ps(_mm256_loadu_ps(sums), _mm256_set1_ps(d * S::kOffset), total);
            } else if constexpr (S::kOffset != 0) {
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
            return small_block_rows<SmallQ1_0>;
        case ElementType::q2_0:
            return small_block_rows<SmallQ2_0>;
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
