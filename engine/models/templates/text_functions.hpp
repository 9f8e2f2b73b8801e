// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/unicode/unicode.hpp"

/// Python's string methods, on UTF-8. Throws Failure where a result requires unavailable tables.
namespace splitscope::templates {

class Budget;

/// Calls `visit(character, begin, end)` for each character, with its place in the text.
template <class Visit>
void for_each_character(std::string_view text, Visit&& visit) {
    for (std::size_t at = 0; at < text.size();) {
        const unicode::Decoded decoded = unicode::decode_front(text.substr(at));
        visit(decoded.value, at, at + decoded.length);
        at += decoded.length;
    }
}

/// Position of the first or last occurrence, in time linear in the text; npos without one.
std::size_t first_place(std::string_view text, std::string_view part, std::size_t from, Budget& budget);
std::size_t last_place(std::string_view text, std::string_view part, Budget& budget);
/// The characters from `first` to before `last`, as far as the text has them.
std::string_view characters_between(std::string_view text, std::size_t first, std::size_t last);
std::string reversed(std::string_view text);

std::string_view stripped(std::string_view text, bool left, bool right);
/// Strips these characters from the ends.
std::string_view stripped_of(std::string_view text, std::string_view characters, bool left, bool right);
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string capitalized(std::string_view text);
std::string titled(std::string_view text);
/// At most `most` times unless negative.
std::string replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t most,
                     Budget& budget);
/// Parts of the text, in order.
std::vector<std::string_view> split_at(std::string_view text, std::string_view separator, std::int64_t most,
                                       Budget& budget);
std::vector<std::string_view> split_from_end(std::string_view text, std::string_view separator,
                                             std::int64_t most, Budget& budget);
std::vector<std::string_view> split_at_spaces(std::string_view text, std::int64_t most, Budget& budget);
std::vector<std::string_view> lines_of(std::string_view text, Budget& budget);
std::size_t length_of(std::string_view text);

}  // namespace splitscope::templates
