// SPDX-License-Identifier: MIT
#include "engine/models/rwkv_tokenizer.hpp"

#include <algorithm>

#include "engine/formats/gguf.hpp"
#include "engine/models/special_tokens.hpp"
#include "engine/models/token_trie.hpp"
#include "engine/models/vocabulary.hpp"

namespace splitscope {
namespace {

unsigned hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return 0;
}

/// The bytes of a token, which the list escapes as "\n", "\x8a" and the like.
std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            bytes += text[i];
            continue;
        }
        const char escaped = text[++i];
        if (escaped == 'x' && i + 2 < text.size()) {
            bytes += static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
            i += 2;
        } else {
            bytes += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
        }
    }
    return bytes;
}

/// These vocabularies have no tokens for the beginning or end of a text.
class RwkvTokenizer final : public Tokenizer {
 public:
    explicit RwkvTokenizer(const GgufFile& file) : vocabulary_(file) {
        for (std::size_t i = 0; i < vocabulary_.tokens().size(); ++i) {
            if (const std::string bytes = unescaped(vocabulary_.tokens()[i].text); !bytes.empty())
                by_bytes_.insert(bytes, static_cast<std::int32_t>(i));
        }
    }

    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const override {
        std::vector<std::int32_t> tokens;
        for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
            if (fragment.token)
                tokens.push_back(*fragment.token);
            else
                encode_plain(fragment.text, tokens);
        }
        return tokens;
    }

    std::string piece(std::int32_t id, bool show_special) const override {
        if (!vocabulary_.contains(id)) return {};
        const Token& token = vocabulary_[id];
        const bool special = token.kind == TokenKind::control || token.kind == TokenKind::unknown;
        return special && !show_special ? std::string() : unescaped(token.text);
    }

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text;
        for (const std::int32_t id : tokens) text += piece(id, show_special);
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const {
        while (!text.empty()) {
            std::size_t length = 0;
            std::optional<std::int32_t> longest = vocabulary_.unknown();
            by_bytes_.for_each_beginning(text, [&](std::size_t bytes, std::int32_t token) {
                length = bytes;
                longest = token;
            });
            if (longest) tokens.push_back(*longest);
            text.remove_prefix(std::max<std::size_t>(length, 1));
        }
    }

    Vocabulary vocabulary_;
    TokenTrie by_bytes_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_rwkv_tokenizer(const GgufFile& file) {
    return std::make_unique<const RwkvTokenizer>(file);
}

}  // namespace splitscope
