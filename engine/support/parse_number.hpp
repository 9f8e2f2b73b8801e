// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace splitscope {

/// The number that the whole text is, as std::from_chars reads it; empty if it is none or out of range.
template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, value);
    if (status != std::errc() || end != last) return std::nullopt;
    return value;
}

}  // namespace splitscope
