// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// Splits a line into words like a shell: blanks, quotes and backslashes; a trailing "\" joins lines. An
/// unclosed quote ends with the text.
std::vector<std::string> shell_words(std::string_view line);

/// The word as a shell reads it back, in single quotes if it needs any.
std::string shell_quoted(std::string_view word);

}  // namespace splitscope
