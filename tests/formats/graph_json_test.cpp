// SPDX-License-Identifier: MIT
#include "engine/formats/graph_json.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "engine/formats/machine_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

std::string document(const std::string& tensors, const std::string& nodes = "[]",
                     const std::string& leafs = "[]") {
    return R"({"format":"splitscope-graph","version":1,"name":"t","tensors":)" + tensors + R"(,"nodes":)" +
           nodes + R"(,"leafs":)" + leafs + "}\n";
}

std::string tensor(const std::string& name, const std::string& rest = R"("op":"NONE")") {
    return R"({"name":")" + name + R"(","type":"f32","ne":[64,1,1,1],"nb":[4,256,256,256],)" + rest + "}";
}

/// The error's place, or "" when the text was accepted.
std::string refused_at(const std::string& text) {
    try {
        parse_graph_json(text, "file");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_FALSE(error.problem().empty());
        return error.where();
    }
    return "";
}

TEST(GraphJson, RoundTripsEveryKey) {
    const std::string text = document(
        "[" + tensor("w", R"("op":"NONE","buffer":"weights-gpu","alloc_size":{"GPU0":512,"GPU1":1024})") +
            "," + tensor("x", R"("op":"NONE","flags":["input","output"])") + "," +
            tensor("y", R"("op":"MUL_MAT","op_params":[1,0,-3],"src":[0,null,1])") + "," +
            tensor("v", R"("op":"RESHAPE","src":[2],"view_src":2,"view_offs":0)") + "]",
        "[2,3]", "[0,1]");
    const Graph graph = parse_graph_json(text);
    EXPECT_EQ(graph.name, "t");
    ASSERT_EQ(graph.tensors.size(), 4u);
    EXPECT_EQ(graph.buffers, std::vector<std::string>{"weights-gpu"});
    EXPECT_EQ((graph.alloc_sizes.at({TensorId(std::size_t{0}), "GPU1"})), 1024u);
    EXPECT_TRUE(graph.tensors[1].is_input() && graph.tensors[1].is_output());
    EXPECT_EQ(graph.tensors[2].op_params[2], -3);
    EXPECT_FALSE(graph.tensors[2].src[1].valid()) << "a hole";
    EXPECT_EQ(graph.tensors[2].src[2], TensorId(std::size_t{1}));
    EXPECT_EQ(graph.tensors[3].view_src, TensorId(std::size_t{2}));
    EXPECT_EQ(write_graph_json(graph), text);
}

TEST(GraphJson, EscapesAndTruncatesNames) {
    Graph graph;
    graph.name = "quote \" backslash \\ line\n";
    EXPECT_EQ(parse_graph_json(write_graph_json(graph)).name, graph.name);
    const Graph cut = parse_graph_json(document("[" + tensor(std::string(100, 'n')) + "]"));
    EXPECT_EQ(cut.tensors[0].name.size(), kMaxNameBytes);
    graph.name = std::string(1023, 'n') + "é";
    EXPECT_EQ(parse_graph_json(write_graph_json(graph)).name, std::string(1023, 'n')) << "whole characters";
    graph.name = "cut UTF-8 \xc3";
    EXPECT_NO_THROW(parse_graph_json(write_graph_json(graph)));
}

TEST(GraphJson, AcceptsEveryBufferNameOfMachines) {
    const auto in_buffer = [](std::size_t bytes) {
        return document("[" + tensor("w", R"("op":"NONE","buffer":")" + std::string(bytes, 'b') + "\"") +
                        "]");
    };
    EXPECT_EQ(refused_at(in_buffer(kMaxMachineNameBytes)), "");
    EXPECT_EQ(refused_at(in_buffer(kMaxMachineNameBytes + 1)), "file: /tensors/0/buffer");
}

TEST(GraphJson, NestedViewsReferToTheBase) {
    const std::string view = R"("op":"VIEW","src":[0],"view_offs":64,"view_src":)";
    std::string small = tensor("inner", view + "0");
    std::string outer = tensor("outer", view + "1");
    const auto shrink = [](std::string& text) { text.replace(text.find("[64,1,1,1]"), 10, "[8,1,1,1]"); };
    shrink(small);
    shrink(outer);
    const Graph graph = parse_graph_json(document("[" + tensor("base") + "," + small + "," + outer + "]"));
    EXPECT_EQ(graph.tensors[2].view_src, TensorId(std::size_t{0}));
    EXPECT_EQ(graph.tensors[2].view_offs, 128);
    EXPECT_EQ(graph.tensors[1].view_offs, 64);
    EXPECT_EQ(refused_at(document("[" + tensor("a", view + "1") + "," + tensor("b", view + "0") + "]")),
              "file: /tensors/0/view_src")
        << "a circle of views";
}

