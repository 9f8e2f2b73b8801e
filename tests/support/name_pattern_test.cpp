// SPDX-License-Identifier: MIT
#include "engine/support/name_pattern.hpp"

#include <array>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

TEST(NamePattern, GlobsMatchWholeNames) {
    EXPECT_TRUE(NamePattern::glob("ffn_*-?").matches("ffn_out-3"));
    EXPECT_FALSE(NamePattern::glob("ffn_*-?").matches("ffn_out-31"));
    EXPECT_TRUE(NamePattern::glob("l_out-[0-3]").matches("l_out-2"));
    EXPECT_FALSE(NamePattern::glob("l_out-[!0-3]").matches("l_out-2"));
    EXPECT_TRUE(NamePattern::glob("*").matches(""));
    EXPECT_TRUE(NamePattern::glob("a.b").matches("a.b"));
    EXPECT_FALSE(NamePattern::glob("a.b").matches("axb"));
}

TEST(NamePattern, RegularExpressionsMatchAnywhere) {
    EXPECT_TRUE(NamePattern::regex("(Q|K)cur-1\\d$").matches("Kcur-12"));
    EXPECT_FALSE(NamePattern::regex("(Q|K)cur-1\\d$").matches("Kcur-12 (view)"));
    EXPECT_TRUE(NamePattern::regex("out").matches("ffn_out-1"));
    EXPECT_FALSE(NamePattern::regex("^out").matches("ffn_out-1"));
    EXPECT_TRUE(NamePattern::regex("^(a|)b+$").matches("bbb"));
    EXPECT_TRUE(NamePattern::regex("^colou?r[^0-9]*$").matches("color-x"));
    EXPECT_TRUE(NamePattern::regex("").matches("anything"));
}

/// What is wrong with a regular expression, in words; empty where nothing is.
std::string mistake(const char* text) {
    try {
        NamePattern::regex(text);
        return {};
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
        return english(error.problem());
    }
}

TEST(NamePattern, NamesMistakes) {
    for (const char* wrong :
         {"(",          ")",   "a**)",   "[a",         "*",       "a\\",     "[z-a]",
          "a{",         "a{2", "a{3,2}", "{2}",        "a{,2}",   "a{9999}", "((a{99}){99}){99}",
          "a{1000}{2}", "^*",  "(|*)",   "[[:word:]]", "[[.a.]]", "[[=a=]]", "[a\\",
          "[a-\\d]"}) {
        EXPECT_NE(mistake(wrong), "") << wrong;
    }
    EXPECT_EQ(mistake("ab)"), "')' without '(' at character 3 of the pattern");
    EXPECT_THROW(NamePattern::glob("[a"), Error);
    EXPECT_THROW(NamePattern::glob(std::string(5000, 'a')), Error);
}

TEST(NamePattern, NamesFeaturesRe2Lacks) {
    EXPECT_EQ(mistake("blk\\.(?!1)"), "look-ahead is not supported at character 6 of the pattern");
    EXPECT_EQ(mistake("(?=a)"), "look-ahead is not supported at character 1 of the pattern");
    EXPECT_EQ(mistake("(a)\\1"), "back-references are not supported at character 4 of the pattern");
    EXPECT_EQ(mistake("(a)\\12"), "back-references are not supported at character 4 of the pattern");
    EXPECT_EQ(mistake("\\u0041"), "'\\u' is not supported at character 1 of the pattern");
}

TEST(NamePattern, RefusesRe2Extensions) {
    for (const char* text : {"(?i)a", "(?P<n>a)", "(?<n>a)", "\\Aa", "a\\z", "\\Qa", "\\pL", "\\C", "\\a",
                             "\\01", "\\x{41}", "[[:^alpha:]]", "[\\pL]"}) {
        EXPECT_NE(mistake(text), "") << text;
    }
}

