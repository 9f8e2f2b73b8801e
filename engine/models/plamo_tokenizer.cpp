// SPDX-License-Identifier: MIT
#include "engine/models/plamo_tokenizer.hpp"

#include <cmath>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/byte_tokens.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/token_trie.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/models/vocabulary_tokenizer.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Scores are compared as whole numbers.
constexpr double kPrecision = 1e4;
constexpr std::int64_t kUnknownScore = -10'000'000;
constexpr std::int64_t kMinScore = -20'000'000;
constexpr char32_t kByteOrderMark = 0xFEFF;

/// These vocabularies add no tokens at the beginning or end.
class PlamoTokenizer final : public VocabularyTokenizer {
 public:
    explicit PlamoTokenizer(const GgufFile& file)
        : VocabularyTokenizer(file, {.begin = 1, .end = 2, .unknown = 0}),
          bytes_(byte_tokens_of(vocabulary())),
          by_text_(file) {
        for (const std::int32_t byte : bytes_) {
            if (byte > 0) continue;
            throw Error(ErrorKind::bad_file, msg::kBytesMissing,
                        place_of_key(file.path(), "tokenizer.ggml.tokens"), msg::kConvertWithTokenizer);
        }
        for (std::size_t i = 0; i < vocabulary().tokens().size(); ++i) {
            const Token& token = vocabulary().tokens()[i];
            if (token.kind != TokenKind::byte) by_text_.insert(token.text, static_cast<std::int32_t>(i));
        }
    }

 private:
    std::string text_of(std::int32_t id) const override {
        const Token& token = vocabulary()[id];
        const auto byte = token.kind == TokenKind::byte ? byte_of(token.text) : std::nullopt;
        return byte ? std::string(1, *byte) : token.text;
    }

    /// The first token of the best division from a position on.
    struct Best {
        std::int64_t score = 0;
        std::size_t length = 0;
        std::int32_t token = -1;  ///< -1 = the bytes of one character
        bool reached = false;     ///< the position is between characters
    };

    void encode_plain(std::string_view given, std::vector<std::int32_t>& tokens) const override {
        std::string text;
        std::vector<std::size_t> starts;
        for (const unicode::Character& c : unicode::characters_of(given)) {
            if (c.offset == 0 && c.value == kByteOrderMark) continue;
            starts.push_back(text.size());
            unicode::append_utf8(text, c.value);
        }
        std::vector<Best> best(text.size() + 1);
        best[text.size()].reached = true;
        for (std::size_t i = starts.size(); i-- > 0;) {
            const std::size_t at = starts[i];
            const std::size_t next = i + 1 < starts.size() ? starts[i + 1] : text.size();
            best[at] = {best[next].score + kUnknownScore, next - at, -1, true};
            // Longer tokens come later and win ties.
            by_text_.for_each_beginning(std::string_view(text).substr(at),
                                        [&](std::size_t length, std::int32_t token) {
                                            const std::int64_t score = score_of(token);
                                            const Best& rest = best[at + length];
                                            if (score <= kMinScore || !rest.reached) return;
                                            if (rest.score + score >= best[at].score)
                                                best[at] = {rest.score + score, length, token, true};
                                        });
        }
        for (std::size_t at = 0; at < text.size(); at += best[at].length) {
            if (best[at].token >= 0) {
                tokens.push_back(best[at].token);
                continue;
            }
            for (std::size_t i = 0; i < best[at].length; ++i)
                tokens.push_back(bytes_[static_cast<unsigned char>(text[at + i])]);
        }
    }

    std::int64_t score_of(std::int32_t token) const {
        const float score = vocabulary()[token].score;
        return std::isfinite(score) ? static_cast<std::int64_t>(std::round(score * kPrecision)) : kMinScore;
    }

    ByteTokens bytes_;
    TokenTrie by_text_;
};

}  // namespace

std::unique_ptr<const Tokenizer> make_plamo_tokenizer(const GgufFile& file) {
    return std::make_unique<const PlamoTokenizer>(file);
}

}  // namespace splitscope
