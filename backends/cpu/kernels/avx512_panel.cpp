// SPDX-License-Identifier: MIT
// Panels of float weights for AVX-512: 32 rows are converted and interleaved so that one vector holds one
// element of each of sixteen rows.
#include "backends/cpu/kernels/panel.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "backends/cpu/kernels/avx512_transpose.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"

namespace splitscope::cpu::kernels {
namespace {

/// Elements of a row packed at a time: a packed part takes half of the L1 cache.
constexpr std::int64_t kDepthPart = 128;
/// Columns computed together; their sums are in registers.
constexpr int kColumns = 12;

bool has_avx512() {
    static const bool has = allowed_instructions() >= InstructionSet::avx512 &&
                            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return has;
}

/// Elements k … k + 15 of a row; zero from `left` on.
SPLITSCOPE_AVX512 inline __m512 elements(FloatFormat format, const std::byte* row, std::int64_t k,
                                         std::int64_t left) {
    const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1u << left) - 1u);
    if (format == FloatFormat::f32) return _mm512_maskz_loadu_ps(mask, row + k * 4);
    const __m256i halves = _mm256_maskz_loadu_epi16(mask, row + k * 2);
    if (format == FloatFormat::f16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/// packed[k · 32 + r]; missing rows repeat the last one, and their sums are not stored.
SPLITSCOPE_AVX512 void pack(const FloatPanel& p, std::int64_t first, std::int64_t depth, float* packed) {
    __m512i lanes[16];
    for (int half = 0; half < 2; ++half) {
        for (std::int64_t k = 0; k < depth; k += 16) {
            for (int r = 0; r < 16; ++r) {
                const std::byte* row = p.weights + std::min(half * 16 + r, p.rows - 1) * p.weights_stride;
                lanes[r] = _mm512_castps_si512(elements(p.format, row, first + k, depth - k));
            }
            transpose(lanes);
            float* to = packed + k * kPanelRows + half * 16;
            for (int i = 0; i < 16; ++i) _mm512_store_si512(to + i * kPanelRows, lanes[i]);
        }
    }
}

template <int C>
SPLITSCOPE_AVX512 void multiply_columns(const FloatPanel& p, const PanelColumn* columns, std::int64_t first,
                                        std::int64_t depth, const float* packed) {
    const auto low = static_cast<__mmask16>(p.rows >= 16 ? 0xFFFF : (1u << p.rows) - 1u);
    const auto high = static_cast<__mmask16>(p.rows >= 32  ? 0xFFFF
                                             : p.rows > 16 ? (1u << (p.rows - 16)) - 1u
                                                           : 0);
    const float* x[C];
    __m512 total[C][2];
    for (int c = 0; c < C; ++c) {
        x[c] = p.x + columns[c].index * p.depth + first;
        const float* out = columns[c].out + p.out_offset;
        total[c][0] = first == 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(low, out);
        total[c][1] = first == 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(high, out + 16);
    }
    for (std::int64_t k = 0; k < depth; ++k) {
        const __m512 w0 = _mm512_load_ps(packed + k * kPanelRows);
        const __m512 w1 = _mm512_load_ps(packed + k * kPanelRows + 16);
        for (int c = 0; c < C; ++c) {
            const __m512 value = _mm512_set1_ps(x[c][k]);
            total[c][0] = _mm512_fmadd_ps(w0, value, total[c][0]);
            total[c][1] = _mm512_fmadd_ps(w1, value, total[c][1]);
        }
    }
    for (int c = 0; c < C; ++c) {
        float* out = columns[c].out + p.out_offset;
        _mm512_mask_storeu_ps(out, low, total[c][0]);
        _mm512_mask_storeu_ps(out + 16, high, total[c][1]);
    }
}

SPLITSCOPE_AVX512 void multiply(const FloatPanel& p) {
    for (std::int64_t k = 0; k < p.depth; k += kDepthPart) {
        const std::int64_t depth = std::min(kDepthPart, p.depth - k);
        pack(p, k, depth, p.scratch);
        const PanelColumn* column = p.columns.data();
        auto left = static_cast<int>(p.columns.size());
        for (; left >= kColumns; left -= kColumns, column += kColumns) {
            multiply_columns<kColumns>(p, column, k, depth, p.scratch);
        }
        for (; left >= 4; left -= 4, column += 4) multiply_columns<4>(p, column, k, depth, p.scratch);
        for (; left > 0; --left, ++column) multiply_columns<1>(p, column, k, depth, p.scratch);
    }
}

}  // namespace

bool multiply_panel(const FloatPanel& panel) {
    if (!has_avx512()) return false;
    multiply(panel);
    return true;
}

}  // namespace splitscope::cpu::kernels

#else

namespace splitscope::cpu::kernels {

bool multiply_panel(const FloatPanel&) {
    return false;
}

}  // namespace splitscope::cpu::kernels

#endif
