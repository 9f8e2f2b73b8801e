// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace splitscope::quants {

/// Calls `read(block, number)` for consecutive blocks of type B with N elements each.
template <class B, int N, class Read>
void read_each_block(const std::byte* blocks, std::int64_t n, Read&& read) {
    for (std::int64_t i = 0; i < n / N; ++i) {
        B block;
        std::memcpy(&block, blocks + static_cast<std::size_t>(i) * sizeof(B), sizeof(B));
        read(block, i);
    }
}

/// Calls `encode(values)` for each N values and stores the returned block.
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
