// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/vnni.hpp"

#if defined(__x86_64__)

#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/kernels/vnni_steps.hpp"

namespace splitscope::cpu::kernels {
namespace {

/// The scales of one step, one per lane. `left`: remaining elements, for the last half step.
template <int G>
SPLITSCOPE_VNNI inline __m512 scales_of_step(const float* scales, std::int64_t left) {
    constexpr int kGroups = static_cast<int>(kStep) / G;
    const int groups = left >= kStep ? kGroups : kGroups / 2;
    const __m128 few = _mm_maskz_loadu_ps(static_cast<__mmask8>((1 << groups) - 1), scales);
    return _mm512_permutexvar_ps(lanes_of_groups<G>(), _mm512_castps128_ps512(few));
}

/// The instruction takes one unsigned operand: activation codes are shifted by 128, which an initial value of
/// −128 · Σ weights compensates.
SPLITSCOPE_VNNI inline __m512i shifted_up(__m512i codes) {
    return _mm512_xor_si512(codes, _mm512_set1_epi8(-128));
}
SPLITSCOPE_VNNI inline __m512i shift_taken_back(__m512i weights) {
    return _mm512_sub_epi32(_mm512_setzero_si512(),
                            _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(-128), weights));
}

/// Σ mins · sums over the groups of one row and column.
SPLITSCOPE_VNNI inline float sum_of_mins(const float* mins, const float* sums, std::int64_t groups) {
    __m512 total = _mm512_setzero_ps();
    for (std::int64_t g = 0; g < groups; g += 16) {
        const std::int64_t left = groups - g;
        const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1 << left) - 1);
        total = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, mins + g), _mm512_maskz_loadu_ps(mask, sums + g),
                                total);
    }
    return _mm512_reduce_add_ps(total);
}

template <int G, int R, int C>
SPLITSCOPE_VNNI void block(const ByteTile& t, int row, int column) {
    const std::int64_t groups = t.depth / G;
    __m512 total[R][C];
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) total[r][c] = _mm512_setzero_ps();
    }
    const std::int8_t* w = t.weights.codes + row * t.depth;
    const std::int8_t* x = t.x.codes + column * t.depth;
    const float* ws = t.weights.scales + row * groups;
    const float* xs = t.x.scales + column * (t.depth / 32);
    for (std::int64_t k = 0; k < t.depth; k += kStep) {
        const std::int64_t left = t.depth - k;
        __m512i codes[R];
        __m512i start[R];
        __m512 scale[R];
        for (int r = 0; r < R; ++r) {
            codes[r] = codes_of_step(w + r * t.depth + k, left);
            start[r] = shift_taken_back(codes[r]);
            scale[r] = scales_of_step<G>(ws + r * groups + k / G, left);
        }
        for (int c = 0; c < C; ++c) {
            const __m512i xk = shifted_up(codes_of_step(x + c * t.depth + k, left));
            const __m512 x_scale = scales_of_step<32>(xs + c * (t.depth / 32) + k / 32, left);
            for (int r = 0; r < R; ++r) {
                const __m512 product = _mm512_cvtepi32_ps(_mm512_dpbusd_epi32(start[r], xk, codes[r]));
                total[r][c] = _mm512_fmadd_ps(product, _mm512_mul_ps(scale[r], x_scale), total[r][c]);
            }
        }
    }
    for (int r = 0; r < R; ++r) {
        for (int c = 0; c < C; ++c) {
            float result = _mm512_reduce_add_ps(total[r][c]);
            if (t.weights.mins != nullptr) {
                result += sum_of_mins(t.weights.mins + (row + r) * groups, t.x_sums + (column + c) * groups,
                                      groups);
            }
            t.out[(column + c) * t.out_stride + row + r] = result;
        }
    }
}

template <int G>
SPLITSCOPE_VNNI void tile_of(const ByteTile& t) {
    constexpr int kRows = 4;
    constexpr int kColumns = 4;
    int c = 0;
    for (; c + kColumns <= t.columns; c += kColumns) {
        int r = 0;
        for (; r + kRows <= t.rows; r += kRows) block<G, kRows, kColumns>(t, r, c);
        for (; r < t.rows; ++r) block<G, 1, kColumns>(t, r, c);
    }
    for (; c < t.columns; ++c) {
        int r = 0;
        for (; r + kRows <= t.rows; r += kRows) block<G, kRows, 1>(t, r, c);
        for (; r < t.rows; ++r) block<G, 1, 1>(t, r, c);
    }
}

