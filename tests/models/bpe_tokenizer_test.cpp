// SPDX-License-Identifier: MIT
#include "engine/models/bpe_tokenizer.hpp"

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/models/token_types.hpp"

namespace splitscope {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::TemporaryFile;
using Tokens = std::vector<std::int32_t>;

using test::kControl;
using test::kNormal;
using test::kUser;

// U+0120 stands for a space, U+010A for a line feed.
GgufWriter vocabulary(std::string_view pre_tokenizer) {
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", pre_tokenizer)
        .texts("tokenizer.ggml.tokens",
               {"a", "b", "c", "\xc4\xa0", "ab", "abc",
                "\xc4\xa0"
                "ab",
                "bc", "<|end|>", "<tool>", "\xc3\x83", "\xc2\xa9", "\xc4\x8a", "cab"})
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32,
                               {kNormal, kNormal, kNormal, kNormal, kNormal, kNormal, kNormal, kNormal,
                                kControl, kUser, kNormal, kNormal, kNormal, kNormal})
        .texts("tokenizer.ggml.merges", {"b c", "a b", "\xc4\xa0 ab", "a bc"})
        .number("tokenizer.ggml.bos_token_id", 8)
        .number("tokenizer.ggml.eos_token_id", 8);
    return writer;
}

std::unique_ptr<const Tokenizer> tokenizer_of(const GgufWriter& writer) {
    const TemporaryFile stored(writer.bytes());
    return make_tokenizer(*GgufFile::open(stored.path()));
}

TEST(BpeTokenizer, MergesInListOrder) {
    const auto tokenizer = tokenizer_of(vocabulary("gpt-2"));
    EXPECT_EQ(tokenizer->encode("ab"), (Tokens{4}));
    EXPECT_EQ(tokenizer->encode("abc"), (Tokens{5}));  // b c, then a bc
    EXPECT_EQ(tokenizer->encode("a ab\n"), (Tokens{0, 6, 12}));
    EXPECT_EQ(tokenizer->encode(""), Tokens{});
    EXPECT_EQ(tokenizer->decode({0, 6, 12}), "a ab\n");
}

TEST(BpeTokenizer, TriesWholeWordsFirstOnlyIfConfigured) {
    EXPECT_EQ(tokenizer_of(vocabulary("gpt-2"))->encode("cab"), (Tokens{2, 4}));
    // This kind also begins a text with its begin token.
    EXPECT_EQ(tokenizer_of(vocabulary("llama-bpe"))->encode("cab"), (Tokens{8, 13}));
}

TEST(BpeTokenizer, BytesBeyondAscii) {
    const auto tokenizer = tokenizer_of(vocabulary("gpt-2"));
    EXPECT_EQ(tokenizer->encode("\xc3\xa9"), (Tokens{10, 11}));
    EXPECT_EQ(tokenizer->decode({10, 11}), "\xc3\xa9");
    EXPECT_EQ(tokenizer->piece(10), "\xc3");
    // Bytes without a token are omitted, as there is no unknown token.
    EXPECT_EQ(tokenizer->encode("a\xff"
                                "b"),
              (Tokens{0, 1}));
}

TEST(BpeTokenizer, SpecialTokens) {
    const auto tokenizer = tokenizer_of(vocabulary("gpt-2"));
    EXPECT_EQ(tokenizer->encode("a<tool>b"), (Tokens{0, 9, 1}));
    EXPECT_EQ(tokenizer->encode("a<|end|>", {false, true}), (Tokens{0, 8}));
    EXPECT_NE(tokenizer->encode("a<|end|>", {false, false}), (Tokens{0, 8}));
    EXPECT_EQ(tokenizer->piece(8), "");
    EXPECT_EQ(tokenizer->piece(8, true), "<|end|>");
    EXPECT_EQ(tokenizer->piece(99), "");
    EXPECT_TRUE(tokenizer->is_end(8));
}

TEST(BpeTokenizer, LongWordsAvoidQuadraticTime) {
    const auto tokenizer = tokenizer_of(vocabulary("gpt-2"));
    EXPECT_EQ(tokenizer->encode(std::string(400000, 'a')).size(), 400000U);
}

TEST(BpeTokenizer, NamesMissingData) {
    try {
        tokenizer_of(vocabulary("mystery"));
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(std::string(error.what()).find("'mystery'"), std::string::npos) << error.what();
    }
    GgufWriter no_merges;
    no_merges.text("tokenizer.ggml.model", "gpt2").texts("tokenizer.ggml.tokens", {"a"});
    try {
        tokenizer_of(no_merges);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("tokenizer.ggml.merges"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace splitscope
