// SPDX-License-Identifier: MIT
// Tokenizers against the reference engine's, on texts of random characters that the rules distinguish.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/models/pre_tokenizer.hpp"
#include "engine/models/tokenizer.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "tests/cli/process.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

std::string utf8(std::u32string_view characters) {
    std::string text;
    for (const char32_t c : characters) unicode::append_utf8(text, c);
    return text;
}

/// Characters distinguished by some rule.
constexpr std::u32string_view kCharacters =
    U"abzsteSTMdlrvABIMGIMGZ0123456789  \t\n\n\r\r.,!?'\"()[]{}<>:;-_+=*/\\|~^`$%&#@"
    U"\u00e9\u00c9\u0416\u0436\u01c5\u00b5\u1f7d\u0301\u0903\u20dd\u4e2d\u6587\u3042\u30a2\uac00\u1100\u3131"
    U"\u3105\u0e01\u0e33"
    U"\u0939\u093f\u0660\u00b2\u2167\u00a0\u3000\u2028\u2003\u3001\u3002\uff0c\uff01\uff21\u2026\u201c\u2019"
    U"\u2014\u20ac"
    U"\U0001f600\U00020000\U00010400\ufe30\u0964\u06d4\u060c\u00ad\u200d\ufeff\u0378";

Texts texts_to_cut() {
    Texts texts = {"",
                   " ",
                   "Hello world, it's 2026!",
                   "HTTPServer camelCase myURL iPhone McDonald's DON'T we'll",
                   "1234567 12 1234 12345678901 3.14 1,000,000 0x7f 5abc abc5",
                   "    if x == 1:\n        return  \"y\"\n\n\n\tz\r\n\r\n   ",
                   "a//\nb */ c#include <x>\n~abc ~ ~~1",
                   "<sentinel:12> IMGIMGABCDZ IMGIMGZ <sentinel:>",
                   std::string(700, ' ') + "x" + std::string(37, ' '),
                   "a b c d  e\xcc\x81 f\xcc\x81g h",
                   utf8(U"\u4e2d\u6587 \u65e5\u672c\u8a9e\u30c6\u30b9\u30c8 \ud55c\uad6d\uc5b4 "
                        U"\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22")};
    std::mt19937 random(7);
    for (int i = 0; i < 150; ++i) {
        std::u32string text;
        for (auto left = 1 + random() % 24; left > 0; --left) {
            const char32_t c = kCharacters[random() % kCharacters.size()];
            for (auto times = random() % 4 == 0 ? 1 + random() % 6 : 1; times > 0; --times) text += c;
        }
        texts.push_back(utf8(text));
    }
    return texts;
}

/// Bytes in the form of byte-level vocabularies.
std::string written(unsigned char byte) {
    char32_t character = byte;
    const auto printable = [](unsigned c) {
        return (c >= '!' && c <= '~') || (c >= 0xA1 && c <= 0xAC) || c >= 0xAE;
    };
    if (!printable(byte)) {
        character = 0x100;
        for (unsigned before = 0; before < byte; ++before) character += printable(before) ? 0 : 1;
    }
    std::string text;
    unicode::append_utf8(text, character);
    return text;
}

/// A vocabulary in which neighbours merge unless a rule separates them.
GgufWriter vocabulary(const PreTokenizer& pre_tokenizer, const Texts& texts) {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> kinds;
    std::set<std::string> known;
    const auto add = [&](const std::string& token, std::int32_t kind) {
        if (!known.insert(token).second) return;
        tokens.push_back(token);
        kinds.push_back(kind);
    };
    add("<begin>", 3);
    add("<end>", 3);
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (pre_tokenizer.space_marks)
            add(fmt::format("<0x{:02X}>", byte), 6);
        else
            add(written(static_cast<unsigned char>(byte)), 1);
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    std::set<std::string> paired;
    for (const std::string& text : texts) {
        std::vector<std::string> symbols;
        if (pre_tokenizer.space_marks) {
            for (const unicode::Character& c : unicode::characters_of(text)) {
                std::string symbol;
                unicode::append_utf8(symbol, c.value == U' ' ? U'\u2581' : c.value);
                symbols.push_back(symbol);
                if (c.value != U'\n') add(symbol, 1);
            }
        } else {
            for (const char byte : text) symbols.push_back(written(static_cast<unsigned char>(byte)));
        }
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            if (symbols[i] == "\n" || symbols[i + 1] == "\n") continue;
            if (paired.insert(symbols[i] + ' ' + symbols[i + 1]).second)
                pairs.emplace_back(symbols[i], symbols[i + 1]);
        }
    }
    std::shuffle(pairs.begin(), pairs.end(), std::mt19937(11));
    std::vector<std::string> merges;
    for (const auto& [left, right] : pairs) {
        merges.push_back(left + ' ' + right);
        add(left + right, 1);
    }
    add("\n\n", 1);
    GgufWriter writer;
    writer.text("general.architecture", "llama")
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", pre_tokenizer.name)
        .texts("tokenizer.ggml.tokens", tokens)
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32, kinds)
        .texts("tokenizer.ggml.merges", merges)
        .number("tokenizer.ggml.bos_token_id", 0)
        .number("tokenizer.ggml.eos_token_id", 1);
    return writer;
}

