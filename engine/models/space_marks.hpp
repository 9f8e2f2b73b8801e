// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

inline constexpr std::string_view kSpaceMark = "\xe2\x96\x81";  ///< U+2581, how vocabularies write a space

inline std::string with_space_marks(std::string_view text) {
    std::string marked;
    marked.reserve(text.size());
    for (const char c : text) {
        if (c == ' ')
            marked += kSpaceMark;
        else
            marked += c;
    }
    return marked;
}

inline std::string without_space_marks(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        if (text.starts_with(kSpaceMark)) {
            plain += ' ';
            text.remove_prefix(kSpaceMark.size());
        } else {
            plain += text.front();
            text.remove_prefix(1);
        }
    }
    return plain;
}

}  // namespace splitscope
