// SPDX-License-Identifier: MIT
#include "engine/models/pre_tokenizer.hpp"

#include <random>

#include <gtest/gtest.h>

namespace splitscope {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view pre_tokenizer, std::string_view text) {
    const PreTokenizer* known = pre_tokenizer_named(pre_tokenizer);
    EXPECT_NE(known, nullptr) << pre_tokenizer;
    Words out;
    for (const std::string_view word : cut_words(*known, text)) out.emplace_back(word);
    return out;
}

TEST(PreTokenizer, SpacesJoinTheNextWord) {
    EXPECT_EQ(words("gpt-2", "Hello  world "), (Words{"Hello", " ", " world", " "}));
    EXPECT_EQ(words("llama-bpe", "a\tb"), (Words{"a", "\tb"}));
    EXPECT_EQ(words("gpt-2", "a\tb"), (Words{"a", "\t", "b"}));
    EXPECT_EQ(words("qwen2", "a \n\n  b"), (Words{"a", " \n\n", " ", " b"}));
    EXPECT_EQ(words("gpt-2", ""), Words{});
}

TEST(PreTokenizer, Numbers) {
    EXPECT_EQ(words("llama-bpe", "12345"), (Words{"123", "45"}));
    EXPECT_EQ(words("qwen2", "123"), (Words{"1", "2", "3"}));
    EXPECT_EQ(words("gpt-2", "a 123"), (Words{"a", " 123"}));
    EXPECT_EQ(words("starcoder", "a 123"), (Words{"a", " ", "1", "2", "3"}));
    EXPECT_EQ(words("default", "12345"), (Words{"123", "45"}));
    EXPECT_EQ(words("gpt-4o", "3.14"), (Words{"3", ".", "14"}));
}

TEST(PreTokenizer, Contractions) {
    EXPECT_EQ(words("gpt-2", "I'm DON'T"), (Words{"I", "'m", " DON", "'", "T"}));
    EXPECT_EQ(words("llama-bpe", "DON'T"), (Words{"DON", "'T"}));
    EXPECT_EQ(words("gpt-4o", "DON'T we'll"), (Words{"DON'T", " we'll"}));
    EXPECT_EQ(words("tekken", "we'll"), (Words{"we", "'ll"}));
}

TEST(PreTokenizer, SplitsCamelCase) {
    EXPECT_EQ(words("gpt-4o", "HTTPServer camelCase"), (Words{"HTTPServer", " camel", "Case"}));
    EXPECT_EQ(words("tekken", "myURL"), (Words{"my", "URL"}));
    EXPECT_EQ(words("llama-bpe", "camelCase"), (Words{"camelCase"}));
    // A caseless letter ends the upper-case ones and begins the lower-case ones.
    EXPECT_EQ(words("gpt-4o",
                    "A\xe4\xb8\xad"
                    "B"),
              (Words{"A\xe4\xb8\xad", "B"}));
}

TEST(PreTokenizer, Punctuation) {
    EXPECT_EQ(words("llama-bpe", "x = {};\n\ny"), (Words{"x", " =", " {};\n\n", "y"}));
    EXPECT_EQ(words("gpt-4o", "a//\nb"), (Words{"a", "//\n", "b"}));
    EXPECT_EQ(words("falcon", "a`b"), (Words{"a", "`", "b"}));
    EXPECT_EQ(words("default", "(a+b)"), (Words{"(", "a", "+", "b", ")"}));
}

TEST(PreTokenizer, OtherScripts) {
    EXPECT_EQ(words("gpt-2", "\xc3\xa9t\xc3\xa9 \xe4\xb8\xad\xe6\x96\x87"),
              (Words{"\xc3\xa9t\xc3\xa9", " \xe4\xb8\xad\xe6\x96\x87"}));
    // An ideographic space is a space; a superscript two is a number.
    EXPECT_EQ(words("llama-bpe",
                    "a\xe3\x80\x80"
                    "b\xc2\xb2"),
              (Words{"a",
                     "\xe3\x80\x80"
                     "b",
                     "\xc2\xb2"}));
}

TEST(PreTokenizer, WordsConcatenateToTheText) {
    std::mt19937 random(3);
    for (const std::string_view name :
         {"default", "gpt-2", "llama-bpe", "qwen2", "gpt-4o", "tekken", "starcoder", "falcon"}) {
        for (int i = 0; i < 300; ++i) {
            std::string text;
            for (auto left = random() % 40; left > 0; --left) text += static_cast<char>(random() & 0xFF);
            std::string together;
            for (const std::string& word : words(name, text)) {
                EXPECT_FALSE(word.empty());
                together += word;
            }
            EXPECT_EQ(together, text) << name;
        }
    }
}

TEST(PreTokenizer, UnknownNames) {
    EXPECT_EQ(pre_tokenizer_named("mystery"), nullptr);
    EXPECT_NE(pre_tokenizer_names().find("qwen2"), std::string::npos);
}

}  // namespace
}  // namespace splitscope
