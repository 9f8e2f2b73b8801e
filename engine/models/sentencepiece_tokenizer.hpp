// SPDX-License-Identifier: MIT
#pragma once

#include "engine/models/vocabulary_tokenizer.hpp"

namespace splitscope {

/// SentencePiece vocabularies: spaces are encoded as U+2581, characters without a token as byte tokens, and a
/// space may be prepended to the text.
class SentencePieceTokenizer : public VocabularyTokenizer {
 public:
    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const final;

 protected:
    SentencePieceTokenizer(const GgufFile& file, const DefaultIds& defaults, bool prefix_by_default)
        : VocabularyTokenizer(file, defaults),
          add_space_prefix_(file.bool_value("tokenizer.ggml.add_space_prefix").value_or(prefix_by_default)) {}

    bool add_space_prefix() const { return add_space_prefix_; }
    std::string text_of(std::int32_t id) const final;

 private:
    bool add_space_prefix_;
};

}  // namespace splitscope