std::string line_of(const std::vector<std::int32_t>& tokens) {
    std::string line;
    for (const std::int32_t token : tokens) line += fmt::format("{} ", token);
    return line;
}

/// Compares both encodings of each text, and prints the first differences.
void expect_equal(const std::string& libraries, const std::string& name, const GgufWriter& writer,
                  const Texts& texts) {
    const TemporaryFile stored(writer.bytes());
    const auto tokenizer = make_tokenizer(*GgufFile::open(stored.path()));
    std::string input;
    for (const std::string& text : texts) input += fmt::format("{}\n{}", text.size(), text);
    Start start;
    start.input = input;
    const Outcome outcome = run_program((fs::path(SPLITSCOPE_PROGRAMS) / "vocabulary_host").string(),
                                        {libraries, stored.path().string()}, start);
    ASSERT_EQ(outcome.exit_code, 0) << name << ": " << outcome.err;
    std::istringstream lines(outcome.out);
    std::size_t different = 0;
    for (const std::string& text : texts) {
        for (const bool special : {false, true}) {
            std::string theirs;
            ASSERT_TRUE(std::getline(lines, theirs)) << name;
            const std::string ours = line_of(tokenizer->encode(text, {special, special}));
            if (ours != theirs && ++different <= 3)
                ADD_FAILURE() << name << ": \"" << text << "\"\n ours   " << ours << "\n theirs " << theirs;
        }
    }
    EXPECT_EQ(different, 0U) << name;
}

class ReferenceVocabulary : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0)
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
    }
    void SetUp() override {
        const fs::path bins =
            fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64";
        if (!fs::exists(bins / "libggml-base.so"))
            GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
        libraries_ = bins.string();
    }
    std::string libraries_;
};

TEST_F(ReferenceVocabulary, EveryPreTokenizer) {
    const Texts texts = texts_to_cut();
    for (const PreTokenizer& pre_tokenizer : pre_tokenizers()) {
        expect_equal(libraries_, std::string(pre_tokenizer.name), vocabulary(pre_tokenizer, texts), texts);
    }
}

/// Tokens derived from the texts: characters and parts of them.
std::vector<std::string> parts_of(const Texts& texts) {
    std::vector<std::string> parts;
    std::set<std::string> known;
    std::mt19937 random(5);
    for (const std::string& text : texts) {
        const std::vector<unicode::Character> characters = unicode::characters_of(text);
        for (int i = 0; i < 4 && !characters.empty(); ++i) {
            const std::size_t first = random() % characters.size();
            const std::size_t end = std::min(characters.size(), first + 1 + random() % 4);
            std::string part;
            for (std::size_t c = first; c < end; ++c) {
                const char32_t value = characters[c].value;
                unicode::append_utf8(part, value == U' ' ? U'\u2581' : value);
            }
            if (known.insert(part).second) parts.push_back(part);
        }
    }
    return parts;
}

TEST_F(ReferenceVocabulary, LongestTokens) {
    const Texts texts = texts_to_cut();
    std::vector<std::string> tokens = {"<s>"};
    std::vector<std::int32_t> kinds = {3};
    for (unsigned byte = 0; byte < 256; ++byte) tokens.push_back(fmt::format("\\x{:02x}", byte));
    for (std::string part : parts_of(texts)) {
        std::string escaped;
        for (const char c : part) {
            if (c == '\\') escaped += '\\';
            escaped += c == '\n' ? std::string("\\n") : c == '\r' ? std::string("\\r") : std::string(1, c);
        }
        tokens.push_back(escaped);
    }
    kinds.resize(tokens.size(), 1);
    GgufWriter writer;
    writer.text("general.architecture", "rwkv7")
        .text("tokenizer.ggml.model", "rwkv")
        .texts("tokenizer.ggml.tokens", tokens)
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32, kinds);
    expect_equal(libraries_, "rwkv", writer, texts);
}

}  // namespace
}  // namespace splitscope::test
