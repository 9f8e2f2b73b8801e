// SPDX-License-Identifier: MIT
#include "engine/models/unigram_tokenizer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/models/byte_tokens.hpp"
#include "engine/models/replaced_characters.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/special_tokens.hpp"
#include "engine/models/token_trie.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/models/vocabulary.hpp"

namespace splitscope {
namespace {

class UnigramTokenizer final : public Tokenizer {
 public:
    explicit UnigramTokenizer(const GgufFile& file)
        : vocabulary_(file, {.end = 1, .unknown = 2}),
          replaced_(file),
          add_begin_(file.bool_value("tokenizer.ggml.add_bos_token").value_or(false)),
          add_end_(file.bool_value("tokenizer.ggml.add_eos_token").value_or(true)),
          add_space_prefix_(file.bool_value("tokenizer.ggml.add_space_prefix").value_or(false)),
          join_spaces_(file.bool_value("tokenizer.ggml.remove_extra_whitespaces").value_or(false)) {
        float least = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < vocabulary_.tokens().size(); ++i) {
            const Token& token = vocabulary_.tokens()[i];
            const bool is_user_defined = token.kind == TokenKind::user_defined;
            if (token.kind == TokenKind::normal) least = std::min(least, token.score);
            if (token.text.empty()) continue;
            if (token.kind == TokenKind::normal || is_user_defined || token.kind == TokenKind::unused)
                by_text_.insert(token.text, static_cast<std::int32_t>(i));
            if (is_user_defined) user_defined_.insert(token.text, static_cast<std::int32_t>(i));
        }
        constexpr float kPenalty = 10.0F;
        unknown_score_ = double{least - kPenalty};
    }

    std::vector<std::int32_t> encode(std::string_view text, const EncodeOptions& options) const override {
        std::vector<std::int32_t> tokens;
        if (options.add_special && add_begin_ && vocabulary_.begin()) tokens.push_back(*vocabulary_.begin());
        for (const TextFragment& fragment : cut_at_special_tokens(vocabulary_, text, options.parse_special)) {
            if (fragment.token)
                tokens.push_back(*fragment.token);
            else
                encode_plain(normalized(fragment.text), tokens);
        }
        if (options.add_special && add_end_ && vocabulary_.end()) tokens.push_back(*vocabulary_.end());
        return tokens;
    }

    std::string piece(std::int32_t id, bool show_special) const override {
        if (!vocabulary_.contains(id)) return {};
        const Token& token = vocabulary_[id];
        switch (token.kind) {
            case TokenKind::unknown:
            case TokenKind::control:
                return show_special ? token.text : std::string();
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

    std::string decode(const std::vector<std::int32_t>& tokens, bool show_special) const override {
        std::string text;
        for (const std::int32_t id : tokens) text += piece(id, show_special);
        if (add_space_prefix_ && text.starts_with(' ')) text.erase(0, 1);
        return text;
    }

    std::size_t vocabulary_size() const override { return vocabulary_.tokens().size(); }
    bool is_end(std::int32_t token) const override { return vocabulary_.is_end(token); }

 private:
    /// The best split of a text up to a position.
    struct Best {
        std::optional<std::int32_t> token;  ///< its last token; none = unknown
        std::size_t begin = 0;              ///< of that token
        double score = -std::numeric_limits<double>::max();
    };

    /// The text after character replacement, with the vocabulary's space mark.
    std::string normalized(std::string_view text) const {
        std::string out;
        bool has_prefix = false;
        bool in_word = false;
        const auto append = [&](std::string_view part) {
            for (const char c : part) {
                if (c == ' ') {
                    in_word = false;
                    if (!join_spaces_) out += kSpaceMark;
                    continue;
                }
                if (!std::exchange(in_word, true) && (join_spaces_ || (add_space_prefix_ && !has_prefix))) {
                    out += kSpaceMark;
                    has_prefix = true;
                }
                out += c;
            }
        };
        const std::vector<unicode::Character> characters = unicode::characters_of(text);
        for (std::size_t next = 0, at = 0; at < text.size();) {
            const std::string_view rest = text.substr(at);
            if (const std::size_t length = user_defined_.length_of_beginning(rest); length > 0) {
                append(rest.substr(0, length));
                at += length;
            } else if (const auto replacement = replaced_.at(rest); replacement.length > 0) {
                append(replacement.text);
                at += replacement.length;
            } else {
                while (characters[next].offset < at) ++next;
                const std::size_t end =
                    next + 1 < characters.size() ? characters[next + 1].offset : text.size();
                std::string character;
                unicode::append_utf8(character, characters[next].value);
                append(character);
                at = end;
            }
        }
        return out;
    }

    void encode_plain(std::string_view text, std::vector<std::int32_t>& tokens) const {
        std::vector<Best> best(text.size() + 1);
        best[0].score = 0;
        const std::vector<unicode::Character> characters = unicode::characters_of(text);
        for (std::size_t i = 0; i < characters.size(); ++i) {
            const std::size_t at = characters[i].offset;
            const std::size_t end = i + 1 < characters.size() ? characters[i + 1].offset : text.size();
            const auto offer = [&](std::size_t length, std::optional<std::int32_t> token, double score) {
                Best& standing = best[at + length];
                if (best[at].score + score > standing.score) standing = {token, at, best[at].score + score};
            };
            bool whole_character = false;
            by_text_.for_each_beginning(text.substr(at), [&](std::size_t length, std::int32_t id) {
                whole_character |= at + length == end;
                const Token& token = vocabulary_[id];
                offer(length, id, token.kind == TokenKind::user_defined ? 0.0 : double{token.score});
            });
            if (!whole_character) offer(end - at, std::nullopt, unknown_score_);
        }
        const std::size_t first = tokens.size();
        bool after_unknown = false;
        for (std::size_t at = text.size(); at > 0; at = best[at].begin) {
            const std::optional<std::int32_t> token = best[at].token ? best[at].token : vocabulary_.unknown();
            const bool is_unknown = token == vocabulary_.unknown();
            if (token && !(after_unknown && is_unknown)) tokens.push_back(*token);
            after_unknown = is_unknown;
        }
        std::reverse(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end());
    }

    Vocabulary vocabulary_;
    ReplacedCharacters replaced_;
    TokenTrie by_text_;
    TokenTrie user_defined_;
    double unknown_score_ = 0;
    bool add_begin_;
    bool add_end_;
    bool add_space_prefix_;
    bool join_spaces_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_unigram_tokenizer(const GgufFile& file) {
    return std::make_unique<const UnigramTokenizer>(file);
}

}  // namespace splitscope
