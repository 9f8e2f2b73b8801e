// SPDX-License-Identifier: MIT
// Panels of quantised weights for AVX-512 VNNI: codes of 32 rows are interleaved so that one vector holds
// four codes of each of sixteen rows, which are multiplied by four codes of every column at once.
#include "backends/cpu/kernels/vnni_panel.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "backends/cpu/kernels/avx512_transpose.hpp"
#include "backends/cpu/kernels/vnni.hpp"
#include "backends/cpu/kernels/vnni_blocks.hpp"
#include "engine/tensor/quants/byte_form.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu::kernels {
namespace {

/// Elements of a row packed at a time: two super-blocks, small enough for the L1 cache.
constexpr std::int64_t kDepthPart = 512;
/// Columns computed together; their sums are in registers.
constexpr int kColumns = 6;

/// Packed codes, shifted by 128, and scales and mins by group and row.
struct Packed {
    explicit Packed(float* memory)
        : codes(reinterpret_cast<std::byte*>(memory)),
          scales(memory + kDepthPart * kPanelRows / 4),
          mins(scales + kDepthPart / 16 * kPanelRows),
          rest(mins + kDepthPart / 16 * kPanelRows) {}

    std::byte* codes;
    float* scales;
    float* mins;
    float* rest;  ///< for unpacked rows
};

// Sources of a row's codes: 64 codes from element `k` on, shifted by 128 (32 if fewer are `left`), and scales
// and mins of `count` ≤ 16 groups from element `k` on.

template <class S>
struct SmallSource {
    using Row = const std::byte*;
    static constexpr int kGroup = 32;
    static constexpr bool kMins = S::kMins;

    SPLITSCOPE_VNNI static __m512i codes(Row row, std::int64_t k, std::int64_t left) {
        const std::byte* first = row + k / 32 * S::kBytes;
        const __m512i codes = S::codes(first, left >= kStep ? first + S::kBytes : first);
        return _mm512_add_epi8(codes, _mm512_set1_epi8(static_cast<char>(128 - S::kOffset)));
    }
    SPLITSCOPE_VNNI static __m512 scales(Row row, std::int64_t k, std::int64_t count) {
        return scales_of_batch<S>(row + k / 32 * S::kBytes, count, 0);
    }
    SPLITSCOPE_VNNI static __m512 mins(Row row, std::int64_t k, std::int64_t count) {
        return scales_of_batch<S>(row + k / 32 * S::kBytes, count, 2);
    }
};

SPLITSCOPE_VNNI inline __m512 joined(__m256 first, __m256 second) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1);
}

template <bool kFifthBit>
struct KMinSource {
    using Row = const std::byte*;
    static constexpr int kGroup = 32;
    static constexpr bool kMins = true;
    static constexpr std::int64_t kBytes = kFifthBit ? sizeof(BlockQ5_K) : sizeof(BlockQ4_K);

    SPLITSCOPE_VNNI static __m512i codes(Row row, std::int64_t k, std::int64_t) {
        const __m512i codes =
            codes_of_k_min<kFifthBit>(row + k / 256 * kBytes, static_cast<int>(k % 256 / kStep));
        return _mm512_add_epi8(codes, _mm512_set1_epi8(-128));
    }
    SPLITSCOPE_VNNI static __m512 scales(Row row, std::int64_t k, std::int64_t count) {
        const std::byte* block = row + k / 256 * kBytes;
        const __m256 first = scales_of_block(block);
        return joined(first, count > 8 ? scales_of_block(block + kBytes) : first);
    }
    SPLITSCOPE_VNNI static __m512 mins(Row row, std::int64_t k, std::int64_t count) {
        const std::byte* block = row + k / 256 * kBytes;
        const __m256 first = mins_of_block(block);
        return joined(first, count > 8 ? mins_of_block(block + kBytes) : first);
    }

 private:
    SPLITSCOPE_VNNI static __m256 scales_of_block(const std::byte* block) {
        const __m256 scales = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(scales_and_mins(block + 4)));
        return _mm256_mul_ps(scales, _mm256_set1_ps(half_at(block)));
    }
    SPLITSCOPE_VNNI static __m256 mins_of_block(const std::byte* block) {
        const __m128i packed = _mm_srli_si128(scales_and_mins(block + 4), 8);
        return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(packed)),
                             _mm256_set1_ps(-half_at(block + 2)));
    }
};

struct Iq4XsSource {
    using Row = const std::byte*;
    static constexpr int kGroup = 32;
    static constexpr bool kMins = false;
    static constexpr std::int64_t kBytes = sizeof(BlockIq4Xs);

