// SPDX-License-Identifier: MIT
#include "engine/formats/json_tree.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// The reported position of the error.
std::string tree_refused_at(const std::string& text, std::size_t at = 0) {
    try {
        JsonTree::parsed(text, at);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        return std::string(error.where());
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

TEST(JsonTree, ErrorsNameTheByte) {
    for (const char* text : {"", "[1,", "[1 2]", "{\"a\" 1}", "[1]x", "nul", "\"a", "[\"\xff\"]"}) {
        std::size_t byte = 0;
        try {
            const auto taken = nlohmann::json::parse(text);
            ADD_FAILURE() << "the library takes it: " << taken;
        } catch (const nlohmann::json::parse_error& error) {
            byte = error.byte;
        }
        EXPECT_EQ(tree_refused_at(text), "byte " + std::to_string(byte)) << text;
        EXPECT_EQ(tree_refused_at(text, 100), "byte " + std::to_string(100 + byte)) << text;
    }
    EXPECT_EQ(tree_refused_at("[1e999]"), "");
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
