// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace splitscope::fuzz {

/// Converts bytes into choices; after the last byte every choice is the first one.
class ByteSource {
 public:
    explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    std::span<const std::uint8_t> rest() const { return bytes_; }

    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t value = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return value;
    }
    std::size_t below(std::size_t n) { return n == 0 ? 0 : byte() % n; }
    /// True in `of_256` of 256 cases; never when the bytes are used up.
    bool chance(unsigned of_256) { return !bytes_.empty() && byte() < of_256; }
    std::uint64_t bits() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i) value = value << 8 | byte();
        return value;
    }
    /// Mostly small numbers, sometimes limits of the arithmetic.
    std::uint64_t number() {
        constexpr std::array<std::uint64_t, 14> kEdges = {0,
                                                          1,
                                                          255,
                                                          256,
                                                          65535,
                                                          1u << 20,
                                                          (1u << 30) - 1,
                                                          1u << 30,
                                                          0x7fffffff,
                                                          0x80000000,
                                                          0xffffffff,
                                                          std::uint64_t{1} << 62,
                                                          0x7fffffffffffffff,
                                                          0xffffffffffffffff};
        const std::uint8_t kind = byte();
        if (kind < 200) return kind % 40;
        if (kind < 240) return kEdges[kind % kEdges.size()];
        return bits();
    }
    std::string text(std::size_t most) {
        const std::size_t wanted = below(most + 1);
        const std::size_t n = std::min(wanted, bytes_.size());
        std::string out(reinterpret_cast<const char*>(bytes_.data()), n);
        bytes_ = bytes_.subspan(n);
        return out;
    }

 private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace splitscope::fuzz
