// SPDX-License-Identifier: MIT
// Streams of the types with few levels for AVX-512 VNNI: ternary digits, one and two bits, four-bit floats
// with a scale per 16 elements.
#include "backends/cpu/kernels/vnni.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "backends/cpu/kernels/vnni_steps.hpp"

namespace splitscope::cpu::kernels {
namespace {

SPLITSCOPE_VNNI inline __m512i tripled(__m512i bytes) {
    return _mm512_add_epi8(bytes, _mm512_add_epi8(bytes, bytes));
}

/// Each byte times that at the same place in `factors`, modulo 256. Both bytes of a word have the same
/// factor.
SPLITSCOPE_VNNI inline __m512i times(__m512i bytes, __m512i factors) {
    const __m512i low = _mm512_mullo_epi16(bytes, factors);
    const __m512i high = _mm512_mullo_epi16(_mm512_and_si512(bytes, _mm512_set1_epi16(-256)), factors);
    return _mm512_mask_mov_epi8(high, 0x5555555555555555, low);
}

/// A word for each of three lanes of 128 bits, then for each four bytes of the last.
SPLITSCOPE_VNNI inline __m512i factors_of_lanes(std::array<short, 3> lanes, std::array<short, 4> last) {
    const auto twice = [](short factor) { return factor * 0x10001; };
    const auto [a, b, c] = lanes;
    return _mm512_setr_epi32(twice(a), twice(a), twice(a), twice(a), twice(b), twice(b), twice(b), twice(b),
                             twice(c), twice(c), twice(c), twice(c), twice(last[0]), twice(last[1]),
                             twice(last[2]), twice(last[3]));
}

// Types with one scale for 256 elements: the sum of their digits times activations, in units of kUnit.

/// Bytes are fractions of 256 whose digits have base 3. Tripling moves the first digit in front of the point,
/// so that it is 3 · fraction − the fraction that remains, over 256; both are multiplied instead of the
/// digit.
struct Tq1 {
    static constexpr std::int64_t kBytes = sizeof(BlockTq1_0);
    static constexpr std::int64_t kScale = 52;
    static constexpr float kUnit = 1.0F / 256;

    SPLITSCOPE_VNNI static __m512i products(const std::byte* w, const std::int8_t* x) {
        __m512i all = _mm512_setzero_si512();
        __m512i remaining = _mm512_setzero_si512();
        const auto add = [&](__m512i fractions, __m512i next, int step) SPLITSCOPE_VNNI {
            const __m512i xk = _mm512_loadu_si512(x + step * kStep);
            all = _mm512_dpbusd_epi32(all, fractions, xk);
            remaining = _mm512_dpbusd_epi32(remaining, next, xk);
        };
        // 32 bytes hold elements 0 to 159 …
        const __m256i bytes = load_32(w);
        const __m512i first = pair(bytes, _mm256_add_epi8(bytes, _mm256_add_epi8(bytes, bytes)));
        const __m512i after_first = tripled(first);
        const __m512i second = tripled(after_first);
        const __m512i after_second = tripled(second);
        // … sixteen those to 239, and four the last.
        const __m512i middle = _mm512_broadcast_i32x4(load_16(w + 32));
        const __m512i middles =
            _mm512_mask_add_epi8(middle, 0xFFFF0000, middle, _mm512_add_epi8(middle, middle));
        const __m512i third = _mm512_shuffle_i64x2(after_second, middles, 0b01'00'11'10);
        std::uint32_t four = 0;
        std::memcpy(&four, w + 48, sizeof(four));
        const __m512i ends = _mm512_mask_mov_epi32(middle, 0xF000, _mm512_set1_epi32(static_cast<int>(four)));
        const __m512i last = times(ends, factors_of_lanes({9, 27, 81}, {1, 3, 9, 27}));
        add(first, after_first, 0);
        add(second, after_second, 1);
        add(third, tripled(third), 2);
        add(last, tripled(last), 3);
        return _mm512_sub_epi32(_mm512_add_epi32(all, _mm512_add_epi32(all, all)), remaining);
    }
};

struct Tq2 {
    static constexpr std::int64_t kBytes = sizeof(BlockTq2_0);
    static constexpr std::int64_t kScale = 64;
    static constexpr float kUnit = 1;

