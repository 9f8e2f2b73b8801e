// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

namespace splitscope {

/// Whether the names, separated by spaces, include this one.
inline bool lists(std::string_view names, std::string_view name) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        if (names.substr(0, end) == name) return true;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return false;
}

}  // namespace splitscope