/// Sums of a row of small blocks times one column. One row at a time: the processor reads ahead best in a
/// single stream.
template <class S>
struct SmallSums {
    /// Small offsets are subtracted from the sums at the end, which is exact enough and cheaper.
    static constexpr bool kOffsetAtEnd = S::kOffset != 0 && S::kOffset < 128;

    __m512 total[2];  ///< two, so that an addition need not wait for the previous one
    __m512 under;     ///< Σ scale · sum, or Σ min · sum

    SPLITSCOPE_VNNI SmallSums() { total[0] = total[1] = under = _mm512_setzero_ps(); }

    /// kBatch blocks, or with kRest the last `count` ≤ kBatch ones, starting at `begin` of the row at `w`.
    template <bool kRest>
    SPLITSCOPE_VNNI inline void add(const StreamTile& t, const std::byte* w, std::int64_t begin,
                                    std::int64_t count) {
        const auto present = static_cast<__mmask16>((1u << count) - 1u);
        const std::byte* first = w + begin * S::kBytes;
        prefetch_ahead(first, kBatch * S::kBytes);
        const __m512 own = scales_of_batch<S>(first, kRest ? count : kBatch, 0);
        const __m512 scales = _mm512_mul_ps(own, _mm512_maskz_loadu_ps(present, t.x.scales + begin));
        if constexpr (S::kMins || kOffsetAtEnd) {
            const __m512 factors = S::kMins ? scales_of_batch<S>(first, kRest ? count : kBatch, 2) : own;
            under = _mm512_fmadd_ps(factors, _mm512_maskz_loadu_ps(present, t.x_sums + begin), under);
        }
        __m512i starts = _mm512_setzero_si512();
        if constexpr (S::kOffset == 128) starts = _mm512_maskz_loadu_epi32(present, t.x_starts + begin);
        if constexpr (kRest) {
            // A last block without a partner is paired with itself, with scale zero.
            for (int i = 0; i < count; i += 2) add_two(t, first, begin, i, i + 1 < count, scales, starts);
        } else {
            // Unrolled: loop overhead would cost as much as the products.
#pragma GCC unroll 8
            for (int i = 0; i < kBatch; i += 2) add_two(t, first, begin, i, true, scales, starts);
        }
    }

    SPLITSCOPE_VNNI inline void add_two(const StreamTile& t, const std::byte* batch, std::int64_t begin,
                                        int i, bool whole, __m512 scales, __m512i starts) {
        const __m512i x = codes_of_step(t.x.codes + (begin + i) * 32, whole ? kStep : kStep / 2);
        const __m512i lanes = _mm512_add_epi32(lanes_of_groups<32>(), _mm512_set1_epi32(i));
        // One lane of each block starts with −128 · Σ activations, which compensates the shift.
        const __m512i start = S::kOffset == 128 ? _mm512_maskz_permutexvar_epi32(0x0101, lanes, starts)
                                                : _mm512_setzero_si512();
        const std::byte* first = batch + i * S::kBytes;
        const __m512i codes = S::codes(first, whole ? first + S::kBytes : first);
        const __m512 product = _mm512_cvtepi32_ps(_mm512_dpbusd_epi32(start, codes, x));
        __m512& sum = total[i / 2 % 2];
        sum = _mm512_fmadd_ps(product, _mm512_permutexvar_ps(lanes, scales), sum);
    }

    SPLITSCOPE_VNNI float result() const {
        const __m512 both = _mm512_add_ps(total[0], total[1]);
        if constexpr (S::kMins) return _mm512_reduce_add_ps(both) + _mm512_reduce_add_ps(under);
        if constexpr (!kOffsetAtEnd) return _mm512_reduce_add_ps(both);
        return _mm512_reduce_add_ps(_mm512_fnmadd_ps(under, _mm512_set1_ps(S::kOffset), both));
    }
};

template <class S>
SPLITSCOPE_VNNI void small_stream(const StreamTile& t) {
    const std::int64_t blocks = t.depth / 32;
    for (int row = 0; row < t.rows; ++row) {
        SmallSums<S> sums;
        const std::byte* w = t.weights + row * t.weights_stride;
        std::int64_t begin = 0;
        for (; begin + kBatch <= blocks; begin += kBatch) sums.template add<false>(t, w, begin, kBatch);
        if (begin < blocks) sums.template add<true>(t, w, begin, blocks - begin);
        t.out[row] = sums.result();
    }
}

