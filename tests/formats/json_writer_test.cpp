// SPDX-License-Identifier: MIT
#include "engine/formats/json_writer.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace splitscope {
namespace {

std::string written(JsonWriter::Layout layout) {
    JsonWriter json(layout);
    json.object([&] {
        json.member("text", "a \"quoted\" \\ line\n");
        json.member("no UTF-8", std::string("\xff"));
        json.member("character", std::string_view("é"));
        json.member("yes", true);
        json.member("least", std::numeric_limits<std::int64_t>::min());
        json.member("most", std::numeric_limits<std::uint64_t>::max());
        json.member("number", 0.1);
        json.member("whole number", 5.0);
        json.member("no number", std::numeric_limits<double>::infinity());
        json.member("nothing", nullptr);
        json.member("none", std::optional<int>());
        json.member("some", std::optional(3));
        json.member("list", std::vector<std::string>{"a", "b"});
        json.member("empty list", std::vector<int>());
        json.object("empty", [] {});
        json.array("nested", [&] {
            json.array([] {});
            json.object([&] { json.member("a", 1); });
            json.value(2);
        });
    });
    return std::move(json).take();
}

TEST(JsonWriter, MatchesTheLibrary) {
    const std::string line = written(JsonWriter::Layout::one_line);
    const auto tree = nlohmann::ordered_json::parse(line);
    EXPECT_EQ(tree.dump() + "\n", line);
    EXPECT_EQ(tree.dump(2) + "\n", written(JsonWriter::Layout::indented));
    EXPECT_EQ(tree["text"], "a \"quoted\" \\ line\n");
    EXPECT_EQ(tree["no UTF-8"], "\xEF\xBF\xBD");
    EXPECT_EQ(tree["character"], "é");
    EXPECT_EQ(tree["least"], std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(tree["most"], std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(tree["number"], 0.1);
    EXPECT_TRUE(tree["whole number"].is_number_float());
    EXPECT_TRUE(tree["no number"].is_null());
    EXPECT_TRUE(tree["none"].is_null());
    EXPECT_EQ(tree["some"], 3);
    EXPECT_EQ(tree["list"].size(), 2U);
    EXPECT_EQ(tree["nested"].dump(), R"([[],{"a":1},2])");
}

TEST(JsonWriter, WritesFormatsAndListsOfObjects) {
    JsonWriter json;
    json.object([&] {
        json.format("some-format", 2);
        json.objects("sizes", std::vector{1, 2}, [&](int size) { json.member("size", size); });
        json.objects("none", std::vector<int>(), [&](int size) { json.member("size", size); });
    });
    EXPECT_EQ(std::move(json).take(),
              R"({"format":"some-format","version":2,"sizes":[{"size":1},{"size":2}],"none":[]})"
              "\n");
}

TEST(JsonWriter, WritesASingleValue) {
    JsonWriter json;
    json.value("x");
    EXPECT_EQ(std::move(json).take(), "\"x\"\n");
}

}  // namespace
}  // namespace splitscope
