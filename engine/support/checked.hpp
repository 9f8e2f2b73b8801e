// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>

namespace splitscope {

/// The sum, or empty on overflow.
template <std::integral T>
constexpr std::optional<T> checked_add(T a, T b) {
    T out{};
    if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
    return out;
}

/// The product, or empty on overflow.
template <std::integral T>
constexpr std::optional<T> checked_mul(T a, T b) {
    T out{};
    if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
    return out;
}

/// n rounded up to a multiple of `alignment` (a power of two).
template <std::unsigned_integral T>
constexpr T round_up(T n, T alignment) {
    return (n + alignment - 1) & ~(alignment - 1);
}

}  // namespace splitscope
