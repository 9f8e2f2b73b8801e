// SPDX-License-Identifier: MIT
#include "engine/formats/json_tree.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// The reported position of the error, and the problem.
std::string tree_refusal(const std::string& text) {
    try {
        JsonTree::parsed(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        return error.where() + ": " + english(error.problem());
    }
    return "accepted";
}

TEST(JsonTree, MatchesTheLibrary) {
    for (const char* text :
         {"null", "true", "-3", "18446744073709551615", "0.5", R"("a \u00e9 \n")", "[]", "{}",
          "[[],{},[1,[2,[3]]]]", R"({"a":{"b":[1,2,{"c":null}]},"d":"e","":false})", " [ 1 , 2 ] \n"}) {
        EXPECT_EQ(JsonTree::parsed(text).root(), nlohmann::json::parse(text)) << text;
    }
}

TEST(JsonTree, LastDuplicateMemberCounts) {
    const char* text = R"({"a":[1,[2]],"b":0,"a":{"c":3},"a":{"d":4}})";
    EXPECT_EQ(JsonTree::parsed(text).root().dump(), R"({"a":{"d":4},"b":0})");
}

TEST(JsonTree, ErrorsNameTheLineAndWhatWasExpected) {
    EXPECT_EQ(tree_refusal(""), "line 1, column 1: expected a value");
    EXPECT_EQ(tree_refusal("[1,\n  2,\n"), "line 3, column 1: expected a value");
    EXPECT_EQ(tree_refusal("[1 2]"), "line 1, column 4: expected ',' or ']'");
    EXPECT_EQ(tree_refusal("{\n \"a\" 1}"), "line 2, column 6: expected ':'");
    EXPECT_EQ(tree_refusal("{\n \"a\": 1 \"b\": 2}"), "line 2, column 11: expected ',' or '}'");
    EXPECT_EQ(tree_refusal("{a: 1}"), "line 1, column 2: expected a name in double quotes");
    EXPECT_EQ(tree_refusal("[1]x"), "line 1, column 4: expected the end of the document");
    EXPECT_EQ(tree_refusal("[\"é\", ]"), "line 1, column 7: expected a value") << "columns count characters";
    EXPECT_EQ(tree_refusal("[\"\xff\"]"), "line 1, column 3: not valid JSON");
    EXPECT_EQ(tree_refusal("[1e999]"), ": a number is out of range");
}

TEST(JsonTree, PartsAreCountedFromTheStartOfTheDocument) {
    const std::string document = "{\n\"list\": [1,\n 2 3]}";
    try {
        JsonTree::parsed("[2 3]", document, document.find(" 2"));
        ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.where(), "line 3, column 4");
    }
}

TEST(JsonTree, ReplacesAndAddsMembers) {
    JsonTree tree = JsonTree::parsed(R"({"a":[1,2]})");
    tree.put("b", JsonTree::parsed("[3]"));
    tree.put("a", JsonTree::parsed("4"));
    EXPECT_EQ(tree.root().dump(), R"({"a":4,"b":[3]})");
    JsonTree other;
    other = std::move(tree);
    EXPECT_EQ(other.root().size(), 2U);
    const JsonTree third(std::move(other));
    EXPECT_EQ(third.root().size(), 2U);
}

}  // namespace
}  // namespace splitscope
