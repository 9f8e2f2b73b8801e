// SPDX-License-Identifier: MIT
// The decoders and encoders behind codec_of(), one source file per family. Counts are multiples of the block.
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

// Blocks of 32 with one scale.
void decode_q4_0(const std::byte* blocks, float* values, std::int64_t n);
void decode_q4_1(const std::byte* blocks, float* values, std::int64_t n);
void decode_q5_0(const std::byte* blocks, float* values, std::int64_t n);
void decode_q5_1(const std::byte* blocks, float* values, std::int64_t n);
void decode_q8_0(const std::byte* blocks, float* values, std::int64_t n);
void encode_q4_0(const float* values, std::byte* blocks, std::int64_t n);
void encode_q4_1(const float* values, std::byte* blocks, std::int64_t n);
void encode_q5_0(const float* values, std::byte* blocks, std::int64_t n);
void encode_q5_1(const float* values, std::byte* blocks, std::int64_t n);
void encode_q8_0(const float* values, std::byte* blocks, std::int64_t n);
void encode_q8_1(const float* values, std::byte* blocks, std::int64_t n);

}  // namespace splitscope::quants
