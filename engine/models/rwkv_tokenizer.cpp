// SPDX-License-Identifier: MIT
#include "engine/models/rwkv_tokenizer.hpp"

#include <algorithm>

#include "engine/models/token_trie.hpp"
#include "engine/models/vocabulary_tokenizer.hpp"

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
class RwkvTokenizer final : public VocabularyTokenizer {
 public:
    explicit RwkvTokenizer(const GgufFile& file) : VocabularyTokenizer(file), by_bytes_(file) {
        for (std::size_t i = 0; i < vocabulary().tokens().size(); ++i) {
            if (const std::string bytes = unescaped(vocabulary().tokens()[i].text); !bytes.empty())
                by_bytes_.insert(bytes, static_cast<std::int32_t>(i));
        }
    }

 private:
    std::string text_of(std::int32_t id) const override { return unescaped(vocabulary()[id].text); }

    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const override {
        while (!text.empty()) {
            std::size_t length = 0;
            std::optional<std::int32_t> longest = vocabulary().unknown();
            by_bytes_.for_each_beginning(text, [&](std::size_t bytes, std::int32_t token) {
                length = bytes;
                longest = token;
            });
            if (longest) tokens.push_back(*longest);
            text.remove_prefix(std::max<std::size_t>(length, 1));
        }
    }

    TokenTrie by_bytes_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_rwkv_tokenizer(const GgufFile& file) {
    return std::make_unique<const RwkvTokenizer>(file);
}

}  // namespace splitscope
