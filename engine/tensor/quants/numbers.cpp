// SPDX-License-Identifier: MIT
#include "engine/tensor/quants/codecs.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::quants {
namespace {

std::uint16_t half_at(const std::byte* blocks, std::int64_t i) {
    std::uint16_t half = 0;
    std::memcpy(&half, blocks + i * 2, 2);
    return half;
}

void put_half(std::byte* blocks, std::int64_t i, std::uint16_t half) {
    std::memcpy(blocks + i * 2, &half, 2);
}

}  // namespace

void decode_f16(const std::byte* blocks, float* values, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) values[i] = f16_to_f32(half_at(blocks, i));
}

void decode_bf16(const std::byte* blocks, float* values, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) values[i] = bf16_to_f32(half_at(blocks, i));
}

void encode_f16(const float* values, std::byte* blocks, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) put_half(blocks, i, f32_to_f16(values[i]));
}

void encode_bf16(const float* values, std::byte* blocks, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) put_half(blocks, i, f32_to_bf16(values[i]));
}

}  // namespace splitscope::quants
