// SPDX-License-Identifier: MIT
#include "engine/importers/dot_graph.hpp"

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "engine/importers/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

const std::string kDump =
    "digraph G {\n"
    "  newrank = true;\n"
    "  rankdir = TB;\n"
    "  \"0x10\" [ style = filled; fillcolor = white; shape = record; label=\"up|1 [x (q4_0)|0 [64, 7] | "
    "<x>X*Y\"; ]\n"
    "  \"0x20\" [ style = filled; fillcolor = white; shape = record; label=\" (reshaped) (f32)|1 [32, 2, 7] "
    "| "
    "<x>reshape(x)\"; ]\n"
    "  \"0x30\" [ style = filled; fillcolor = white; shape = record; label=\"act (f32)|2 [32, 2, 7] | "
    "<x>unary(x)\"; ]\n"
    "  \"0x40\" [ style = filled; fillcolor = pink; shape = record; label=\"<x>w (q4_0)|CONST 0 [64, 64]\"; "
    "]\n"
    "  \"0x50\" [ style = filled; fillcolor = pink; shape = record; label=\"<x>x (f32)|CONST 1 [64, 7] | "
    "(#)\"; ]\n"
    "  \"0x40\":x -> \"0x10\":x [ arrowhead = vee; style = solid; label = \"src 0\"; ]\n"
    "  \"0x50\" -> \"0x10\" [ arrowhead = vee; style = solid; label = \"src 1\"; ]\n"
    "  \"0x10\" -> \"0x20\" [ arrowhead = vee; style = solid; label = \"src 0\"; ]\n"
    "  \"0x20\" -> \"0x30\" [ arrowhead = vee; style = solid; label = \"src 0\"; ]\n"
    "  \"0x60\" -> \"0x30\" [ arrowhead = vee; style = solid; label = \"src 1\"; ]\n"
    "}\n";

TEST(DotGraph, ReadsNodesLeafsSourcesAndShapes) {
    ASSERT_TRUE(is_dot_graph(kDump));
    const DotGraph dumped = parse_dot_graph(kDump);
    const Graph& graph = dumped.graph;
    ASSERT_EQ(graph.nodes.size(), 3U);
    ASSERT_EQ(graph.leafs.size(), 2U);
    const Tensor& product = graph[graph.nodes[0]];
    EXPECT_EQ(product.name, "up|1 [x");
    EXPECT_EQ(product.type, ElementType::q4_0);
    EXPECT_EQ(product.op, Op::mul_mat);
    EXPECT_EQ(product.ne, (Shape{64, 7, 1, 1}));
    EXPECT_EQ(product.src[0], graph.leafs[0]);
    EXPECT_EQ(product.src[1], graph.leafs[1]);
    EXPECT_EQ(graph[graph.leafs[0]].name, "w");
    EXPECT_EQ(graph[graph.nodes[1]].name, " (reshaped)");
    EXPECT_EQ(graph[graph.nodes[1]].op, Op::reshape);
    EXPECT_EQ(graph[graph.nodes[2]].op, Op::unary);
    // Named only by an edge.
    const TensorId nameless = graph[graph.nodes[2]].src[1];
    ASSERT_TRUE(nameless.valid());
    EXPECT_TRUE(graph[nameless].name.empty());
    EXPECT_FALSE(dumped.remarks.empty());
}

TEST(DotGraph, NotesUnknownLines) {
    std::string text = kDump;
    text.insert(text.find("  \"0x40\" ["), "  \"0x99\" [ style = filled; fillcolor = white; label=\"cut\n");
    const DotGraph dumped = parse_dot_graph(text);
    EXPECT_NE(std::ranges::find(dumped.remarks, msg::kLinesNotUnderstood(1, 7)), dumped.remarks.end());
}

TEST(DotGraph, RefusesInvalidExecutionOrders) {
    std::string text = kDump;
    text.insert(text.rfind('}'),
                "  \"0x30\" -> \"0x10\" [ arrowhead = vee; style = solid; label = \"src 2\"; ]\n");
    EXPECT_THROW(parse_dot_graph(text), Error);
    EXPECT_THROW(parse_dot_graph("digraph G {\n}\n"), Error);
}

TEST(DotGraph, AcceptsHugeNumbersAndAnyTruncation) {
    std::string text = kDump;
    text.replace(text.find("[64, 64]"), 8, "[9223372036854775807, 9223372036854775807]");
    EXPECT_NO_THROW(parse_dot_graph(text));
    for (std::size_t length = 12; length < kDump.size(); ++length) {
        try {
            parse_dot_graph(std::string_view(kDump).substr(0, length));
        } catch (const Error&) {
        }
    }
}

// An empty dimension does not compensate for two with an overflowing product.
TEST(DotGraph, RefusesShapesWhoseStridesOverflow) {
    for (const std::string_view shape :
         {"[1000000000000000, 1000000000000000, 0]", "[0, 1000000000000000, 1000000000000000]",
          "[4, 0, 9223372036854775807]"}) {
        std::string text = kDump;
        text.replace(text.find("[64, 64]"), 8, shape);
        const DotGraph dump = parse_dot_graph(text);
        EXPECT_TRUE(std::ranges::any_of(dump.remarks, [](const Message& remark) {
            return remark.id() == msg::kLinesNotUnderstood.id;
        })) << shape;
    }
    std::string text = kDump;
    text.replace(text.find("[64, 64]"), 8, "[64, 0]");
    const DotGraph dump = parse_dot_graph(text);
    EXPECT_TRUE(std::ranges::none_of(
        dump.remarks, [](const Message& remark) { return remark.id() == msg::kLinesNotUnderstood.id; }));
}

// A label is searched once, and a line that cannot be part of a dump not at all.
TEST(DotGraph, ReadsLabelsOfBracketsInLinearTime) {
    const auto line = [](std::string_view part, std::size_t bytes) {
        std::string text = "  \"0x1\" [ style = filled; fillcolor = white; label=\"x|";
        while (text.size() < bytes) text += part;
        return text + "\"; ]\n";
    };
    std::string text = kDump.substr(0, kDump.rfind('}'));
    constexpr int kLines = 200;
    for (int i = 0; i < kLines; ++i) text += line(i % 2 == 0 ? " [" : "|1 [", 60'000);
    text += line(" [", 8'000'000) + "}\n";
    const auto start = std::chrono::steady_clock::now();
    const DotGraph dump = parse_dot_graph(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_EQ(dump.graph.nodes.size(), parse_dot_graph(kDump).graph.nodes.size());
    EXPECT_TRUE(std::ranges::any_of(dump.remarks, [](const Message& remark) {
        return english(remark).starts_with(std::to_string(kLines + 1) + " lines were not understood");
    }));
}

TEST(DotGraph, StopsOnRequestWithinLongLines) {
    std::stop_source stop;
    const JobContext job(stop.get_token(), [&](double, const Message&) { stop.request_stop(); });
    EXPECT_THROW(parse_dot_graph("digraph G {\n  \"" + std::string(2 << 20, 'x') + "\n" + kDump, "dump", job),
                 Cancelled);
}

}  // namespace
}  // namespace splitscope
