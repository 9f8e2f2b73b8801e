// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/models/vocabulary.hpp"

namespace splitscope {

/// A piece of a text: a token that was recognised, or text still to be tokenised.
struct TextFragment {
    std::optional<std::int32_t> token;
    std::string_view text;
};

/// Cuts a text at the special tokens in it: the longest first, of equally long ones that with the lowest id,
/// each from left to right. User-defined tokens are always recognised, control and unknown ones only with
/// `parse_special`. Takes time with the text and the number of different lengths, not of tokens.
std::vector<TextFragment> cut_at_special_tokens(const Vocabulary& vocabulary, std::string_view text,
                                                bool parse_special);

}  // namespace splitscope
