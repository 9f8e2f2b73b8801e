// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitscope {

/// U+FFFD, which stands for bytes that are no UTF-8.
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// Bytes of the well-formed UTF-8 sequence at the start of a text that is not empty; 0 when it is broken.
std::size_t utf8_sequence_length(std::string_view text);

/// The first `bytes` of a text, without a part of a character at the end.
std::string_view cut_text(std::string_view text, std::size_t bytes);

/// `text` with a replacement character for each byte that is no part of a well-formed sequence.
std::string well_formed_utf8(std::string_view text);

}  // namespace splitscope
