// SPDX-License-Identifier: MIT
#include "engine/session/compare_sessions.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::sample_session;

TEST(MatchTensors, AGraphMatchesItself) {
    const auto analysis = analyse(sample_session());
    const auto pairs = match_tensors(*analysis->graph, *analysis->graph);
    for (const TensorId node : analysis->graph->nodes) EXPECT_EQ(pairs[node.index()], node);
}

TEST(MatchTensors, RenamedNodesAreFoundByStructureAndEachOnce) {
    const auto analysis = analyse(sample_session());
    Graph renamed = *analysis->graph;
    for (const TensorId node : renamed.nodes) renamed[node].name = "other-" + renamed[node].name;
    auto pairs = match_tensors(*analysis->graph, renamed);
    for (const TensorId node : renamed.nodes) EXPECT_EQ(pairs[node.index()], node);
    std::ranges::sort(pairs);
    EXPECT_EQ(std::ranges::adjacent_find(pairs), pairs.end());
}

TEST(MatchTensors, ANodeThatIsListedTwiceIsFoundOnce) {
    Graph graph;
    graph.tensors.resize(3);
    for (const std::int32_t node : {1, 2}) {
        graph.tensors[static_cast<std::size_t>(node)].op = Op::sqr;
        graph.tensors[static_cast<std::size_t>(node)].src[0] = TensorId(std::size_t{0});
    }
    graph.tensors[0].name = "input";
    Graph twice = graph;
    graph.nodes = {TensorId(1), TensorId(2)};
    twice.nodes = {TensorId(1), TensorId(1)};
    EXPECT_EQ(match_tensors(graph, twice), (std::vector{TensorId(0), TensorId(1), TensorId()}));
    twice.nodes = {TensorId(2), TensorId(1), TensorId(2)};
    EXPECT_EQ(match_tensors(graph, twice), (std::vector{TensorId(0), TensorId(2), TensorId(1)}));
}

TEST(CompareSessions, SameSessionsAreTheSameAndMovedLayersAreNot) {
    Session session = sample_session();
    const auto a = analyse(session);
    EXPECT_TRUE(compare_sessions(*a, *a).same());
    session.model_options.gpu_layers = 0;
    const auto b = analyse(session);
    const SessionComparison moved = compare_sessions(*a, *b);
    EXPECT_EQ(moved.matched, a->graph->nodes.size());
    EXPECT_GT(moved.elsewhere, 0u);
    EXPECT_LE(moved.elsewhere, moved.pairs.size());
}

TEST(CompareSessions, ANodeOfOneSideOnlyIsListed) {
    Session session = sample_session();
    const auto a = analyse(session);
    session.model_options.flash_attention = !session.model_options.flash_attention;
    const auto b = analyse(session);
    const SessionComparison compared = compare_sessions(*a, *b);
    EXPECT_FALSE(compared.only_a.empty());
    EXPECT_FALSE(compared.only_b.empty());
    EXPECT_EQ(compared.matched + compared.only_a.size(), a->graph->nodes.size());
}

}  // namespace
}  // namespace splitscope
