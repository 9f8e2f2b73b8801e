// SPDX-License-Identifier: MIT
// Decoders and encoders behind codec_of(), one source file per family. Counts are multiples of the block
// size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace splitscope::quants {

/// Plain numbers.
template <class T>
void decode_number(const std::byte* blocks, float* values, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        T number{};
        std::memcpy(&number, blocks + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
        values[i] = static_cast<float>(number);
    }
}

void decode_f16(const std::byte* blocks, float* values, std::int64_t n);
void decode_bf16(const std::byte* blocks, float* values, std::int64_t n);
void encode_f16(const float* values, std::byte* blocks, std::int64_t n);
void encode_bf16(const float* values, std::byte* blocks, std::int64_t n);

using Encode = void(const float* values, std::byte* blocks, std::int64_t n);

// Blocks of 32 (small_blocks.cpp).
Encode encode_q4_0, encode_q4_1, encode_q5_0, encode_q5_1, encode_q8_0, encode_q8_1;
// Super-blocks of 256 (k_encode.cpp).
Encode encode_q2_K, encode_q3_K, encode_q4_K, encode_q5_K, encode_q6_K, encode_q8_K;
// Few levels (few_levels_encode.cpp).
Encode encode_iq4_nl, encode_iq4_xs, encode_mxfp4, encode_nvfp4, encode_tq1_0, encode_tq2_0, encode_q1_0,
    encode_q2_0;

/// `importances`: one per value.
using EncodeWeighted = void(const float* values, const float* importances, std::byte* blocks, std::int64_t n);

// Codebooks of points (iq_encode.cpp).
EncodeWeighted encode_iq2_xxs, encode_iq2_xs, encode_iq2_s, encode_iq3_xxs, encode_iq3_s, encode_iq1_s,
    encode_iq1_m;

}  // namespace splitscope::quants