const std::vector<std::string>& names() {
    static const std::vector<std::string> names{"",
                                                "a",
                                                "token_embd.weight",
                                                "output.weight",
                                                "output_norm.weight",
                                                "blk.0.attn_q.weight",
                                                "blk.1.attn_output.weight",
                                                "blk.7.ffn_up_exps.weight",
                                                "blk.12.ffn_gate_exps.weight",
                                                "blk.25.ffn_down_exps.weight",
                                                "blk.25.ffn_down_shexp.weight",
                                                "blk.36.ffn_up.weight",
                                                "blk.112.ffn_gate_inp.bias",
                                                "Kcur-12 (view)",
                                                "CPU#inp_embd#0",
                                                "a\nb",
                                                "a\rb\v",
                                                "\tx y",
                                                "größe",
                                                "caf\xe9",
                                                "aab]}-_",
                                                std::string("a\0b", 3)};
    return names;
}

void expect_same_as_std_regex(const std::string& text) {
    const std::regex expected(text);
    const NamePattern pattern = NamePattern::regex(text);
    for (const std::string& name : names())
        EXPECT_EQ(pattern.matches(name), std::regex_search(name, expected)) << text << " in " << name;
}

TEST(NamePattern, CommonOverridesMatchLikeLlamaCpp) {
    for (const char* text : {R"(\.ffn_(up|down|gate|gate_up)_(ch|)exps)",
                             R"(blk\.25\.ffn_(up|down|gate|gate_up)_(ch|)exps)",
                             "exps",
                             ".ffn_.*_exps.",
                             ".*exps.*",
                             "ffn_(gate|up|down)_exps.weight",
                             R"(blk\.([0-9]|1[0-9]|2[0-4])\.ffn_.*)",
                             R"(blk\.(?:[0-9]|1[0-5])\.ffn.*_exps)",
                             R"(^blk\.[0-9]+\.attn_(q|k|v|output)\.weight$)",
                             R"(blk\.(2[5-9]|3\d|[4-9]\d|\d{3})\.)",
                             "blk.(1|2|3|4|5|6|7).ffn",
                             R"(blk\.\d{1,2}\.ffn_up)",
                             R"((^output|token_embd)\.weight)",
                             R"([02468]\.ffn)",
                             "(shexp|exps)",
                             R"(\.(\d|1\d)\..*(up|gate))",
                             R"(ffn\_up)",
                             R"(ffn\-|ffn_d)",
                             "attn",
                             ""}) {
        expect_same_as_std_regex(text);
    }
}

TEST(NamePattern, SpecialCharactersMatchLikeStdRegex) {
    for (const char* text : {"a.b",
                             "^.$",
                             "\\s",
                             "\\S\\s",
                             "[\\s]y",
                             "[^\\s]y",
                             "[\\S]y",
                             "[^\\S]y",
                             "\\w+\\W",
                             "[\\w-]+$",
                             "\\bweight",
                             "\\Beight",
                             "eight\\b",
                             "[[:alpha:]]_",
                             "[[:space:][:digit:]]",
                             "[^[:print:]]",
                             "[]a]",
                             "[^]",
                             "[^]b",
                             "a]",
                             "}-",
                             "[a-]_",
                             "[-a]b",
                             "\\x61\\x0a",
                             "\\0",
                             "\\t",
                             "a\\v?",
                             "[\\b]",
                             "[.]b",
                             "[\\.]w",
                             "caf.$",
                             "r..e",
                             "[\\xe9]",
                             "[^a-z]e",
                             "(|x)b",
                             "()",
                             "a|",
                             "a+?b",
                             "(?:a|)*b",
                             "a{0}b",
                             "a{2}",
                             "a{2,}b",
                             "x{0,3}\\.",
                             "$",
                             "^",
                             "a$|^b"}) {
        expect_same_as_std_regex(text);
    }
}

TEST(NamePattern, GeneratedExpressionsMatchLikeStdRegex) {
    std::mt19937 random(24);
    const auto one_of = [&](const auto& list) { return std::string(list[random() % list.size()]); };
    const auto atoms = std::to_array<const char*>({"a", "b", "blk", "ffn", "_", "\\.", ".", "[a-f]", "[^0-9]",
                                                   "\\d", "\\w", "\\S", "-", "e", "[.#]", "\\W"});
    const auto signs = std::to_array<const char*>({"*", "+", "?", "{1,2}", "{2}", "*?"});
    const auto sequence = [&] {
        // std::regex tries all ways: few repetitions.
        std::string out = one_of(atoms);
        if (random() % 2 == 0) out += one_of(signs);
        for (std::size_t i = random() % 3; i > 0; --i) out += one_of(atoms);
        return out;
    };
    for (int i = 0; i < 500; ++i) {
        std::string text = sequence();
        if (random() % 3 == 0)
            text = "(" + text + "|" + sequence() + ")" + (i % 2 == 0 ? "?" : "") + sequence();
        if (random() % 4 == 0) text = "^" + text;
        if (random() % 4 == 0) text += "$";
        if (random() % 6 == 0) text += "|" + sequence();
        expect_same_as_std_regex(text);
    }
}

