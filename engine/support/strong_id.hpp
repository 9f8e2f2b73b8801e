// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace splitscope {

/// A typed index. Default-constructed = "none".
template <class Tag>
struct StrongId {
    std::int32_t value = -1;

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::int32_t v) : value(v) {}
    constexpr explicit StrongId(std::size_t v) : value(static_cast<std::int32_t>(v)) {}

    constexpr bool valid() const { return value >= 0; }
    constexpr explicit operator bool() const { return valid(); }
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;  // NOLINT: clang-tidy 14 flags its zero
};

}  // namespace splitscope

template <class Tag>
struct std::hash<splitscope::StrongId<Tag>> {
    std::size_t operator()(splitscope::StrongId<Tag> id) const noexcept {
        return std::hash<std::int32_t>{}(id.value);
    }
};