    SPLITSCOPE_VNNI static __m512i products(const std::byte* w, const std::int8_t* x) {
        const __m512i bytes = _mm512_loadu_si512(w);
        __m512i sum = _mm512_setzero_si512();
        for (int plane = 0; plane < 4; ++plane) {
            const __m512i codes = _mm512_and_si512(_mm512_srli_epi16(bytes, static_cast<unsigned>(2 * plane)),
                                                   _mm512_set1_epi8(3));
            const auto* at = reinterpret_cast<const std::byte*>(x) + plane * 32;
            sum = _mm512_dpbusd_epi32(sum, codes, pair(load_32(at), load_32(at + 128)));
        }
        return sum;
    }
};

template <class S>
SPLITSCOPE_VNNI void ternary_rows(const StreamTile& t) {
    for (int row = 0; row < t.rows; ++row) {
        const std::byte* w = t.weights + row * t.weights_stride;
        __m512 total = _mm512_setzero_ps();
        __m256 under = _mm256_setzero_ps();
        for (std::int64_t k = 0; k < t.depth; k += 256, w += S::kBytes) {
            prefetch_ahead(w, S::kBytes);
            const float d = half_at(w + S::kScale);
            const __m512 products = _mm512_cvtepi32_ps(S::products(w, t.x.codes + k));
            total = _mm512_fmadd_ps(products, _mm512_set1_ps(d * t.x.scales[k / 32] * S::kUnit), total);
            under = _mm256_fmadd_ps(_mm256_set1_ps(d), _mm256_loadu_ps(t.x_sums + k / 32), under);
        }
        t.out[row] = _mm512_reduce_add_ps(_mm512_sub_ps(total, _mm512_zextps256_ps512(under)));
    }
}

/// The scales of a step of activations, one per lane.
SPLITSCOPE_VNNI inline __m512 x_scales_of_step(const float* scales) {
    const __m128 two = _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(scales)));
    return _mm512_permutexvar_ps(lanes_of_groups<32>(), _mm512_castps128_ps512(two));
}

/// Sums of four activations each, negated where a bit is set.
SPLITSCOPE_VNNI inline __m512 turned_sums(__m512i x, std::uint64_t bits) {
    const __m512i turned = _mm512_mask_subs_epi8(x, bits, _mm512_setzero_si512(), x);
    return _mm512_cvtepi32_ps(_mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), turned));
}

template <int R>
SPLITSCOPE_VNNI void q1_rows(const StreamTile& t, int row) {
    constexpr std::int64_t kBytes = sizeof(BlockQ1_0);
    const std::byte* w = t.weights + row * t.weights_stride;
    __m512 minus[R];
    for (int r = 0; r < R; ++r) minus[r] = _mm512_setzero_ps();
    for (std::int64_t k = 0; k < t.depth; k += 128, w += kBytes) {
        const __m512i x0 = _mm512_loadu_si512(t.x.codes + k);
        const __m512i x1 = _mm512_loadu_si512(t.x.codes + k + kStep);
        const __m512 scale0 = x_scales_of_step(t.x.scales + k / 32);
        const __m512 scale1 = x_scales_of_step(t.x.scales + k / 32 + 2);
        for (int r = 0; r < R; ++r) {
            const std::byte* own = w + r * t.weights_stride;
            prefetch_ahead(own, kBytes);
            std::array<std::uint64_t, 2> set{};
            std::memcpy(set.data(), own + 2, sizeof(set));
            const __m512 both = _mm512_fmadd_ps(turned_sums(x0, set[0]), scale0,
                                                _mm512_mul_ps(turned_sums(x1, set[1]), scale1));
            minus[r] = _mm512_fmadd_ps(both, _mm512_set1_ps(half_at(own)), minus[r]);
        }
    }
    for (int r = 0; r < R; ++r) t.out[row + r] = -_mm512_reduce_add_ps(minus[r]);
}

/// Four codes of two bits from each of sixteen bytes.
SPLITSCOPE_VNNI inline __m512i pairs_of_bits_of_16(const std::byte* p) {
    __m512i v = _mm512_cvtepu8_epi32(load_16(p));
    v = _mm512_or_si512(v, _mm512_slli_epi32(v, 12));
    v = _mm512_or_si512(v, _mm512_slli_epi32(v, 6));
    return _mm512_and_si512(v, _mm512_set1_epi8(3));
}

template <int R>
SPLITSCOPE_VNNI void q2_rows(const StreamTile& t, int row) {
    constexpr std::int64_t kBytes = sizeof(BlockQ2_0);
    const std::byte* w = t.weights + row * t.weights_stride;
    __m512 total[R];
    for (int r = 0; r < R; ++r) total[r] = _mm512_setzero_ps();
    for (std::int64_t k = 0; k < t.depth; k += kStep, w += kBytes) {
        const __m512i x = _mm512_loadu_si512(t.x.codes + k);
        const __m512i start = start_of(x, 1);
        const __m512 x_scale = x_scales_of_step(t.x.scales + k / 32);
        for (int r = 0; r < R; ++r) {
            const std::byte* own = w + r * t.weights_stride;
            prefetch_ahead(own, kBytes);
            const __m512i products = _mm512_dpbusd_epi32(start, pairs_of_bits_of_16(own + 2), x);
            const __m512 scale = _mm512_mul_ps(x_scale, _mm512_set1_ps(half_at(own)));
            total[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products), scale, total[r]);
        }
    }
    for (int r = 0; r < R; ++r) t.out[row + r] = _mm512_reduce_add_ps(total[r]);
}

