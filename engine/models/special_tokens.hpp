// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/models/vocabulary.hpp"

namespace splitscope {

/// Part of a text: a recognised token, or text to tokenise.
struct TextFragment {
    std::optional<std::int32_t> token;
    std::string_view text;
};

/// Splits a text at special tokens: longest first, on ties the lowest id, from left to right. User-defined
/// tokens are always recognised, control and unknown tokens only with `parse_special`. O(text length × number
/// of token lengths).
std::vector<TextFragment> cut_at_special_tokens(const Vocabulary& vocabulary, std::string_view text,
                                                bool parse_special);

}  // namespace splitscope