    SPLITSCOPE_VNNI static __m512i codes(Row row, std::int64_t k, std::int64_t) {
        const std::byte* bytes = row + k / 256 * kBytes + 8 + k % 256 / 2;
        return _mm512_shuffle_epi8(shifted_table(kIq4Values), nibbles_of_two(bytes, bytes + 16));
    }
    SPLITSCOPE_VNNI static __m512 scales(Row row, std::int64_t k, std::int64_t count) {
        const std::byte* block = row + k / 256 * kBytes;
        const __m256 first = scales_of_block(block);
        return joined(first, count > 8 ? scales_of_block(block + kBytes) : first);
    }
    SPLITSCOPE_VNNI static __m512 mins(Row, std::int64_t, std::int64_t) { return _mm512_setzero_ps(); }

 private:
    SPLITSCOPE_VNNI static __m256 scales_of_block(const std::byte* block) {
        return _mm256_mul_ps(_mm256_cvtepi32_ps(scales_of_iq4_xs(block)), _mm256_set1_ps(half_at(block)));
    }
};

struct Q6KSource {
    using Row = const std::byte*;
    static constexpr int kGroup = 16;
    static constexpr bool kMins = false;
    static constexpr std::int64_t kBytes = sizeof(BlockQ6_K);

    SPLITSCOPE_VNNI static __m512i codes(Row row, std::int64_t k, std::int64_t) {
        const __m512i codes = codes_of_q6_K(row + k / 256 * kBytes, static_cast<int>(k % 256 / kStep));
        return _mm512_add_epi8(codes, _mm512_set1_epi8(128 - 32));
    }
    SPLITSCOPE_VNNI static __m512 scales(Row row, std::int64_t k, std::int64_t) {
        const std::byte* block = row + k / 256 * kBytes;
        return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(load_16(block + 192))),
                             _mm512_set1_ps(half_at(block + 208)));
    }
    SPLITSCOPE_VNNI static __m512 mins(Row, std::int64_t, std::int64_t) { return _mm512_setzero_ps(); }
};

/// Part of a row in the common byte form.
struct UnpackedRow {
    const std::int8_t* codes;
    const float* scales;
    const float* mins;
};

template <int G, bool kHasMins>
struct UnpackedSource {
    using Row = UnpackedRow;
    static constexpr int kGroup = G;
    static constexpr bool kMins = kHasMins;

    SPLITSCOPE_VNNI static __m512i codes(const Row& row, std::int64_t k, std::int64_t left) {
        return _mm512_xor_si512(codes_of_step(row.codes + k, left), _mm512_set1_epi8(-128));
    }
    SPLITSCOPE_VNNI static __m512 scales(const Row& row, std::int64_t k, std::int64_t count) {
        return _mm512_maskz_loadu_ps(present(count), row.scales + k / G);
    }
    SPLITSCOPE_VNNI static __m512 mins(const Row& row, std::int64_t k, std::int64_t count) {
        return _mm512_maskz_loadu_ps(present(count), row.mins + k / G);
    }

 private:
    static __mmask16 present(std::int64_t count) { return static_cast<__mmask16>((1u << count) - 1u); }
};

/// Packs elements first … first + depth - 1 of 32 rows.
template <class S>
SPLITSCOPE_VNNI void pack(const typename S::Row* rows, std::int64_t first, std::int64_t depth,
                          const Packed& packed) {
    const std::int64_t groups = depth / S::kGroup;
    __m512i lanes[16];
    for (int half = 0; half < 2; ++half) {
        const typename S::Row* mine = rows + half * 16;
        for (std::int64_t k = 0; k < depth; k += kStep) {
            for (int r = 0; r < 16; ++r) lanes[r] = S::codes(mine[r], first + k, depth - k);
            transpose(lanes);
            std::byte* to = packed.codes + k * kPanelRows + half * 64;
            for (int q = 0; q < 16; ++q) _mm512_store_si512(to + q * 128, lanes[q]);
        }
        for (std::int64_t g = 0; g < groups; g += 16) {
            const int count = static_cast<int>(std::min<std::int64_t>(16, groups - g));
            const std::int64_t k = first + g * S::kGroup;
            for (int r = 0; r < 16; ++r) lanes[r] = _mm512_castps_si512(S::scales(mine[r], k, count));
            transpose(lanes);
            float* to = packed.scales + g * kPanelRows + half * 16;
            for (int i = 0; i < count; ++i) _mm512_store_si512(to + i * kPanelRows, lanes[i]);
            if constexpr (S::kMins) {
                for (int r = 0; r < 16; ++r) lanes[r] = _mm512_castps_si512(S::mins(mine[r], k, count));
                transpose(lanes);
                float* mins = packed.mins + g * kPanelRows + half * 16;
                for (int i = 0; i < count; ++i) _mm512_store_si512(mins + i * kPanelRows, lanes[i]);
            }
        }
    }
}

