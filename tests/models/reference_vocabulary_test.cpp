// SPDX-License-Identifier: MIT
// Tokenizers against the reference engine's, on texts of random characters that the rules distinguish.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
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
GgufWriter vocabulary(const PreTokenizer& pre_tokenizer, const Texts& texts,
                      const std::string& model = "gpt2", const Texts& more = {}) {
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
        if (pre_tokenizer.raw)
            add(fmt::format("<0x{:02X}>", byte), 6);
        else
            add(written(static_cast<unsigned char>(byte)), 1);
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    std::set<std::string> paired;
    for (const std::string& text : texts) {
        std::vector<std::string> symbols;
        if (pre_tokenizer.raw) {
            for (const unicode::Character& c : unicode::characters_of(text)) {
                std::string symbol;
                const bool marked = pre_tokenizer.space_marks && c.value == U' ';
                unicode::append_utf8(symbol, marked ? U'\u2581' : c.value);
                symbols.push_back(symbol);
                if (c.value != U'\n') add(symbol, 1);
            }
        } else {
            for (const char byte : text) symbols.push_back(written(static_cast<unsigned char>(byte)));
        }
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            const auto separates = [](const std::string& symbol) { return symbol == "\n" || symbol == " "; };
            if (separates(symbols[i]) || separates(symbols[i + 1])) continue;
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
    for (const std::string& token : more) add(token, 1);
    GgufWriter writer;
    writer.text("general.architecture", "llama")
        .text("tokenizer.ggml.model", model)
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
        // The engine asserts that words have no spaces; WordsBetweenSpaces reads it as vocabularies do.
        if (pre_tokenizer.name == "whitespace") continue;
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

/// Vocabularies of other kinds over parts of the texts, with random scores.
GgufWriter scored_vocabulary(const std::string& model, const Texts& texts, bool with_bytes) {
    std::vector<std::string> tokens = {"<pad>", "</s>", "<unk>", "<s>"};
    std::vector<std::int32_t> kinds = {3, 3, 2, 3};
    if (with_bytes) {
        for (unsigned byte = 0; byte < 256; ++byte) tokens.push_back(fmt::format("<0x{:02X}>", byte));
        kinds.resize(tokens.size(), 6);
    }
    std::mt19937 random(3);
    for (std::string part : parts_of(texts)) {
        // Only texts of marked vocabularies have marks for spaces.
        if (with_bytes)
            for (std::size_t at = 0; (at = part.find("\u2581")) != std::string::npos;)
                part.replace(at, 3, " ");
        tokens.push_back(part);
        kinds.push_back(random() % 9 == 0 ? 5 : 1);
    }
    std::vector<float> scores;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        scores.push_back(-static_cast<float>(random() % 4000) / 250.0F - 0.5F);
    GgufWriter writer;
    writer.text("general.architecture", "llama")
        .text("tokenizer.ggml.model", model)
        .texts("tokenizer.ggml.tokens", tokens)
        .numbers<float>("tokenizer.ggml.scores", GgufType::f32, scores)
        .numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::i32, kinds);
    return writer;
}

/// A double array of replacements as SentencePiece stores it.
std::string character_map(const std::map<std::string, std::string>& replacements) {
    std::string texts;
    struct Node {
        std::map<unsigned char, std::size_t> children;
        std::optional<std::uint32_t> value;
    };
    std::vector<Node> nodes(1);
    for (const auto& [from, to] : replacements) {
        std::size_t node = 0;
        for (const char c : from) {
            const auto [child, is_new] =
                nodes[node].children.try_emplace(static_cast<unsigned char>(c), nodes.size());
            node = child->second;
            if (is_new) nodes.emplace_back();
        }
        nodes[node].value = static_cast<std::uint32_t>(texts.size());
        texts += to + '\0';
    }
    constexpr std::size_t kUnits = 8192;
    std::vector<std::uint32_t> units(kUnits);
    std::vector<bool> used(kUnits);
    used[0] = true;
    const std::function<void(std::size_t, std::size_t)> place = [&](std::size_t node, std::size_t at) {
        std::vector<unsigned> labels;
        if (nodes[node].value) labels.push_back(0);
        for (const auto& [label, child] : nodes[node].children) labels.push_back(label);
        std::size_t offset = 1;
        while (std::ranges::any_of(labels, [&](unsigned label) { return used.at(at ^ offset ^ label); }))
            ++offset;
        units[at] |= static_cast<std::uint32_t>(offset) << 10 | (nodes[node].value ? 1U << 8 : 0U);
        for (const unsigned label : labels) used[at ^ offset ^ label] = true;
        if (nodes[node].value) units[at ^ offset] = *nodes[node].value | 1U << 31;
        for (const auto& [label, child] : nodes[node].children) {
            units[at ^ offset ^ label] = label;
            place(child, at ^ offset ^ label);
        }
    };
    place(0, 0);
    const auto size = static_cast<std::uint32_t>(kUnits * sizeof(std::uint32_t));
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes.append(reinterpret_cast<const char*>(units.data()), size);
    return bytes + texts;
}

TEST_F(ReferenceVocabulary, MostProbableTokens) {
    Texts texts = texts_to_cut();
    texts.push_back("invalid \xff\xc3 bytes \xe4\xb8");
    for (const bool merges_spaces : {false, true}) {
        GgufWriter writer = scored_vocabulary("t5", texts, false);
        writer.truth("tokenizer.ggml.add_space_prefix", !merges_spaces)
            .truth("tokenizer.ggml.remove_extra_whitespaces", merges_spaces);
        expect_equal(libraries_, "t5", writer, texts);
        const std::string map = character_map({{"\t", " "},
                                               {"\u3000", " "},
                                               {"A", "a"},
                                               {"AB", "b"},
                                               {"\u00e9", "e\u0301"},
                                               {"\u00ad", ""},
                                               {"\uff21", "A"}});
        writer.numbers<std::uint8_t>("tokenizer.ggml.precompiled_charsmap", GgufType::u8,
                                     std::vector<std::uint8_t>(map.begin(), map.end()));
        expect_equal(libraries_, "t5 with a map", writer, texts);
    }
}

TEST_F(ReferenceVocabulary, BestScoredTokens) {
    Texts texts = texts_to_cut();
    texts.push_back("\ufeffbegins with a mark");
    expect_equal(libraries_, "plamo2", scored_vocabulary("plamo2", texts, true), texts);
}

TEST_F(ReferenceVocabulary, WhitespaceWords) {
    const Texts texts = texts_to_cut();
    for (const bool lower : {false, true}) {
        GgufWriter writer = vocabulary(*pre_tokenizer_named("whitespace"), texts, "whitespace");
        writer.truth("tokenizer.ggml.normalizer.lowercase", lower);
        expect_equal(libraries_, "whitespace", writer, texts);
    }
}

TEST_F(ReferenceVocabulary, Nucleotides) {
    Texts texts = texts_to_cut();
    texts.insert(texts.end(), {"a gene <dna>ACGTACGTAC</dna> and <dna>acgtacNNNN</dna>!", "<dna>ACG",
                               "</dna><dna></dna>", "<dna>AAAAAA\nCCCCCC"});
    GgufWriter writer =
        vocabulary(*pre_tokenizer_named("gpt-2"), texts, "hybriddna",
                   {"<dna>", "</dna>", "<oov>", "ACGTAC\ue000", "GTACAA\ue000", "AAAAAA\ue000"});
    expect_equal(libraries_, "hybriddna", writer, texts);
}

TEST_F(ReferenceVocabulary, WordPieces) {
    Texts texts = texts_to_cut();
    // Letters whose accents, case or decomposition differ.
    texts.push_back(
        utf8(U"\u00c9 \u01c5 \u0130 \u212b \u1ed0 \u1ec7 \u0419 \ufb01 \u1e9e \u30ac \u226e \u037e \u2260"
             U" E e A O i I \u0418 \u0438 \u30ab \u1100 < ; ="));
    std::vector<std::string> tokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]"};
    std::set<std::string> known(tokens.begin(), tokens.end());
    for (const std::string& text : texts) {
        for (const unicode::Character& c : unicode::characters_of(text)) {
            std::string letter;
            unicode::append_utf8(letter, c.value);
            for (const std::string& token : {letter, "\u2581" + letter})
                if (c.value != U' ' && known.insert(token).second) tokens.push_back(token);
        }
    }
    for (const auto& [lower, plain] : {std::pair(true, true), {true, false}, {false, true}, {false, false}}) {
        GgufWriter writer;
        writer.text("general.architecture", "bert")
            .text("tokenizer.ggml.model", "bert")
            .texts("tokenizer.ggml.tokens", tokens)
            .number("tokenizer.ggml.unknown_token_id", 1)
            .number("tokenizer.ggml.cls_token_id", 2)
            .number("tokenizer.ggml.bos_token_id", 2)
            .number("tokenizer.ggml.seperator_token_id", 3)
            .number("tokenizer.ggml.eos_token_id", 3)
            .truth("tokenizer.ggml.normalizer.lowercase", lower)
            .truth("tokenizer.ggml.normalizer.strip_accents", plain);
        expect_equal(libraries_, "bert", writer, texts);
    }
}

}  // namespace
}  // namespace splitscope::test
