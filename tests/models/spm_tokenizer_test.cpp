// SPDX-License-Identifier: MIT
#include "engine/models/spm_tokenizer.hpp"

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::TemporaryFile;
using Tokens = std::vector<std::int32_t>;

constexpr std::int32_t kSpmNormal = 1;
constexpr std::int32_t kUnknown = 2;
constexpr std::int32_t kSpmControl = 3;
constexpr std::int32_t kByte = 6;

// 0 unknown, 1 begin, 2 end, then pieces, and bytes only for 0xC3 and 0x28.
GgufWriter vocabulary() {
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "llama")
        .texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a", "b", "ab", "\xe2\x96\x81",
                                         "\xe2\x96\x81"
                                         "ab",
                                         "<0xC3>", "<0x28>"})
        .numbers<float>("tokenizer.ggml.scores", GgufType::f32, {0, 0, 0, -5, -6, -1, -7, -2, 0, 0})
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32,
                               {kUnknown, kSpmControl, kSpmControl, kSpmNormal, kSpmNormal, kSpmNormal,
                                kSpmNormal, kSpmNormal, kByte, kByte})
        .number("tokenizer.ggml.bos_token_id", 1)
        .number("tokenizer.ggml.eos_token_id", 2)
        .number("tokenizer.ggml.unknown_token_id", 0);
    return writer;
}

std::unique_ptr<const Tokenizer> spm_tokenizer_of(const GgufWriter& writer) {
    const TemporaryFile stored(writer.bytes());
    return make_tokenizer(*GgufFile::open(stored.path()));
}

TEST(SpmTokenizer, MergesByScoreAndPrependsASpace) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    EXPECT_EQ(tokenizer->encode("ab"), (Tokens{1, 7}));
    EXPECT_EQ(tokenizer->encode("ab ab"), (Tokens{1, 7, 7}));
    EXPECT_EQ(tokenizer->encode("ba", {false, false}), (Tokens{6, 4, 3}));
    EXPECT_EQ(tokenizer->decode({7, 7}), "ab ab");
}

TEST(SpmTokenizer, EmptyTextHasOnlySpecialTokens) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    EXPECT_EQ(tokenizer->encode(""), (Tokens{1}));
    EXPECT_EQ(tokenizer->encode("", {false, false}), Tokens{});
    EXPECT_EQ(tokenizer->decode({}), "");
    auto writer = vocabulary();
    writer.truth("tokenizer.ggml.add_eos_token", true).truth("tokenizer.ggml.add_bos_token", false);
    EXPECT_EQ(spm_tokenizer_of(writer)->encode(""), (Tokens{2}));
}

TEST(SpmTokenizer, InvalidUtf8AndUnknownBytes) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    const EncodeOptions plain{false, false};
    // 0xC3 announces two bytes; both have byte tokens. 0xFF has none and becomes the unknown token.
    EXPECT_EQ(tokenizer->encode("\xc3\x28", plain), (Tokens{6, 8, 9}));
    EXPECT_EQ(tokenizer->encode("\xc3", plain), (Tokens{6, 8}));
    EXPECT_EQ(tokenizer->encode("\xff", plain), (Tokens{6, 0}));
    EXPECT_EQ(tokenizer->encode("\xf0\x9f", plain), (Tokens{6, 0, 0}));
    EXPECT_EQ(tokenizer->encode(std::string("\0", 1), plain), (Tokens{6, 0}));
    EXPECT_EQ(tokenizer->decode({8, 9}), "\xc3\x28");
}

TEST(SpmTokenizer, ControlTokensInTextAreOptional) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    EXPECT_EQ(tokenizer->encode("</s>ab", {false, true}), (Tokens{2, 7}));
    EXPECT_NE(tokenizer->encode("</s>ab", {false, false}), (Tokens{2, 7}));
    EXPECT_EQ(tokenizer->piece(2, false), "");
    EXPECT_EQ(tokenizer->piece(2, true), "</s>");
    EXPECT_TRUE(tokenizer->is_end(2));
    EXPECT_FALSE(tokenizer->is_end(3));
}

TEST(SpmTokenizer, TokensOutsideTheVocabularyHaveNoText) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    EXPECT_EQ(tokenizer->piece(-1), "");
    EXPECT_EQ(tokenizer->piece(10), "");
    EXPECT_EQ(tokenizer->decode({3, 99, 4}), "ab");
}

TEST(SpmTokenizer, LongTextAvoidsQuadraticTime) {
    const auto tokenizer = spm_tokenizer_of(vocabulary());
    std::string text;
    for (int i = 0; i < 200000; ++i) text += "ab";
    EXPECT_EQ(tokenizer->encode(text, {false, false}).size(), 200000U);
}

TEST(SpmTokenizer, RefusesAMissingVocabulary) {
    GgufWriter nothing;
    EXPECT_THROW(spm_tokenizer_of(nothing), Error);
    GgufWriter no_tokens;
    no_tokens.text("tokenizer.ggml.model", "llama");
    EXPECT_THROW(spm_tokenizer_of(no_tokens), Error);
    GgufWriter unknown;
    unknown.text("tokenizer.ggml.model", "mystery");
    try {
        spm_tokenizer_of(unknown);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(std::string(error.what()).find("mystery"), std::string::npos);
    }
}

}  // namespace
}  // namespace splitscope
