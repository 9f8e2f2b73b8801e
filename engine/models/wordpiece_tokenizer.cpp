// SPDX-License-Identifier: MIT
#include "engine/models/wordpiece_tokenizer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/formats/gguf.hpp"
#include "engine/formats/gguf_place.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/special_tokens.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

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
enum class Letters : std::uint8_t { plain, lower, as_written };

void append_letter(std::string& word, const Character& c, Letters letters) {
    if (letters == Letters::plain)
        unicode::append_plain(word, c);
    else
        unicode::append_utf8(word, letters == Letters::lower ? unicode::lower_of(c.value) : c.value);
}

Letters letters_of(const GgufFile& file) {
    constexpr std::string_view kAccents = "tokenizer.ggml.normalizer.strip_accents";
    const bool lower = file.bool_value("tokenizer.ggml.normalizer.lowercase").value_or(true);
    const bool plain = file.bool_value(kAccents).value_or(lower);
    if (plain && !lower)
        throw Error(ErrorKind::unsupported, msg::kAccentsAlone, place_of_key(file.path(), kAccents),
                    msg::kUseSupportedVocabulary);
    return plain ? Letters::plain : lower ? Letters::lower : Letters::as_written;
}

/// Words as in the vocabulary, each with a leading space mark.
std::vector<std::string> words_of(std::string_view text, Letters letters) {
    std::vector<std::string> words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) words.push_back(std::string(kSpaceMark) + word);
        word.clear();
    };
    for (const Character& c : unicode::characters_of(text)) {
        if (c.is_space()) {
            finish();
            continue;
        }
        if (c.value == unicode::kReplacement || c.kind == CharacterClass::other) continue;
        if (stands_alone(c)) {
            finish();
            append_letter(word, c, letters);
            finish();
        } else {
            append_letter(word, c, letters);
        }
    }
    finish();
    return words;
}

class WordPieceTokenizer final : public Tokenizer {
 public:
    explicit WordPieceTokenizer(const GgufFile& file)
        : vocabulary_(file),
          letters_(letters_of(file)),
          add_begin_(file.bool_value("tokenizer.ggml.add_bos_token").value_or(true)),
          add_separator_(file.bool_value("tokenizer.ggml.add_sep_token")
                             .value_or(file.bool_value("tokenizer.ggml.add_eos_token").value_or(true))),
          begin_(first_of(file, {"cls_token_id", "bos_token_id"}, "[CLS]")),
          separator_(first_of(file, {"seperator_token_id", "eos_token_id"}, "[SEP]")),
          unknown_(first_of(file, {"unknown_token_id"}, "[UNK]")) {
        for (const Token& token : vocabulary_.tokens()) lengths_.push_back(token.text.size());
        std::ranges::sort(lengths_, std::ranges::greater{});
        lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    }

    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const override {
        std::vector<std::int32_t> tokens;
        if (options.add_special && add_begin_ && begin_) tokens.push_back(*begin_);
        for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
            if (fragment.token) {
                tokens.push_back(*fragment.token);
                continue;
            }
            for (const std::string& word : words_of(fragment.text, letters_)) encode_word(word, tokens);
        }
        if (options.add_special && add_separator_ && separator_) tokens.push_back(*separator_);
        return tokens;
    }

    std::string piece(std::int32_t id, bool show_special) const override {
        if (!vocabulary_.contains(id)) return {};
        const Token& token = vocabulary_[id];
        const bool special = token.kind == TokenKind::control || token.kind == TokenKind::unknown;
        if (special) return show_special ? token.text : std::string();
        return without_space_marks(token.text);
    }

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text;
        for (const std::int32_t id : tokens) text += piece(id, show_special);
        if (text.starts_with(' ')) text.erase(0, 1);
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    /// The first of these ids in the file, else the token with this text.
    std::optional<std::int32_t> first_of(const GgufFile& file, std::initializer_list<std::string_view> keys,
                                         std::string_view text) const {
        for (const std::string_view key : keys) {
            const auto id = file.unsigned_value("tokenizer.ggml." + std::string(key));
            if (id && *id < vocabulary_.tokens().size()) return static_cast<std::int32_t>(*id);
        }
        return vocabulary_.find(text);
    }

    void encode_word(std::string_view word, std::vector<std::int32_t>& tokens) const {
        const std::size_t before = tokens.size();
        while (!word.empty()) {
            std::size_t length = 0;
            std::optional<std::int32_t> id;
            for (const std::size_t tried : lengths_) {
                if (tried == 0 || tried > word.size()) continue;
                length = tried;
                if ((id = vocabulary_.find(word.substr(0, tried)))) break;
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

    Vocabulary vocabulary_;
    Letters letters_;
    bool add_begin_;
    bool add_separator_;
    std::optional<std::int32_t> begin_;
    std::optional<std::int32_t> separator_;
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
