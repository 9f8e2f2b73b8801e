// SPDX-License-Identifier: MIT
// The unpackers behind byte_form_of(), by family.
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitscope::quants {

using Unpack = void(const std::byte* blocks, std::int64_t n, std::int8_t* codes, float* scales, float* mins);

// Blocks of 32 (small_blocks.cpp).
Unpack unpack_q4_0, unpack_q4_1, unpack_q5_0, unpack_q5_1, unpack_q8_0;
// Super-blocks of 256 (k_unpack.cpp).
Unpack unpack_q2_K, unpack_q3_K, unpack_q4_K, unpack_q5_K, unpack_q6_K;
// Few levels: four-bit floats and tables, ternary, one and two bits (few_levels.cpp).
Unpack unpack_iq4_nl, unpack_iq4_xs, unpack_mxfp4, unpack_nvfp4, unpack_tq1_0, unpack_tq2_0, unpack_q1_0,
    unpack_q2_0;

// Codebooks (iq_unpack.cpp).
Unpack unpack_iq2_xxs, unpack_iq2_xs, unpack_iq2_s, unpack_iq3_xxs, unpack_iq3_s, unpack_iq1_s, unpack_iq1_m;

}  // namespace splitscope::quants
