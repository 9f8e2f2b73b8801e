// SPDX-License-Identifier: MIT
#include "engine/models/unigram_tokenizer.hpp"

#include <algorithm>
#include <limits>

#include "engine/models/character_map.hpp"
#include "engine/models/sentencepiece_tokenizer.hpp"
#include "engine/models/space_marks.hpp"
#include "engine/models/token_trie.hpp"
#include "engine/models/unicode/unicode.hpp"

namespace splitscope {
namespace {

/// Length of the UTF-8 sequence that a text begins with; 0 if it is none. Overlong ones are accepted.
std::size_t sequence_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC0 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF8 ? 4
                                                             : 0;
    if (length == 0 || length > text.size()) return 0;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return std::ranges::all_of(text.substr(1, length - 1), continues) ? length : 0;
}

/// The same by its first byte alone.
std::size_t announced_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

class UnigramTokenizer final : public SentencePieceTokenizer {
 public:
    explicit UnigramTokenizer(const GgufFile& file)
        : SentencePieceTokenizer(file, {.begin = {}, .end = 1, .unknown = 2}, false),
          map_(file),
          merges_spaces_(file.bool_value("tokenizer.ggml.remove_extra_whitespaces").value_or(false)),
          by_text_(file) {
        add_as_stated(file, false, true);
        float least = std::numeric_limits<float>::max();
        for (std::size_t i = 0; i < vocabulary().tokens().size(); ++i) {
            const Token& token = vocabulary().tokens()[i];
            const bool normal = token.kind == TokenKind::normal;
            if (normal) least = std::min(least, token.score);
            if (normal || token.kind == TokenKind::user_defined || token.kind == TokenKind::unused)
                by_text_.insert(token.text, static_cast<std::int32_t>(i));
        }
        constexpr float kPenalty = 10.0F;
        unknown_score_ = least - kPenalty;
    }

 private:
    /// The text with characters replaced by the vocabulary's map and spaces by marks.
    std::string normalised(std::string_view text) const {
        std::string out;
        bool in_word = false;
        bool has_prefix = false;
        const auto add = [&](std::string_view part) {
            for (const char c : part) {
                if (c == ' ') {
                    in_word = false;
                    if (!merges_spaces_) out += kSpaceMark;
                    continue;
                }
                if (!in_word && ((add_space_prefix() && !has_prefix) || merges_spaces_)) {
                    out += kSpaceMark;
                    has_prefix = true;
                }
                in_word = true;
                out += c;
            }
        };
        while (!text.empty()) {
            std::size_t taken = 1;
            if (const auto match = map_.longest(text)) {
                add(match->replacement);
                taken = match->bytes;
            } else if (const std::size_t length = sequence_length(text); length > 0) {
                add(text.substr(0, length));
                taken = length;
            } else {
                std::string replacement;
                unicode::append_utf8(replacement, unicode::kReplacement);
                add(replacement);
            }
            text.remove_prefix(taken);
        }
        return out;
    }

    /// The last token of the best division up to a position.
    struct Best {
        double score = -std::numeric_limits<double>::max();
        std::size_t from = 0;
        std::int32_t token = -1;  ///< -1 = unknown
    };

    void encode_plain(std::string_view given, std::vector<std::int32_t>& tokens) const override {
        const std::string normal = normalised(given);
        const std::string_view text = normal;
        if (text.empty()) return;
        std::vector<Best> best(text.size() + 1);
        best[0].score = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t character = std::min(announced_length(text[at]), text.size() - at);
            const double before = best[at].score;
            const auto offer = [&](std::size_t length, double score, std::int32_t token) {
                Best& champion = best[at + length];
                if (before + score > champion.score) champion = {before + score, at, token};
            };
            bool whole = false;
            by_text_.for_each_beginning(text.substr(at), [&](std::size_t length, std::int32_t token) {
                whole = whole || length == character;
                const Token& t = vocabulary()[token];
                offer(length, t.kind == TokenKind::user_defined ? 0.0 : double{t.score}, token);
            });
            if (!whole) offer(character, double{unknown_score_}, -1);
            at += character;
        }
        const std::size_t first = tokens.size();
        bool after_unknown = false;
        for (std::size_t at = text.size(); at > 0; at = best[at].from) {
            const bool unknown = best[at].token < 0;
            // Unknown neighbours are one token.
            if (!unknown)
                tokens.push_back(best[at].token);
            else if (!after_unknown && vocabulary().unknown())
                tokens.push_back(*vocabulary().unknown());
            after_unknown = unknown;
        }
        std::reverse(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.end());
    }

    CharacterMap map_;
    bool merges_spaces_;
    TokenTrie by_text_;
    float unknown_score_ = 0.0F;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_unigram_tokenizer(const GgufFile& file) {
    return std::make_unique<const UnigramTokenizer>(file);
}

}  // namespace splitscope
