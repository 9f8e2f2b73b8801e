// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// Valid UTF-8 of one line: broken sequences and control characters become U+FFFD.
std::string printable(std::string_view text);

/// For HTML and SVG text and quoted attributes.
std::string escape_html(std::string_view text);
/// For a cell of a Markdown table.
std::string escape_markdown(std::string_view text);
/// A text as one CSV field, quoted when needed (RFC 4180). What a spreadsheet would take for a formula gets a
/// single quote in front; numbers stay.
std::string escape_csv(std::string_view text);

/// The first `max` characters, with an ellipsis when cut.
std::string shorten(std::string_view text, std::size_t max);

}  // namespace splitscope
