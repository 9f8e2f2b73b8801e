// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "engine/tensor/element_type.hpp"

namespace splitscope {

/// A set of element types as a bit set.
class TypeSet {
 public:
    constexpr TypeSet() = default;
    constexpr TypeSet(std::initializer_list<ElementType> types) {
        for (const ElementType type : types) insert(type);
    }
    constexpr void insert(ElementType type) { bits_ |= bit(type); }
    constexpr bool contains(ElementType type) const {
        return (bits_ >> static_cast<unsigned>(type) & 1) != 0;
    }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr TypeSet with(std::initializer_list<ElementType> types) const {
        TypeSet set = *this;
        for (const ElementType type : types) set.insert(type);
        return set;
    }

 private:
    static constexpr std::uint64_t bit(ElementType type) {
        return std::uint64_t{1} << static_cast<unsigned>(type);
    }
    std::uint64_t bits_ = 0;
};

}  // namespace splitscope
