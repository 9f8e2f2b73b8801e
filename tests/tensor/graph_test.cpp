// SPDX-License-Identifier: MIT
#include "engine/tensor/graph.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/tensor/graph_view.hpp"
#include "engine/tensor/op_set.hpp"
#include "engine/tensor/type_set.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using test::GraphBuilder;

std::string refused_at(const GraphBuilder& b) {
    try {
        validate(*b.finish());
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        return error.where();
    }
    return "";
}

TEST(ValidateGraph, AcceptsAnOrdinaryGraph) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    b.view("v", Op::reshape, b.node("y", Op::scale, {x}));
    EXPECT_EQ(refused_at(b), "");
}

TEST(ValidateGraph, RefusesNodesBeforeTheirSources) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId y = b.node("y", Op::scale, {x});
    const TensorId z = b.node("z", Op::scale, {y});
    std::swap(b.graph().nodes[0], b.graph().nodes[1]);
    EXPECT_EQ(refused_at(b), "/tensors/2/src/0");
    std::swap(b.graph().nodes[0], b.graph().nodes[1]);
    b[y].src[1] = z;
    EXPECT_NE(refused_at(b), "") << "a cycle";
}

TEST(ValidateGraph, RefusesCyclesOutsideTheLists) {
    GraphBuilder b;
    const TensorId x = b.tensor("x");
    const TensorId y = b.tensor("y");
    b[x].src[0] = y;
    b[y].src[0] = x;
    EXPECT_NE(refused_at(b), "");
}

TEST(ValidateGraph, AcceptsAnyDepth) {
    GraphBuilder b;
    TensorId last = b.input("x");
    for (int i = 0; i < 200'000; ++i) last = b.node("n", Op::scale, {last});
    EXPECT_EQ(refused_at(b), "");
}

TEST(ValidateGraph, RefusesBadViewsAndLayouts) {
    const auto with = [](auto&& change) {
        GraphBuilder b;
        const TensorId x = b.input("x");
        const TensorId y = b.node("y", Op::scale, {x});
        const TensorId v = b.view("v", Op::view, y, {16, 1, 1, 1});
        change(b, y, v);
        return refused_at(b);
    };
    EXPECT_EQ(with([](auto& b, TensorId, TensorId v) { b[v].view_offs = 200; }), "/tensors/2/view_offs");
    EXPECT_EQ(with([](auto& b, TensorId, TensorId v) { b[v].view_offs = -4; }), "/tensors/2/view_offs");
    EXPECT_EQ(with([](auto& b, TensorId, TensorId v) { b[v].view_src = v; }), "/tensors/2/view_src");
    EXPECT_EQ(with([](auto& b, TensorId y, TensorId) { b[y].ne[1] = -1; }), "/tensors/1/ne/1");
    EXPECT_EQ(with([](auto& b, TensorId y, TensorId) { b[y].nb[1] = -1; }), "/tensors/1/nb/1");
    EXPECT_EQ(with([](auto& b, TensorId y, TensorId) { b[y].type = ElementType::q4_K; }), "/tensors/1/ne/0");
    EXPECT_EQ(with([](auto& b, TensorId y, TensorId) { b[y].src[3] = TensorId(std::size_t{9}); }),
              "/tensors/1/src/3");
    EXPECT_EQ(with([](auto& b, TensorId y, TensorId) { b[y].buffer = BufferRef(std::size_t{0}); }),
              "/tensors/1/buffer");
}

TEST(GraphViewTest, ShowsAddedTensorsAndReplacedSources) {
    GraphBuilder b;
    const TensorId x = b.input("x");
    const TensorId y = b.node("y", Op::scale, {x});
    const auto graph = b.finish();
    std::vector<Tensor> added(1);
    added[0].name = "copy";
    Sources replaced = (*graph)[y].src;
    replaced[0] = TensorId(std::size_t{2});
    const std::vector<std::int32_t> rows = {-1, 0};
    const std::vector<Sources> rewired = {replaced};
    const GraphView view(*graph, added, rows, rewired, graph->nodes, graph->leafs);
    EXPECT_EQ(view.tensor_count(), 3u);
    EXPECT_EQ(view[view.sources(y)[0]].name, "copy");
    EXPECT_EQ(view.sources(x), (*graph)[x].src);
    EXPECT_EQ(view.memory_of(y), y);
}

TEST(GraphLookUp, FindsTensorsAndBuffersByName) {
    GraphBuilder b;
    b.stored("w", "weights");
    b.stored("u", "weights");
    const TensorId y = b.node("y", Op::scale, {});
    EXPECT_EQ(b.graph().buffers.size(), 1u);
    EXPECT_EQ(b.graph().find("y"), y);
    EXPECT_EQ(b.graph().find("z"), std::nullopt);
}

TEST(OpSetTest, HoldsOperations) {
    constexpr OpSet set = OpSet{Op::add, Op::flash_ff}.with({Op::rope}).without({Op::add});
    static_assert(set.contains(Op::rope) && set.contains(Op::flash_ff) && !set.contains(Op::add));
    static_assert(OpSet::all().contains(Op::none));
    constexpr TypeSet types = TypeSet{ElementType::f32}.with({ElementType::q2_0});
    static_assert(types.contains(ElementType::q2_0) && !types.contains(ElementType::f16) && !types.empty());
    EXPECT_EQ(OpSet{}, OpSet{Op::add}.without({Op::add}));
}

}  // namespace
}  // namespace splitscope
