// SPDX-License-Identifier: MIT
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "engine/messages/messages.hpp"
#include "engine/messages/render.hpp"

namespace splitscope {
namespace {

constexpr Sentence<> kPlain{"test.plain", "nothing to add"};
constexpr Sentence<Name, Integer, Integer> kShape{"test.shape",
                                                  "'{tensor}' has {wanted} of {found}, not {wanted}"};
constexpr Sentence<Count, Name> kNodes{"test.nodes", "{count} node on {device}", "{count} nodes on {device}"};
constexpr Sentence<Bytes, Decimal, Figure> kFigures{"test.figures", "{bytes}, {share} %, {speed}"};
constexpr Sentence<Message> kBecause{"test.because", "refused: {reason}"};
constexpr Sentence<Name> kBraces{"test.braces", "{{{name}}}"};

TEST(MessageTest, ReplacesPlaceholders) {
    EXPECT_EQ(english(kPlain), "nothing to add");
    EXPECT_EQ(english(kShape("a", 3, -4)), "'a' has 3 of -4, not 3");
    EXPECT_EQ(english(kShape(std::filesystem::path("x/y"), std::numeric_limits<std::uint64_t>::max(), 0)),
              "'x/y' has 18446744073709551615 of 0, not 18446744073709551615");
    EXPECT_EQ(english(kFigures(std::uint64_t{3} << 20, {12.345, 1}, 30612.0)), "3.00 MiB, 12.3 %, 30,600");
    EXPECT_EQ(english(kBraces("x")), "{x}");
    EXPECT_EQ(english(Message()), "");
}

TEST(MessageTest, CountsSelectThePlural) {
    EXPECT_EQ(english(kNodes(1, "GPU0")), "1 node on GPU0");
    EXPECT_EQ(english(kNodes(0, "GPU0")), "0 nodes on GPU0");
    EXPECT_EQ(english(kNodes(2, "GPU0")), "2 nodes on GPU0");
}

TEST(MessageTest, MessagesCanBeNested) {
    EXPECT_EQ(english(kBecause(kNodes(1, "GPU0"))), "refused: 1 node on GPU0");
    EXPECT_EQ(english(kBecause(Message::list({kPlain, kNodes(2, "b")}, msg::kComma))),
              "refused: nothing to add, 2 nodes on b");
    EXPECT_EQ(english(Message::list({}, msg::kComma)), "");
}

TEST(MessageTest, ArgumentsAreNotPlaceholders) {
    EXPECT_EQ(english(kNodes(1, "{count} {{")), "1 node on {count} {{");
    EXPECT_EQ(english(kBecause(Message::verbatim("{reason} %1"))), "refused: {reason} %1");
}

TEST(MessageTest, TranslationsCanReorderPlaceholders) {
    const Wording other = [](const MessageText& row, std::optional<std::uint64_t> count) -> std::string {
        if (row.id == "test.nodes")
            return count == 1U ? "auf {device}: ein Knoten" : "auf {device}: {count} Knoten";
        if (row.id == "test.because") return "abgelehnt: {reason}";
        if (row.id == "list.comma") return "、";
        return std::string(row.text);
    };
    const Message all =
        kBecause(Message::list({kNodes(1, "A"), kNodes(3, "B"), Message::verbatim("C")}, msg::kComma));
    EXPECT_EQ(render(all, other), "abgelehnt: auf A: ein Knoten、auf B: 3 Knoten、C");
    // A placeholder that the original lacks expands to nothing in a translation.
    EXPECT_EQ(render(kPlain, [](const MessageText&, auto) { return std::string("a {nothing} } { b"); }),
              "a  } { b");
}

TEST(MessageTest, CompareByContent) {
    EXPECT_EQ(kShape("a", 1, 2), kShape(std::string("a"), 1, 2));
    EXPECT_NE(kShape("a", 1, 2), kShape("b", 1, 2));
    EXPECT_EQ(kBecause(kPlain), kBecause(kPlain));
    EXPECT_NE(kBecause(kPlain), kBecause(kNodes(1, "x")));
    EXPECT_NE(Message(kPlain), Message());
    EXPECT_NE(Message::verbatim("a"), Message::verbatim("b"));
    EXPECT_EQ(kPlain.id, "test.plain");
    EXPECT_TRUE(Message::verbatim("a").id().empty());
}

TEST(MessageTest, NamesCanBeReplaced) {
    const auto renamed = [](const std::string& name) { return name == "GPU0" ? std::string("RTX") : name; };
    const Message all =
        kBecause(Message::list({kNodes(2, "GPU0"), kNodes(1, "CPU"), kShape("GPU0", 1, 2)}, msg::kComma));
    EXPECT_EQ(english(with_names(all, renamed)),
              "refused: 2 nodes on RTX, 1 node on CPU, 'RTX' has 1 of 2, not 1");
    EXPECT_TRUE(with_names(Message(), renamed).empty());
}

}  // namespace
}  // namespace splitscope
