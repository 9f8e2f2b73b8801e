// SPDX-License-Identifier: MIT
// Products of steps of 64 codes with activations, for the AVX-512 VNNI kernels. Include only where these
// instructions are enabled.
#pragma once

#include "backends/cpu/kernels/stream_distance.hpp"
#include "backends/cpu/kernels/vnni_blocks.hpp"

namespace splitscope::cpu::kernels {

/// Prefetches for a kernel that reads `bytes` from `p`.
SPLITSCOPE_VNNI inline void prefetch_ahead(const std::byte* p, std::int64_t bytes) {
    const char* const from = reinterpret_cast<const char*>(p);
    for (std::int64_t i = 0; i < bytes; i += 64) {
        _mm_prefetch(from + i + kStreamDistance, _MM_HINT_T0);
        _mm_prefetch(from + i + kFarDistance, _MM_HINT_T1);
    }
}

/// Lane i gets the scale of group i / 8 or i / 4.
template <int G>
SPLITSCOPE_VNNI inline __m512i lanes_of_groups() {
    if constexpr (G == 32) {
        return _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    } else {
        return _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    }
}

/// −offset · Σ activations: the initial value that compensates weights shifted by `offset`. Shared by all
/// rows.
SPLITSCOPE_VNNI inline __m512i start_of(__m512i x, int offset) {
    const __m512i sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), x);
    return _mm512_mullo_epi32(sums, _mm512_set1_epi32(-offset));
}

/// The scales of the groups of steps `step` and `step + 1` as words, in the order in which
/// add_scaled_products packs its products.
template <int G>
SPLITSCOPE_VNNI inline __m512i words_of_steps(int step, __m512i scales) {
    const __m512i lanes =
        G == 32 ? _mm512_setr_epi32(0x00000, 0x00000, 0x20002, 0x20002, 0x00000, 0x00000, 0x20002, 0x20002,
                                    0x10001, 0x10001, 0x30003, 0x30003, 0x10001, 0x10001, 0x30003, 0x30003)
                : _mm512_setr_epi32(0x00000, 0x00000, 0x40004, 0x40004, 0x10001, 0x10001, 0x50005, 0x50005,
                                    0x20002, 0x20002, 0x60006, 0x60006, 0x30003, 0x30003, 0x70007, 0x70007);
    const __m512i from = _mm512_set1_epi16(static_cast<short>(step * static_cast<int>(kStep) / G));
    return _mm512_permutexvar_epi16(_mm512_add_epi16(lanes, from), scales);
}
template <int G>
SPLITSCOPE_VNNI inline __m512i words_of_steps(int step, __m256i scales) {
    return words_of_steps<G>(step, _mm512_castsi256_si512(scales));
}

/// sum + Σ over two steps of weights (codes of at most six bits, shifted by `offset`) times activations times
/// their group's scale. The products of four codes fit 16 bits, so that both steps are scaled at once.
SPLITSCOPE_VNNI inline __m512i add_scaled_products(__m512i sum, __m512i codes, __m512i more_codes, int offset,
                                                   const std::int8_t* x, __m512i scale_words) {
    const auto products = [&](__m512i c, const std::int8_t* at) SPLITSCOPE_VNNI {
        const __m512i xk = _mm512_loadu_si512(at);
        return _mm512_dpbusd_epi32(offset != 0 ? start_of(xk, offset) : _mm512_setzero_si512(), c, xk);
    };
    const __m512i both = _mm512_packs_epi32(products(codes, x), products(more_codes, x + kStep));
    return _mm512_dpwssd_epi32(sum, both, scale_words);
}

}  // namespace splitscope::cpu::kernels