/// One or two blocks of q4_K or q5_K from `w` on: products of two sub-blocks at a time are scaled as integers
/// and accumulated per super-block. Two blocks share what there is to do for their scales.
template <bool kFifthBit, bool kTwo>
SPLITSCOPE_VNNI inline void add_k_min(const StreamTile& t, const std::byte* w, std::int64_t k, __m512& total,
                                      __m512& mins) {
    constexpr std::int64_t kBytes = kFifthBit ? sizeof(BlockQ5_K) : sizeof(BlockQ4_K);
    prefetch_ahead(w, (kTwo ? 2 : 1) * kBytes);
    const __m512i words = scales_and_mins(w + 4, kTwo ? w + kBytes + 4 : w + 4);
    __m128i halves = _mm_loadu_si32(w);
    if constexpr (kTwo) halves = _mm_unpacklo_epi32(halves, _mm_loadu_si32(w + kBytes));
    const __m512 factors = _mm512_castps128_ps512(_mm_cvtph_ps(halves));
    for (int b = 0; b < (kTwo ? 2 : 1); ++b) {
        __m512i sum = _mm512_setzero_si512();
        for (int part = 0; part < 4; part += 2) {
            sum = add_scaled_products(sum, codes_of_k_min<kFifthBit>(w + b * kBytes, part),
                                      codes_of_k_min<kFifthBit>(w + b * kBytes, part + 1), 0,
                                      t.x.codes + k + b * 256 + part * kStep,
                                      words_of_steps<32>(part + 8 * b, words));
        }
        const __m512 d = _mm512_mul_ps(_mm512_permutexvar_ps(_mm512_set1_epi32(2 * b), factors),
                                       _mm512_set1_ps(t.x.scales[k / 32 + 8 * b]));
        total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), d, total);
    }
    const __m512i places = _mm512_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const __m512 own = _mm512_cvtepi32_ps(_mm512_maskz_permutexvar_epi16(0x55555555, places, words));
    const __m512 x_sums = _mm512_maskz_loadu_ps(kTwo ? 0xFFFF : 0xFF, t.x_sums + k / 32);
    const __m512 d_mins =
        _mm512_permutexvar_ps(_mm512_setr_epi32(1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3), factors);
    mins = _mm512_fmadd_ps(_mm512_mul_ps(own, x_sums), d_mins, mins);
}

template <bool kFifthBit>
SPLITSCOPE_VNNI void k_min_rows(const StreamTile& t) {
    constexpr std::int64_t kBytes = kFifthBit ? sizeof(BlockQ5_K) : sizeof(BlockQ4_K);
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        __m512 mins = _mm512_setzero_ps();
        std::int64_t k = 0;
        for (; k + 512 <= t.depth; k += 512, w += 2 * kBytes)
            add_k_min<kFifthBit, true>(t, w, k, total, mins);
        if (k < t.depth) add_k_min<kFifthBit, false>(t, w, k, total, mins);
        t.out[row] = _mm512_reduce_add_ps(_mm512_sub_ps(total, mins));
    }
}

struct TwoSteps {
    __m512i first;
    __m512i second;
};

/// Bit pairs of 32 bytes of a q2_K or q3_K block: the lowest of all bytes, then the next.
SPLITSCOPE_VNNI inline TwoSteps low_pairs_of_bits(const std::byte* p) {
    const __m512i bytes = _mm512_broadcast_i64x4(load_32(p));
    const __m512i first = _mm512_srlv_epi64(bytes, _mm512_setr_epi64(0, 0, 0, 0, 2, 2, 2, 2));
    const __m512i mask = _mm512_set1_epi8(3);
    return {_mm512_and_si512(first, mask), _mm512_and_si512(_mm512_srli_epi64(first, 4), mask)};
}

SPLITSCOPE_VNNI void q2_K_rows(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockQ2_K)) {
            prefetch_ahead(w, sizeof(BlockQ2_K));
            const __m512i packed = _mm512_cvtepu8_epi32(load_16(w));
            const __m256i scales = _mm256_and_si256(_mm512_cvtepi32_epi16(packed), _mm256_set1_epi16(15));
            __m512i sum = _mm512_setzero_si512();
            for (int step = 0; step < 4; step += 2) {
                const TwoSteps codes = low_pairs_of_bits(w + 16 + step * 16);
                sum = add_scaled_products(sum, codes.first, codes.second, 0, t.x.codes + k + step * kStep,
                                          words_of_steps<16>(step, scales));
            }
            const float x_scale = t.x.scales[k / 32];
            total =
                _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(half_at(w + 80) * x_scale), total);
            const __m512 mins = _mm512_cvtepi32_ps(_mm512_srli_epi32(packed, 4));
            const __m512 under = _mm512_mul_ps(mins, _mm512_loadu_ps(t.x_sums + k / 16));
            total = _mm512_fnmadd_ps(under, _mm512_set1_ps(half_at(w + 82)), total);
        }
        t.out[row] = _mm512_reduce_add_ps(total);
    }
}

