// SPDX-License-Identifier: MIT
#include "engine/models/vocabulary_tokenizer.hpp"

#include "engine/models/special_tokens.hpp"

namespace splitscope {

void VocabularyTokenizer::add_as_stated(const GgufFile& file, bool begin_by_default, bool end_by_default) {
    if (file.bool_value("tokenizer.ggml.add_bos_token").value_or(begin_by_default))
        begin_with(vocabulary_.begin());
    if (file.bool_value("tokenizer.ggml.add_eos_token").value_or(end_by_default)) end_with(vocabulary_.end());
}

std::vector<std::int32_t> VocabularyTokenizer::encode(std::string_view text,
                                                      const EncodeOptions& options) const {
    std::vector<std::int32_t> tokens;
    if (options.add_special && begin_) tokens.push_back(*begin_);
    for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
        if (fragment.token)
            tokens.push_back(*fragment.token);
        else
            encode_plain(fragment.text, tokens);
    }
    if (options.add_special && end_) tokens.push_back(*end_);
    return tokens;
}

std::string VocabularyTokenizer::piece(std::int32_t id, bool show_special) const {
    if (!vocabulary_.contains(id)) return {};
    const TokenKind kind = vocabulary_[id].kind;
    const bool special = kind == TokenKind::control || kind == TokenKind::unknown;
    return special && !show_special ? std::string() : text_of(id);
}

std::string VocabularyTokenizer::decode(const std::vector<std::int32_t>& tokens, bool show_special) const {
    std::string text;
    for (const std::int32_t id : tokens) text += piece(id, show_special);
    return text;
}

}  // namespace splitscope
