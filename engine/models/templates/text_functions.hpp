// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Python's string methods, on UTF-8. Throws Failure where a result requires unavailable tables.
namespace splitscope::templates {

std::string_view stripped(std::string_view text, bool left, bool right);
/// Strips these characters from the ends.
std::string_view stripped_of(std::string_view text, std::string_view characters, bool left, bool right);
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string capitalized(std::string_view text);
std::string titled(std::string_view text);
/// At most `most` times unless negative.
std::string replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t most);
std::vector<std::string> split_at(std::string_view text, std::string_view separator, std::int64_t most);
std::vector<std::string> split_from_end(std::string_view text, std::string_view separator, std::int64_t most);
std::vector<std::string> split_at_spaces(std::string_view text, std::int64_t most);
std::vector<std::string> lines_of(std::string_view text);
std::size_t length_of(std::string_view text);

}  // namespace splitscope::templates
