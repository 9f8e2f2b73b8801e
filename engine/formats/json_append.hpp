// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace splitscope {

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// "[a,b,…]" with each element written by `write(element)`.
template <class Range, class Write>
void append_list(std::string& out, const Range& range, Write&& write) {
    out += '[';
    bool first = true;
    for (const auto& element : range) {
        if (!first) out += ',';
        first = false;
        write(element);
    }
    out += ']';
}

}  // namespace splitscope
