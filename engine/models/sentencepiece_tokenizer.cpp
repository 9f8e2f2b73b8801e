// SPDX-License-Identifier: MIT
#include "engine/models/sentencepiece_tokenizer.hpp"

#include "engine/models/byte_tokens.hpp"
#include "engine/models/space_marks.hpp"

namespace splitscope {

std::string SentencePieceTokenizer::text_of(std::int32_t id) const {
    const Token& token = vocabulary()[id];
    switch (token.kind) {
        case TokenKind::unknown:
        case TokenKind::control:
        case TokenKind::user_defined:
            return token.text;
        case TokenKind::byte: {
            const auto byte = byte_of(token.text);
            return byte ? std::string(1, *byte) : std::string();
        }
        case TokenKind::normal:
            return without_space_marks(token.text);
        case TokenKind::undefined:
        case TokenKind::unused:
            break;
    }
    return {};
}

std::string SentencePieceTokenizer::decode(const std::vector<std::int32_t>& tokens, bool show_special) const {
    std::string text = VocabularyTokenizer::decode(tokens, show_special);
    // Removes the space that encoding prepended.
    const bool prefixed =
        add_space_prefix_ && !tokens.empty() && piece(tokens.front(), show_special).starts_with(' ');
    if (prefixed) text.erase(0, 1);
    return text;
}

}  // namespace splitscope
