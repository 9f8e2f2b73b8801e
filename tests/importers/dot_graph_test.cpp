// SPDX-License-Identifier: MIT
#include "engine/importers/dot_graph.hpp"

#include <algorithm>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

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

TEST(DotGraph, IsReadWithNodesLeafsSourcesAndShapes) {
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
    // Named by an edge alone.
    const TensorId nameless = graph[graph.nodes[2]].src[1];
    ASSERT_TRUE(nameless.valid());
    EXPECT_TRUE(graph[nameless].name.empty());
    EXPECT_FALSE(dumped.remarks.empty());
}

TEST(DotGraph, RemarksLinesThatItDoesNotUnderstand) {
    std::string text = kDump;
    text.insert(text.find("  \"0x40\" ["), "  \"0x99\" [ style = filled; fillcolor = white; label=\"cut\n");
    const DotGraph dumped = parse_dot_graph(text);
    bool told = false;
    for (const std::string& remark : dumped.remarks)
        told = told || remark.find("line 7") != std::string::npos;
    EXPECT_TRUE(told);
}

TEST(DotGraph, RefusesWhatIsNoOrderOfExecution) {
    std::string text = kDump;
    text.insert(text.rfind('}'),
                "  \"0x30\" -> \"0x10\" [ arrowhead = vee; style = solid; label = \"src 2\"; ]\n");
    EXPECT_THROW(parse_dot_graph(text), Error);
    EXPECT_THROW(parse_dot_graph("digraph G {\n}\n"), Error);
}

TEST(DotGraph, StandsHugeNumbersAndEveryCut) {
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

// A dimension without elements does not make up for two whose product no number holds.
TEST(DotGraph, RefusesShapesWhoseStridesOverflow) {
    for (const std::string_view shape :
         {"[1000000000000000, 1000000000000000, 0]", "[0, 1000000000000000, 1000000000000000]",
          "[4, 0, 9223372036854775807]"}) {
        std::string text = kDump;
        text.replace(text.find("[64, 64]"), 8, shape);
        const DotGraph dump = parse_dot_graph(text);
        EXPECT_TRUE(std::ranges::any_of(dump.remarks, [](const std::string& remark) {
            return remark.find("not understood") != std::string::npos;
        })) << shape;
    }
    std::string text = kDump;
    text.replace(text.find("[64, 64]"), 8, "[64, 0]");
    const DotGraph dump = parse_dot_graph(text);
    EXPECT_TRUE(std::ranges::none_of(dump.remarks, [](const std::string& remark) {
        return remark.find("not understood") != std::string::npos;
    }));
}

}  // namespace
}  // namespace splitscope
