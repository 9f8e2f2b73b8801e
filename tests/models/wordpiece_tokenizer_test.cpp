// SPDX-License-Identifier: MIT
#include "engine/models/wordpiece_tokenizer.hpp"

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/models/space_marks.hpp"
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

enum Id : std::int32_t { pad, unk, cls, sep, play, playing, ing, ed, comma, cafe, middle, ga };

std::unique_ptr<const Tokenizer> tokenizer() {
    const auto word = [](std::string_view text) { return std::string(kSpaceMark) + std::string(text); };
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "bert")
        .texts("tokenizer.ggml.tokens",
               {"[PAD]", "[UNK]", "[CLS]", "[SEP]", word("play"), word("playin"), "ing", "ed", word(","),
                word("cafe"), word("\xe4\xb8\xad"), word("\xe1\x84\x80")})
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32,
                               {kControl, kControl, kControl, kControl, kNormal, kNormal, kNormal, kNormal,
                                kNormal, kNormal, kNormal, kNormal})
        .number("tokenizer.ggml.unknown_token_id", unk)
        .number("tokenizer.ggml.cls_token_id", cls)
        .number("tokenizer.ggml.seperator_token_id", sep);
    const TemporaryFile stored(writer.bytes());
    return make_tokenizer(*GgufFile::open(stored.path()));
}

TEST(WordPieceTokenizer, TakesTheLongestPieceFromTheStart) {
    EXPECT_EQ(tokenizer()->encode("played"), (Tokens{cls, play, ed, sep}));
    EXPECT_EQ(tokenizer()->encode("played", {false, false}), (Tokens{play, ed}));
    // "playin" is longer than "play", but the rest, "g", is no token.
    EXPECT_EQ(tokenizer()->encode("playing played", {false, false}), (Tokens{unk, play, ed}));
}

TEST(WordPieceTokenizer, LowercasesAndRemovesAccents) {
    EXPECT_EQ(tokenizer()->encode("PLAY Caf\xc3\xa9 cafe\xcc\x81", {false, false}),
              (Tokens{play, cafe, cafe}));
    // Of a Hangul syllable the first letter remains, as in llama.cpp.
    EXPECT_EQ(tokenizer()->encode("\xea\xb0\x80", {false, false}), (Tokens{ga}));
}

TEST(WordPieceTokenizer, PunctuationAndHanCharactersStandAlone) {
    EXPECT_EQ(tokenizer()->encode("play,play", {false, false}), (Tokens{play, comma, play}));
    EXPECT_EQ(tokenizer()->encode("\xe4\xb8\xad\xe4\xb8\xad", {false, false}), (Tokens{middle, middle}));
    EXPECT_EQ(tokenizer()->encode("play\xe2\x80\x8bplay \x01", {false, false}), (Tokens{unk}));
}

TEST(WordPieceTokenizer, EmptyAndInvalidTexts) {
    EXPECT_EQ(tokenizer()->encode(""), (Tokens{cls, sep}));
    EXPECT_EQ(tokenizer()->encode(" \n\t ", {false, false}), Tokens{});
    EXPECT_EQ(tokenizer()->encode("\xff\xc3", {false, false}), Tokens{});
}

TEST(WordPieceTokenizer, DecodesText) {
    EXPECT_EQ(tokenizer()->decode({play, ed, comma, play}), "played , play");
    EXPECT_EQ(tokenizer()->decode({cls, play, sep}, true), "[CLS] play[SEP]");
    EXPECT_EQ(tokenizer()->piece(99), "");
}

}  // namespace
}  // namespace splitscope