/// Scales of up to four nvfp4 blocks, halved because kFp4Values are doubled.
SPLITSCOPE_VNNI inline __m512 nvfp4_scales(const std::byte* blocks, std::int64_t count) {
    alignas(16) std::array<std::uint32_t, 4> packed{};
    for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(&packed[static_cast<std::size_t>(i)],
                    blocks + i * static_cast<std::int64_t>(sizeof(BlockNvfp4)), sizeof(std::uint32_t));
    }
    const __m256i codes = _mm256_and_si256(
        _mm256_cvtepu8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(packed.data()))),
        _mm256_set1_epi16(0x7F));
    // The format is a binary16 with a shorter exponent and mantissa; its NaN counts as zero.
    const __mmask16 numbers = _mm256_cmpneq_epi16_mask(codes, _mm256_set1_epi16(0x7F));
    const __m512 halves = _mm512_cvtph_ps(_mm256_maskz_slli_epi16(numbers, codes, 7));
    return _mm512_mul_ps(halves, _mm512_set1_ps(128));
}

template <int R>
SPLITSCOPE_VNNI void nvfp4_rows(const StreamTile& t, int row) {
    constexpr std::int64_t kBytes = sizeof(BlockNvfp4);
    constexpr std::int64_t kBlocks = 4;
    constexpr int kOffset = 12;
    const __m512i table = _mm512_add_epi8(
        _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kFp4Values.data()))),
        _mm512_set1_epi8(kOffset));
    const __m512i eights = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
    const __m512i shifts = _mm512_setr_epi64(0, 4, 0, 4, 0, 4, 0, 4);
    __m512 total[R];
    for (int r = 0; r < R; ++r) total[r] = _mm512_setzero_ps();
    const std::int64_t blocks = t.depth / kStep;
    for (std::int64_t begin = 0; begin < blocks; begin += kBlocks) {
        const std::int64_t count = std::min(kBlocks, blocks - begin);
        const __m512 x_scales =
            _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << (2 * count)) - 1u), t.x.scales + begin * 2);
        const __m512 x_by_16 = _mm512_permutexvar_ps(
            _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7), x_scales);
        __m512 scales[R];
        for (int r = 0; r < R; ++r) {
            const std::byte* own = t.weights + (row + r) * t.weights_stride + begin * kBytes;
            prefetch_ahead(own, kBlocks * kBytes);
            scales[r] = _mm512_mul_ps(nvfp4_scales(own, count), x_by_16);
        }
        for (std::int64_t i = 0; i < count; ++i) {
            const __m512i x = _mm512_loadu_si512(t.x.codes + (begin + i) * kStep);
            const __m512i start = start_of(x, kOffset);
            const __m512i lanes =
                _mm512_add_epi32(lanes_of_groups<16>(), _mm512_set1_epi32(static_cast<int>(4 * i)));
            for (int r = 0; r < R; ++r) {
                const std::byte* own = t.weights + (row + r) * t.weights_stride + (begin + i) * kBytes;
                const __m512i bytes =
                    _mm512_permutexvar_epi64(eights, _mm512_castsi256_si512(load_32(own + 4)));
                const __m512i nibbles =
                    _mm512_and_si512(_mm512_srlv_epi64(bytes, shifts), _mm512_set1_epi8(15));
                const __m512i products = _mm512_dpbusd_epi32(start, _mm512_shuffle_epi8(table, nibbles), x);
                total[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(products),
                                           _mm512_permutexvar_ps(lanes, scales[r]), total[r]);
            }
        }
    }
    for (int r = 0; r < R; ++r) t.out[row + r] = _mm512_reduce_add_ps(total[r]);
}

/// Four rows at a time, then the others.
template <class Four, class One>
void by_four(int rows, Four&& four, One&& one) {
    int row = 0;
    for (; row + 4 <= rows; row += 4) four(row);
    for (; row < rows; ++row) one(row);
}

}  // namespace

bool multiply_few_levels_stream_vnni(const StreamTile& tile) {
    switch (tile.type) {
        case ElementType::tq1_0:
            ternary_rows<Tq1>(tile);
            return true;
        case ElementType::tq2_0:
            ternary_rows<Tq2>(tile);
            return true;
        case ElementType::q1_0:
            by_four(
                tile.rows, [&](int row) { q1_rows<4>(tile, row); }, [&](int row) { q1_rows<1>(tile, row); });
            return true;
        case ElementType::q2_0:
            by_four(
                tile.rows, [&](int row) { q2_rows<4>(tile, row); }, [&](int row) { q2_rows<1>(tile, row); });
            return true;
        case ElementType::nvfp4:
            by_four(
                tile.rows, [&](int row) { nvfp4_rows<4>(tile, row); },
                [&](int row) { nvfp4_rows<1>(tile, row); });
            return true;
        default:
            return false;
    }
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool multiply_few_levels_stream_vnni(const StreamTile&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