SPLITSCOPE_VNNI void q3_K_rows(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockQ3_K)) {
            prefetch_ahead(w, sizeof(BlockQ3_K));
            // Sixteen six-bit scales: nibbles of the first eight bytes, bit pairs of the last four.
            std::uint32_t p[3];
            std::memcpy(p, w + 96, sizeof(p));
            const auto nibbles = [](std::uint32_t word) { return static_cast<int>(word & 0x0F0F0F0Fu); };
            const auto pairs = [](std::uint32_t word) { return static_cast<int>((word & 0x03030303u) << 4); };
            const __m128i low =
                _mm_setr_epi32(nibbles(p[0]), nibbles(p[1]), nibbles(p[0] >> 4), nibbles(p[1] >> 4));
            const __m128i high =
                _mm_setr_epi32(pairs(p[2]), pairs(p[2] >> 2), pairs(p[2] >> 4), pairs(p[2] >> 6));
            const __m256i scales =
                _mm256_sub_epi16(_mm256_cvtepu8_epi16(_mm_or_si128(low, high)), _mm256_set1_epi16(32));
            const __m512i third = _mm512_broadcast_i64x4(load_32(w));
            __m512i sum = _mm512_setzero_si512();
            for (int step = 0; step < 4; step += 2) {
                const TwoSteps codes = low_pairs_of_bits(w + 32 + step * 16);
                const auto with_third = [third](__m512i lower, int from) SPLITSCOPE_VNNI {
                    const __m512i by =
                        _mm512_setr_epi64(from, from, from, from, from + 1, from + 1, from + 1, from + 1);
                    const __m512i bits = _mm512_and_si512(_mm512_srlv_epi64(third, by), _mm512_set1_epi8(1));
                    return _mm512_or_si512(lower, _mm512_slli_epi16(bits, 2));
                };
                sum = add_scaled_products(sum, with_third(codes.first, 2 * step),
                                          with_third(codes.second, 2 * step + 2), 4,
                                          t.x.codes + k + step * kStep, words_of_steps<16>(step, scales));
            }
            const float scale = half_at(w + 108) * t.x.scales[k / 32];
            total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(scale), total);
        }
        t.out[row] = _mm512_reduce_add_ps(total);
    }
}

SPLITSCOPE_VNNI void q6_K_rows(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += sizeof(BlockQ6_K)) {
            prefetch_ahead(w, sizeof(BlockQ6_K));
            const __m256i scales = _mm256_cvtepi8_epi16(load_16(w + 192));
            __m512i sum = _mm512_setzero_si512();
            for (int step = 0; step < 4; step += 2) {
                sum = add_scaled_products(sum, codes_of_q6_K(w, step), codes_of_q6_K(w, step + 1), 32,
                                          t.x.codes + k + step * kStep, words_of_steps<16>(step, scales));
            }
            const float scale = half_at(w + 208) * t.x.scales[k / 32];
            total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(scale), total);
        }
        t.out[row] = _mm512_reduce_add_ps(total);
    }
}

}  // namespace

bool has_vnni() {
    static const bool has = allowed_instructions() == InstructionSet::vnni &&
                            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vnni");
    return has;
}

void multiply_tile_vnni(const ByteTile& tile) {
    if (tile.group == 16) {
        tile_of<16>(tile);
    } else {
        tile_of<32>(tile);
    }
}

bool multiply_stream_vnni(const StreamTile& tile) {
    switch (tile.type) {
        case ElementType::q5_0:
            small_stream<StreamQ5_0>(tile);
            return true;
        case ElementType::q5_1:
            small_stream<StreamQ5_1>(tile);
            return true;
        case ElementType::mxfp4:
            small_stream<StreamMxfp4>(tile);
            return true;
        case ElementType::q2_K:
            q2_K_rows(tile);
            return true;
        case ElementType::q3_K:
            q3_K_rows(tile);
            return true;
        case ElementType::q4_K:
            k_min_rows<false>(tile);
            return true;
        case ElementType::q5_K:
            k_min_rows<true>(tile);
            return true;
        case ElementType::q6_K:
            q6_K_rows(tile);
            return true;
        default:
            return multiply_chunk_stream_vnni(tile) || multiply_codebook_stream_vnni(tile) ||
                   multiply_few_levels_stream_vnni(tile);
    }
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool has_vnni() {
    return false;
}
void multiply_tile_vnni(const ByteTile&) {}
bool multiply_stream_vnni(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
