// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "engine/tensor/op.hpp"

namespace splitscope {

/// A set of operations as a bit set.
class OpSet {
 public:
    constexpr OpSet() = default;
    constexpr OpSet(std::initializer_list<Op> ops) {
        for (const Op op : ops) insert(op);
    }
    static constexpr OpSet all() {
        OpSet set;
        for (std::size_t i = 0; i < kOpCount; ++i) set.insert(static_cast<Op>(i));
        return set;
    }

    constexpr void insert(Op op) { words_[word(op)] |= bit(op); }
    constexpr void remove(Op op) { words_[word(op)] &= ~bit(op); }
    constexpr bool contains(Op op) const {
        return (words_[word(op)] >> (static_cast<std::size_t>(op) % 64) & 1) != 0;
    }

    constexpr OpSet with(std::initializer_list<Op> ops) const {
        OpSet set = *this;
        for (const Op op : ops) set.insert(op);
        return set;
    }
    constexpr OpSet without(std::initializer_list<Op> ops) const {
        OpSet set = *this;
        for (const Op op : ops) set.remove(op);
        return set;
    }

    friend constexpr bool operator==(const OpSet&, const OpSet&) = default;

 private:
    static constexpr std::size_t word(Op op) { return static_cast<std::size_t>(op) / 64; }
    static constexpr std::uint64_t bit(Op op) {
        return std::uint64_t{1} << (static_cast<std::size_t>(op) % 64);
    }

    std::array<std::uint64_t, (kOpCount + 63) / 64> words_{};
};

}  // namespace splitscope
