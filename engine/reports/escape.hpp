// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// Returns the text as one line of valid UTF-8; malformed sequences and control characters become U+FFFD.
std::string printable(std::string_view text);

/// Escapes text for HTML and SVG, including quoted attributes.
std::string escape_html(std::string_view text);
/// Escapes text for a cell of a Markdown table.
std::string escape_markdown(std::string_view text);
/// Formats text as a CSV field, quoted if necessary (RFC 4180). Text that a spreadsheet would evaluate as a
/// formula is prefixed with a single quote; numbers are unchanged.
std::string escape_csv(std::string_view text);

/// The first `max` characters, with an ellipsis if truncated.
std::string shorten(std::string_view text, std::size_t max);

}  // namespace splitscope
