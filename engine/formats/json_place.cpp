// SPDX-License-Identifier: MIT
#include "engine/formats/json_place.hpp"

#include <algorithm>

#include "engine/formats/messages.hpp"

namespace splitscope {

Message line_and_column(std::string_view document, std::size_t byte) {
    const std::string_view before = document.substr(0, byte);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t start = before.rfind('\n') + 1;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const auto column =
        1 + std::ranges::count_if(before.substr(start), [&](char c) { return !continues(c); });
    return msg::kLineAndColumn(line, column);
}

}  // namespace splitscope