TEST(GraphJson, ErrorsPointAtTheInvalidValue) {
    const auto one = [](const std::string& rest) { return document("[" + tensor("x", rest) + "]"); };
    EXPECT_EQ(refused_at("{"), "file: line 1, column 2");
    EXPECT_EQ(refused_at("[]"), "file: /");
    EXPECT_EQ(refused_at(R"({"format":"other","version":1})"), "file: /format");
    EXPECT_EQ(refused_at(R"({"format":"splitscope-graph","version":2})"), "file: /version");
    EXPECT_EQ(refused_at(one(R"("op":"NO_OP")")), "file: /tensors/0/op");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","flags":["wet"])")), "file: /tensors/0/flags/0");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","src":[7])")), "file: /tensors/0/src/0");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","src":[0,0,0,0,0,0,0,0,0,0,0])")), "file: /tensors/0/src");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","view_src":0)")), "file: /tensors/0/view_src");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","op_params":[4294967296])")), "file: /tensors/0/op_params/0");
    EXPECT_EQ(refused_at(one(R"("op":"NONE","alloc_size":{"a/b":-1})")), "file: /tensors/0/alloc_size/a~1b");
    EXPECT_EQ(refused_at(document("[{\"name\":\"x\",\"type\":\"f99\"}]")), "file: /tensors/0/type");
    EXPECT_EQ(refused_at(document("[" + tensor("x") + "]", "[1]")), "file: /nodes/0");
    EXPECT_EQ(refused_at(document("[" + tensor("x") + "]", "[0.5]")), "file: /nodes/0");
    EXPECT_EQ(refused_at(document("[]", "[0]")), "file: /nodes/0");
}

TEST(GraphJson, SyntaxErrorsNameTheLine) {
    EXPECT_EQ(refused_at("{\n \"format\": \"splitscope-graph\",\n \"version\" 1}"),
              "file: line 3, column 12");
    EXPECT_EQ(refused_at(document("[\n" + tensor("x") + ",\n {]")), "file: line 3, column 3");
    EXPECT_EQ(refused_at(document("[" + tensor("x") + "]", "[0,\n ,0]")), "file: line 2, column 2");
}

TEST(GraphJson, RefusesUnknownMembers) {
    const auto one = [](const std::string& rest) { return document("[" + tensor("x", rest) + "]"); };
    EXPECT_EQ(refused_at(one(R"("op":"NONE","view_scr":0)")), "file: /tensors/0/view_scr");
    EXPECT_EQ(refused_at(R"({"format":"splitscope-graph","version":1,"more":[1],"tensors":[]})"),
              "file: /more");
}

TEST(GraphJson, RefusesDocumentsThatWouldExhaustMemory) {
    EXPECT_EQ(refused_at(std::string(1'000'000, '[')), "file: line 1, column 33");
    EXPECT_NE(
        refused_at(document(R"([{"name":"x","type":"f32","ne":[9223372036854775807,9,1,1],"nb":[4,4,4,4],)"
                            R"("op":"NONE"}])")),
        "");
    EXPECT_NE(
        refused_at(document(R"([{"name":"x","type":"f32","ne":[1e400,1,1,1],"nb":[4,4,4,4],"op":"NONE"}])")),
        "");
}

TEST(GraphJson, RefusesListsThatShrinkWhileBeingRead) {
    std::string list = tensor("t");
    for (int i = 1; i < 600; ++i) list += "," + tensor("t");
    std::string text = document("[" + list + "]");
    // As if another program wrote to the mapped file: two tensors of the run become one.
    const std::size_t second = text.find(tensor("t")) + tensor("t").size();
    int reports = 0;
    const JobContext job({}, [&](double, const Message&) {
        if (++reports == 1)
            std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(second), tensor("t").size() + 1, ' ');
    });
    try {
        parse_graph_json(text, "file", job);
        ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_NE(english(error.problem()).find("changed while it was read"), std::string::npos)
            << english(error.problem());
    }
    EXPECT_EQ(reports, 1);
}

TEST(GraphJson, RefusesCycles) {
    const std::string a = tensor("a", R"("op":"ADD","src":[1])");
    const std::string b = tensor("b", R"("op":"ADD","src":[0])");
    EXPECT_NE(refused_at(document("[" + a + "," + b + "]", "[0,1]")), "");
    EXPECT_EQ(refused_at(document("[" + tensor("cast", R"("op":"CPY","src":[0,0])") + "]", "[0]")), "")
        << "a cast lists itself as source";
}

}  // namespace
}  // namespace splitscope