TEST(NamePattern, SupportsCountedRepetitions) {
    EXPECT_TRUE(NamePattern::regex("^blk\\.\\d{1,2}\\.ffn$").matches("blk.12.ffn"));
    EXPECT_FALSE(NamePattern::regex("^blk\\.\\d{1,2}\\.ffn$").matches("blk.123.ffn"));
    EXPECT_TRUE(NamePattern::regex("^(ab){2,}$").matches("ababab"));
    EXPECT_FALSE(NamePattern::regex("^(ab){2,}$").matches("ab"));
    EXPECT_TRUE(NamePattern::regex("^((a|b){2}c){2}$").matches("abcbac"));
    EXPECT_TRUE(NamePattern::regex("^xa{0}y$").matches("xy"));
    EXPECT_TRUE(NamePattern::regex("^[0-9]{2}[a-z]$").matches("12c"));
}

TEST(NamePattern, LazyAndNonCapturingGroupsMatchAlike) {
    EXPECT_TRUE(NamePattern::regex("^a+?b$").matches("aab"));
    EXPECT_FALSE(NamePattern::regex("^a+?b$").matches("b"));
    EXPECT_TRUE(NamePattern::regex("^(?:a|b)*?c$").matches("abac"));
    EXPECT_TRUE(NamePattern::regex("^\\D+\\S$").matches("ab"));
    EXPECT_FALSE(NamePattern::regex("^\\D+$").matches("a1"));
}

TEST(NamePattern, LimitsTheTotalOfMany) {
    PatternBudget budget;
    const NamePattern large = NamePattern::regex("(a{1000})(b{1000})(c{1000})(d{1000})");
    const NamePattern small = NamePattern::glob("blk.*.ffn_up");
    EXPECT_GT(large.size(), 4'000U);
    EXPECT_LT(small.size(), 30U);
    const auto fill = [&](const NamePattern& pattern, int times) {
        for (int i = 0; i < times; ++i) budget.add(pattern);
    };
    EXPECT_NO_THROW(fill(small, 4096));
    EXPECT_THROW(fill(large, 90), Error);
}

TEST(NamePattern, AlwaysMatchesQuickly) {
    // Backtracking would need 2^60 steps for each.
    const std::string name(63, 'a');
    EXPECT_FALSE(NamePattern::regex("^(a+)+b$").matches(name));
    EXPECT_FALSE(NamePattern::regex("^(a|a)*b$").matches(name));
    EXPECT_FALSE(NamePattern::glob("*a*a*a*a*a*a*a*a*a*a*b").matches(name));
    const NamePattern wide = NamePattern::regex("(.?){999}x");
    std::uint64_t steps = 0;
    EXPECT_FALSE(wide.matches(name, steps));
    EXPECT_GE(steps, wide.size() * name.size());
}

TEST(NamePattern, AcceptsOrRefusesDeepAndWideOnes) {
    const auto repeated = [](std::string_view text, std::size_t times) {
        std::string out;
        for (std::size_t i = 0; i < times; ++i) out += text;
        return out;
    };
    for (const std::string& text :
         {repeated("(", 2048) + repeated(")", 2048), repeated("(a", 1300) + repeated(")", 1300),
          repeated(".", 4096), repeated("[^a]?", 819), repeated("(a|", 1000) + repeated(")*", 500),
          "a{1000}" + repeated("[a-c]?[b-z]?", 340)}) {
        try {
            NamePattern::regex(text).matches(std::string(63, 'a'));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
        }
    }
}

}  // namespace
}  // namespace splitscope
