// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace splitscope::quants {

/// Reads blocks of type B, N elements each, and hands them to `read(block, number)`.
template <class B, int N, class Read>
void read_each_block(const std::byte* blocks, std::int64_t n, Read&& read) {
    for (std::int64_t i = 0; i < n / N; ++i) {
        B block;
        std::memcpy(&block, blocks + static_cast<std::size_t>(i) * sizeof(B), sizeof(B));
        read(block, i);
    }
}

/// Hands each N values to `encode(values)` and stores the block it returns.
template <class B, int N, class Encode>
void make_each_block(const float* values, std::byte* blocks, std::int64_t n, Encode&& encode) {
    for (std::int64_t i = 0; i < n; i += N, blocks += sizeof(B), values += N) {
        const B block = encode(values);
        std::memcpy(blocks, &block, sizeof(B));
    }
}

constexpr int low_nibble(std::uint8_t byte) {
    return byte & 0x0F;
}
constexpr int high_nibble(std::uint8_t byte) {
    return byte >> 4;
}

}  // namespace splitscope::quants
