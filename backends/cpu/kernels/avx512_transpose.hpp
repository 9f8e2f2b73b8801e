// SPDX-License-Identifier: MIT
// Internal to the AVX-512 kernels: include only where these instructions are enabled.
#pragma once

#include <immintrin.h>

namespace splitscope::cpu::kernels {

#define SPLITSCOPE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")))

/// Lane i of vector j becomes lane j of vector i, for sixteen vectors of 32-bit lanes.
SPLITSCOPE_AVX512 inline void transpose(__m512i* v) {
    __m512i t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        v[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    // Now 128-bit part p of v[4i + j] holds lane 4p + j of the vectors 4i … 4i + 3.
    for (int j = 0; j < 4; ++j) {
        const __m512i even_low = _mm512_shuffle_i32x4(v[j], v[4 + j], 0x88);
        const __m512i even_high = _mm512_shuffle_i32x4(v[8 + j], v[12 + j], 0x88);
        const __m512i odd_low = _mm512_shuffle_i32x4(v[j], v[4 + j], 0xDD);
        const __m512i odd_high = _mm512_shuffle_i32x4(v[8 + j], v[12 + j], 0xDD);
        t[j] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
        t[8 + j] = _mm512_shuffle_i32x4(even_low, even_high, 0xDD);
        t[4 + j] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
        t[12 + j] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xDD);
    }
    for (int i = 0; i < 16; ++i) v[i] = t[i];
}

}  // namespace splitscope::cpu::kernels
