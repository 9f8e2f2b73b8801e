// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/unicode/unicode.hpp"

namespace splitscope {

/// One alternative of a split rule: the end of its match at a position, or the position itself if there is no
/// match.
using WordPattern = std::size_t (*)(std::span<const unicode::Character> text, std::size_t at);

/// Splits the text of a byte-level vocabulary into words; merges do not cross word boundaries.
struct PreTokenizer {
    std::string_view name;  ///< as in tokenizer.ggml.pre
    /// Applied in order, each within the words of the previous one. The first matching pattern of a rule
    /// wins; unmatched text becomes words as well.
    std::span<const std::span<const WordPattern>> rules;
    bool whole_words_first = false;  ///< a word that is a token is not merged
    bool whole_line_feeds = false;   ///< likewise for words of line feeds only
    bool add_begin = false;          ///< add the begin token unless the file says otherwise
    bool always_begin = false;       ///< add the begin token whatever the file says
    bool raw = false;                ///< merge characters, not byte symbols
    bool space_marks = false;        ///< likewise, with spaces replaced by marks
};

/// All supported pre-tokenizers.
std::span<const PreTokenizer> pre_tokenizers();
/// Null if the name is unknown.
const PreTokenizer* pre_tokenizer_named(std::string_view name);
/// Their names, for messages.
std::string pre_tokenizer_names();

/// The words of a text, in order and without gaps.
std::vector<std::string_view> cut_words(const PreTokenizer& pre_tokenizer, std::string_view text);

}  // namespace splitscope
