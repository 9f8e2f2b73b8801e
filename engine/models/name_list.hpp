// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

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

/// The names one by one.
inline std::vector<std::string_view> split_names(std::string_view names) {
    std::vector<std::string_view> out;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        out.push_back(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return out;
}

}  // namespace splitscope