SPLITSCOPE_VNNI inline __m512i four_codes(const std::int8_t* codes) {
    std::int32_t bits = 0;
    std::memcpy(&bits, codes, sizeof(bits));
    return _mm512_set1_epi32(bits);
}

/// The packed part of the rows times C columns, added to the previous parts' results.
template <int G, bool kMins, int C>
SPLITSCOPE_VNNI void multiply_columns(const BytePanel& p, const PanelColumn* columns, std::int64_t first,
                                      std::int64_t depth, const Packed& packed) {
    const auto low = static_cast<__mmask16>(p.rows >= 16 ? 0xFFFF : (1u << p.rows) - 1u);
    const auto high = static_cast<__mmask16>(p.rows >= 32  ? 0xFFFF
                                             : p.rows > 16 ? (1u << (p.rows - 16)) - 1u
                                                           : 0);
    const std::int8_t* x[C];
    const float* x_scales[C];
    const std::int32_t* starts[C];
    const float* sums[C];
    __m512 total[C][2];
    for (int c = 0; c < C; ++c) {
        const std::int64_t at = columns[c].index * p.depth + first;
        x[c] = p.x.codes + at;
        x_scales[c] = p.x.scales + at / 32;
        starts[c] = p.x_starts + at / G;
        sums[c] = p.x_sums + at / G;
        const float* out = columns[c].out + p.out_offset;
        total[c][0] = first == 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(low, out);
        total[c][1] = first == 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(high, out + 16);
    }
    const std::byte* w = packed.codes;
    for (std::int64_t g = 0; g < depth / G; ++g) {
        __m512i product[C][2];
        for (int c = 0; c < C; ++c) product[c][0] = product[c][1] = _mm512_set1_epi32(starts[c][g]);
        for (int q = 0; q < G / 4; ++q, w += 128) {
            const __m512i w0 = _mm512_load_si512(w);
            const __m512i w1 = _mm512_load_si512(w + 64);
            for (int c = 0; c < C; ++c) {
                const __m512i four = four_codes(x[c] + g * G + q * 4);
                product[c][0] = _mm512_dpbusd_epi32(product[c][0], w0, four);
                product[c][1] = _mm512_dpbusd_epi32(product[c][1], w1, four);
            }
        }
        const __m512 scale0 = _mm512_load_ps(packed.scales + g * kPanelRows);
        const __m512 scale1 = _mm512_load_ps(packed.scales + g * kPanelRows + 16);
        for (int c = 0; c < C; ++c) {
            const __m512 x_scale = _mm512_set1_ps(x_scales[c][g * G / 32]);
            total[c][0] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(product[c][0]), _mm512_mul_ps(scale0, x_scale),
                                          total[c][0]);
            total[c][1] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(product[c][1]), _mm512_mul_ps(scale1, x_scale),
                                          total[c][1]);
        }
        if constexpr (kMins) {
            const __m512 min0 = _mm512_load_ps(packed.mins + g * kPanelRows);
            const __m512 min1 = _mm512_load_ps(packed.mins + g * kPanelRows + 16);
            for (int c = 0; c < C; ++c) {
                const __m512 sum = _mm512_set1_ps(sums[c][g]);
                total[c][0] = _mm512_fmadd_ps(min0, sum, total[c][0]);
                total[c][1] = _mm512_fmadd_ps(min1, sum, total[c][1]);
            }
        }
    }
    for (int c = 0; c < C; ++c) {
        float* out = columns[c].out + p.out_offset;
        _mm512_mask_storeu_ps(out, low, total[c][0]);
        _mm512_mask_storeu_ps(out + 16, high, total[c][1]);
    }
}

