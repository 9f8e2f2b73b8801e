// SPDX-License-Identifier: MIT
#include "engine/support/name_pattern.hpp"

#include <gtest/gtest.h>

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

TEST(NamePattern, RegularExpressionsAreFoundAnywhere) {
    EXPECT_TRUE(NamePattern::regex("(Q|K)cur-1\\d$").matches("Kcur-12"));
    EXPECT_FALSE(NamePattern::regex("(Q|K)cur-1\\d$").matches("Kcur-12 (view)"));
    EXPECT_TRUE(NamePattern::regex("out").matches("ffn_out-1"));
    EXPECT_FALSE(NamePattern::regex("^out").matches("ffn_out-1"));
    EXPECT_TRUE(NamePattern::regex("^(a|)b+$").matches("bbb"));
    EXPECT_TRUE(NamePattern::regex("^colou?r[^0-9]*$").matches("color-x"));
    EXPECT_TRUE(NamePattern::regex("").matches("anything"));
}

TEST(NamePattern, MistakesAreNamed) {
    for (const char* wrong : {"(", ")", "a**)", "[a", "*", "a\\", "[z-a]", "a{", "a{2", "a{3,2}", "{2}",
                              "a{9999}", "((a{99}){99}){99}", "(?=a)", "\\1", "\\bx", "[[:alpha:]]"}) {
        EXPECT_THROW(NamePattern::regex(wrong), Error) << wrong;
    }
    EXPECT_THROW(NamePattern::glob("[a"), Error);
    EXPECT_THROW(NamePattern::glob(std::string(5000, 'a')), Error);
}

TEST(NamePattern, PiecesCanBeCounted) {
    EXPECT_TRUE(NamePattern::regex("^blk\\.\\d{1,2}\\.ffn$").matches("blk.12.ffn"));
    EXPECT_FALSE(NamePattern::regex("^blk\\.\\d{1,2}\\.ffn$").matches("blk.123.ffn"));
    EXPECT_TRUE(NamePattern::regex("^(ab){2,}$").matches("ababab"));
    EXPECT_FALSE(NamePattern::regex("^(ab){2,}$").matches("ab"));
    EXPECT_TRUE(NamePattern::regex("^((a|b){2}c){2}$").matches("abcbac"));
    EXPECT_TRUE(NamePattern::regex("^xa{0}y$").matches("xy"));
    EXPECT_TRUE(NamePattern::regex("^[0-9]{2}[a-z]$").matches("12c"));
}

TEST(NamePattern, LazyAndUncapturedPiecesMatchTheSame) {
    EXPECT_TRUE(NamePattern::regex("^a+?b$").matches("aab"));
    EXPECT_FALSE(NamePattern::regex("^a+?b$").matches("b"));
    EXPECT_TRUE(NamePattern::regex("^(?:a|b)*?c$").matches("abac"));
    EXPECT_TRUE(NamePattern::regex("^\\D+\\S$").matches("ab"));
    EXPECT_FALSE(NamePattern::regex("^\\D+$").matches("a1"));
}

TEST(NamePattern, ManyAreLimitedTogether) {
    PatternBudget budget;
    const NamePattern large = NamePattern::regex("(a{1000}){18}");
    const NamePattern small = NamePattern::glob("blk.*.ffn_up");
    EXPECT_GT(large.size(), 18'000U);
    EXPECT_LT(small.size(), 20U);
    const auto fill = [&](const NamePattern& pattern, int times) {
        for (int i = 0; i < times; ++i) budget.add(pattern);
    };
    EXPECT_NO_THROW(fill(small, 4096));
    EXPECT_THROW(fill(large, 22), Error);
}

TEST(NamePattern, NoPatternTakesLong) {
    // Backtracking would need 2^60 steps for each.
    const std::string name(63, 'a');
    EXPECT_FALSE(NamePattern::regex("^(a+)+b$").matches(name));
    EXPECT_FALSE(NamePattern::regex("^(a|a)*b$").matches(name));
    EXPECT_FALSE(NamePattern::glob("*a*a*a*a*a*a*a*a*a*a*b").matches(name));
}

}  // namespace
}  // namespace splitscope
