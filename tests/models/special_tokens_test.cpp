// SPDX-License-Identifier: MIT
#include "engine/models/special_tokens.hpp"

#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::TemporaryFile;

struct SpecialToken {
    std::string text;
    TokenKind kind = TokenKind::user_defined;
};

Vocabulary vocabulary_of(const std::vector<SpecialToken>& tokens) {
    std::vector<std::string> texts;
    std::vector<std::int32_t> kinds;
    for (const SpecialToken& token : tokens) {
        texts.push_back(token.text);
        kinds.push_back(static_cast<std::int32_t>(token.kind));
    }
    GgufWriter writer;
    writer.texts("tokenizer.ggml.tokens", texts)
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32, kinds);
    const TemporaryFile stored(writer.bytes());
    return Vocabulary(*GgufFile::open(stored.path()));
}

/// Id, or -1, and text of each fragment.
using Fragments = std::vector<std::pair<std::int32_t, std::string>>;

Fragments cut(const Vocabulary& vocabulary, std::string_view text, bool parse_special = true) {
    Fragments cut;
    for (const TextFragment& each : cut_at_special_tokens(vocabulary, text, parse_special))
        cut.emplace_back(each.token.value_or(-1), each.text);
    return cut;
}

/// Same, token by token: each one cuts the texts left by the previous tokens.
Fragments cut_one_by_one(const Vocabulary& vocabulary, std::string_view text, bool parse_special) {
    Fragments fragments;
    if (!text.empty()) fragments.emplace_back(-1, text);
    for (const std::int32_t id : vocabulary.special_tokens()) {
        const Token& token = vocabulary[id];
        if (token.kind != TokenKind::user_defined && !parse_special) continue;
        Fragments next;
        for (const auto& [known, rest] : fragments) {
            std::size_t from = 0;
            std::size_t at = known >= 0 ? std::string::npos : rest.find(token.text);
            for (; at != std::string::npos; at = rest.find(token.text, from)) {
                if (at > from) next.emplace_back(-1, rest.substr(from, at - from));
                next.emplace_back(id, token.text);
                from = at + token.text.size();
            }
            if (from < rest.size()) next.emplace_back(known, rest.substr(from));
        }
        fragments = std::move(next);
    }
    return fragments;
}

TEST(SpecialTokens, LongestSplitsFirst) {
    const Vocabulary vocabulary = vocabulary_of({{"<a>"}, {"<a><b>"}, {"b>"}});
    EXPECT_EQ(cut(vocabulary, "x<a><b>y<a>"), (Fragments{{-1, "x"}, {1, "<a><b>"}, {-1, "y"}, {0, "<a>"}}));
    EXPECT_EQ(cut(vocabulary, "<b>"), (Fragments{{-1, "<"}, {2, "b>"}}));
    EXPECT_EQ(cut(vocabulary, ""), Fragments{});
    EXPECT_EQ(cut(vocabulary, "none"), (Fragments{{-1, "none"}}));
}

TEST(SpecialTokens, LowestIdOfEquallyLongOnesSplitsFirst) {
    const Vocabulary vocabulary = vocabulary_of({{"ba"}, {"ab"}, {"ab"}});
    EXPECT_EQ(cut(vocabulary, "abab"), (Fragments{{-1, "a"}, {0, "ba"}, {-1, "b"}}));
    EXPECT_EQ(cut(vocabulary, "abb"), (Fragments{{1, "ab"}, {-1, "b"}}));
}

TEST(SpecialTokens, ControlAndUnknownOnesAreOptional) {
    const Vocabulary vocabulary =
        vocabulary_of({{"<c>", TokenKind::control}, {"<u>", TokenKind::unknown}, {"<d>"}});
    EXPECT_EQ(cut(vocabulary, "<c><u><d>", false), (Fragments{{-1, "<c><u>"}, {2, "<d>"}}));
    EXPECT_EQ(cut(vocabulary, "<c><u><d>"), (Fragments{{0, "<c>"}, {1, "<u>"}, {2, "<d>"}}));
}

TEST(SpecialTokens, SplitLikeOneByOne) {
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const auto text_of = [&](std::size_t length) {
        std::string text;
        while (text.size() < length) text += static_cast<char>('a' + below(2));
        return text;
    };
    for (int i = 0; i < 300; ++i) {
        std::vector<SpecialToken> tokens;
        for (std::size_t n = 1 + below(12); tokens.size() < n;)
            tokens.push_back(
                {text_of(1 + below(6)), below(4) == 0 ? TokenKind::control : TokenKind::user_defined});
        const Vocabulary vocabulary = vocabulary_of(tokens);
        const std::string text = text_of(below(60));
        for (const bool parse_special : {false, true})
            EXPECT_EQ(cut(vocabulary, text, parse_special), cut_one_by_one(vocabulary, text, parse_special));
    }
}

// Each of them once scanned the whole text.
TEST(SpecialTokens, AreFoundQuicklyAmongMany) {
    constexpr int kMany = 100'000;
    std::vector<SpecialToken> tokens;
    for (int i = 0; i < kMany; ++i) tokens.push_back({"t" + std::to_string(kMany + i)});
    const Vocabulary vocabulary = vocabulary_of(tokens);
    const std::string none(kMany, 't');
    EXPECT_EQ(cut(vocabulary, none), (Fragments{{-1, none}}));
    std::string all;
    for (const SpecialToken& token : tokens) all += token.text;
    const Fragments found = cut(vocabulary, all);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(kMany));
    EXPECT_EQ(found.back().first, kMany - 1);
}

}  // namespace
}  // namespace splitscope
