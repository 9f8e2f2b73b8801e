// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitscope {

/// U+FFFD, the replacement for malformed UTF-8.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 sequence at the start of a non-empty text; 0 if it is malformed.
std::size_t utf8_sequence_length(std::string_view text);

/// The first `bytes` bytes of a text, without an incomplete character at the end.
std::string_view cut_text(std::string_view text, std::size_t bytes);

/// `text` with each byte that is not part of a well-formed sequence replaced.
std::string well_formed_utf8(std::string_view text);

}  // namespace splitscope