template <int G, bool kMins>
SPLITSCOPE_VNNI void multiply_packed(const BytePanel& p, std::int64_t first, std::int64_t depth,
                                     const Packed& packed) {
    const PanelColumn* column = p.columns.data();
    auto left = static_cast<int>(p.columns.size());
    for (; left >= kColumns; left -= kColumns, column += kColumns) {
        multiply_columns<G, kMins, kColumns>(p, column, first, depth, packed);
    }
    switch (left) {
        case 5:
            return multiply_columns<G, kMins, 5>(p, column, first, depth, packed);
        case 4:
            return multiply_columns<G, kMins, 4>(p, column, first, depth, packed);
        case 3:
            return multiply_columns<G, kMins, 3>(p, column, first, depth, packed);
        case 2:
            return multiply_columns<G, kMins, 2>(p, column, first, depth, packed);
        case 1:
            return multiply_columns<G, kMins, 1>(p, column, first, depth, packed);
        default:
            return;
    }
}

/// Rows as stored in the file. Missing rows repeat the last one; their sums are not stored.
template <class S>
SPLITSCOPE_VNNI void multiply_direct(const BytePanel& p) {
    const Packed packed(p.scratch);
    const std::byte* rows[kPanelRows];
    for (int r = 0; r < kPanelRows; ++r) rows[r] = p.weights + std::min(r, p.rows - 1) * p.weights_stride;
    for (std::int64_t k = 0; k < p.depth; k += kDepthPart) {
        const std::int64_t depth = std::min(kDepthPart, p.depth - k);
        pack<S>(rows, k, depth, packed);
        const auto next = static_cast<std::int64_t>(row_bytes(p.type, k + depth));
        const auto bytes = static_cast<std::int64_t>(row_bytes(p.type, depth));
        for (int r = 0; r < p.rows; ++r) prefetch(rows[r] + next, bytes);
        multiply_packed<S::kGroup, S::kMins>(p, k, depth, packed);
    }
}

/// Rows of a type without a specialised source, which are unpacked first.
template <int G, bool kMins>
SPLITSCOPE_VNNI void multiply_unpacked(const BytePanel& p, const ByteForm& form) {
    const Packed packed(p.scratch);
    float* scales = packed.rest;
    float* mins = scales + kDepthPart / 16 * kPanelRows;
    auto* codes = reinterpret_cast<std::int8_t*>(mins + kDepthPart / 16 * kPanelRows);
    for (std::int64_t k = 0; k < p.depth; k += kDepthPart) {
        const std::int64_t depth = std::min(kDepthPart, p.depth - k);
        UnpackedRow rows[kPanelRows];
        for (int r = 0; r < kPanelRows; ++r) {
            rows[r] = {codes + r * kDepthPart, scales + r * (kDepthPart / 16), mins + r * (kDepthPart / 16)};
            if (r >= p.rows) {
                rows[r] = rows[r - 1];
                continue;
            }
            form.unpack(p.weights + r * p.weights_stride + row_bytes(p.type, k), depth,
                        codes + r * kDepthPart, scales + r * (kDepthPart / 16), mins + r * (kDepthPart / 16));
        }
        pack<UnpackedSource<G, kMins>>(rows, 0, depth, packed);
        multiply_packed<G, kMins>(p, k, depth, packed);
    }
}

}  // namespace

void multiply_panel_vnni(const BytePanel& p) {
    switch (p.type) {
        case ElementType::q8_0:
            return multiply_direct<SmallSource<StreamQ8_0>>(p);
        case ElementType::q4_0:
            return multiply_direct<SmallSource<StreamQ4_0>>(p);
        case ElementType::q4_1:
            return multiply_direct<SmallSource<StreamQ4_1>>(p);
        case ElementType::q5_0:
            return multiply_direct<SmallSource<StreamQ5_0>>(p);
        case ElementType::q5_1:
            return multiply_direct<SmallSource<StreamQ5_1>>(p);
        case ElementType::iq4_nl:
            return multiply_direct<SmallSource<StreamIq4Nl>>(p);
        case ElementType::mxfp4:
            return multiply_direct<SmallSource<StreamMxfp4>>(p);
        case ElementType::iq4_xs:
            return multiply_direct<Iq4XsSource>(p);
        case ElementType::q4_K:
            return multiply_direct<KMinSource<false>>(p);
        case ElementType::q5_K:
            return multiply_direct<KMinSource<true>>(p);
        case ElementType::q6_K:
            return multiply_direct<Q6KSource>(p);
        default:
            break;
    }
    const ByteForm& form = *byte_form_of(p.type);
    if (form.group == 16) {
        form.has_mins ? multiply_unpacked<16, true>(p, form) : multiply_unpacked<16, false>(p, form);
    } else {
        form.has_mins ? multiply_unpacked<32, true>(p, form) : multiply_unpacked<32, false>(p, form);
    }
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

void multiply_panel_vnni(const BytePanel&) {}

}  // namespace splitscope::cpu::kernels

#endif
