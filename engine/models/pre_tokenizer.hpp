// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/unicode/unicode.hpp"

namespace splitscope {

/// One alternative of a cutting rule: the end of what it matches at a position, or the position itself.
using WordPattern = std::size_t (*)(std::span<const unicode::Character> text, std::size_t at);

/// How the text of a byte-level vocabulary is cut into words before merging; merges never cross them.
struct PreTokenizer {
    std::string_view name;  ///< as in tokenizer.ggml.pre
    /// Applied one after the other, each inside the words of the one before. Of the patterns of a rule the
    /// first that matches counts; what none matches becomes words as well.
    std::span<const std::span<const WordPattern>> rules;
    bool whole_words_first = false;  ///< a word that is a token needs no merging
    bool add_begin = false;          ///< unless the file says otherwise
};

/// Nothing when the name is not known.
const PreTokenizer* pre_tokenizer_named(std::string_view name);
/// The known names, for messages.
std::string pre_tokenizer_names();

/// Words of the text in order; together they are the text.
std::vector<std::string_view> cut_words(const PreTokenizer& pre_tokenizer, std::string_view text);

}  // namespace splitscope
