// SPDX-License-Identifier: MIT
#include "engine/models/wordpiece_tokenizer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/models/space_marks.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/models/vocabulary_tokenizer.hpp"

namespace splitscope {
namespace {

using unicode::Character;
using unicode::CharacterClass;

/// Han characters are separate words.
bool is_han(char32_t c) {
    constexpr std::array<std::pair<char32_t, char32_t>, 8> blocks = {{{0x4E00, 0x9FFF},
                                                                      {0x3400, 0x4DBF},
                                                                      {0x20000, 0x2A6DF},
                                                                      {0x2A700, 0x2B73F},
                                                                      {0x2B740, 0x2B81F},
                                                                      {0x2B820, 0x2CEAF},
                                                                      {0xF900, 0xFAFF},
                                                                      {0x2F800, 0x2FA1F}}};
    return std::ranges::any_of(blocks,
                               [c](const auto& block) { return c >= block.first && c <= block.second; });
}

bool stands_alone(const Character& c) {
    const bool ascii_symbol = c.value < 0x80 && c.kind == CharacterClass::symbol;
    return c.kind == CharacterClass::punctuation || ascii_symbol || is_han(c.value);
}

/// How letters are written in the vocabulary.
struct Letters {
    bool lower = true;
    bool plain = true;  ///< without accents
};

Letters letters_of(const GgufFile& file) {
    const bool lower = file.bool_value("tokenizer.ggml.normalizer.lowercase").value_or(true);
    return {lower, file.bool_value("tokenizer.ggml.normalizer.strip_accents").value_or(lower)};
}

/// Words as in the vocabulary, each with a leading space mark.
std::vector<std::string> words_of(std::string_view text, const Letters& letters) {
    std::vector<std::string> words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) words.push_back(std::string(kSpaceMark) + word);
        word.clear();
    };
    for (Character c : unicode::characters_of(text)) {
        if (letters.plain) {
            c.value = unicode::base_of(c.value);
            c.kind = unicode::class_of(c.value);
            if (c.is_mark()) continue;
        }
        if (c.is_space()) {
            finish();
            continue;
        }
        if (c.value == unicode::kReplacement || c.kind == CharacterClass::other) continue;
        const bool alone = stands_alone(c);
        if (alone) finish();
        unicode::append_utf8(word, letters.lower ? unicode::lower_of(c.value) : c.value);
        if (alone) finish();
    }
    finish();
    return words;
}

class WordPieceTokenizer final : public VocabularyTokenizer {
 public:
    explicit WordPieceTokenizer(const GgufFile& file)
        : VocabularyTokenizer(file),
          letters_(letters_of(file)),
          unknown_(first_of(file, {"unknown_token_id"}, "[UNK]")) {
        const bool adds_end = file.bool_value("tokenizer.ggml.add_eos_token").value_or(true);
        const bool adds_separator = file.bool_value("tokenizer.ggml.add_sep_token").value_or(adds_end);
        const bool adds_begin = file.bool_value("tokenizer.ggml.add_bos_token").value_or(true);
        const auto begin = first_of(file, {"cls_token_id", "bos_token_id"}, "[CLS]");
        const auto separator = first_of(file, {"seperator_token_id", "eos_token_id"}, "[SEP]");
        if (adds_begin) begin_with(begin);
        if (adds_separator) end_with(separator);
        for (const Token& token : vocabulary().tokens()) lengths_.push_back(token.text.size());
        std::ranges::sort(lengths_, std::ranges::greater{});
        lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    }

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text = VocabularyTokenizer::decode(tokens, show_special);
        if (text.starts_with(' ')) text.erase(0, 1);
        return text;
    }

 private:
    std::string text_of(std::int32_t id) const override {
        const Token& token = vocabulary()[id];
        const bool special = token.kind == TokenKind::control || token.kind == TokenKind::unknown;
        return special ? token.text : without_space_marks(token.text);
    }

    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const override {
        for (const std::string& word : words_of(text, letters_)) encode_word(word, tokens);
    }

    /// The first of these ids in the file, else the token with this text.
    std::optional<std::int32_t> first_of(const GgufFile& file, std::initializer_list<std::string_view> keys,
                                         std::string_view text) const {
        for (const std::string_view key : keys) {
            const auto id = file.unsigned_value("tokenizer.ggml." + std::string(key));
            if (id && *id < vocabulary().tokens().size()) return static_cast<std::int32_t>(*id);
        }
        return vocabulary().find(text);
    }

    void encode_word(std::string_view word, std::vector<std::int32_t>& tokens) const {
        const std::size_t before = tokens.size();
        while (!word.empty()) {
            std::size_t length = 0;
            std::optional<std::int32_t> id;
            for (const std::size_t tried : lengths_) {
                if (tried == 0 || tried > word.size()) continue;
                length = tried;
                if ((id = vocabulary().find(word.substr(0, tried)))) break;
            }
            if (!id) {
                tokens.resize(before);
                if (unknown_) tokens.push_back(*unknown_);
                return;
            }
            tokens.push_back(*id);
            word.remove_prefix(length);
        }
    }

    Letters letters_;
    std::optional<std::int32_t> unknown_;
    /// Distinct token lengths, descending, so that one absurdly long token does not cause a look-up for every
    /// length.
    std::vector<std::size_t> lengths_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_wordpiece_tokenizer(const GgufFile& file) {
    return std::make_unique<const WordPieceTokenizer>(file);
}

}  // namespace splitscope
