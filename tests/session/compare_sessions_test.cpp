// SPDX-License-Identifier: MIT
#include "engine/session/compare_sessions.hpp"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::sample_session;

TensorIdentities of(const Graph& graph) {
    return TensorIdentities(std::make_shared<const Graph>(graph));
}

TEST(MatchTensors, GraphMatchesItself) {
    const auto analysis = analyse(sample_session());
    const auto pairs = match_tensors(*analysis->identities, *analysis->identities);
    for (const TensorId node : analysis->graph->nodes) EXPECT_EQ(pairs[node.index()], node);
}

TEST(MatchTensors, RenamedNodesMatchByStructureOnce) {
    const auto analysis = analyse(sample_session());
    Graph renamed = *analysis->graph;
    for (const TensorId node : renamed.nodes) renamed[node].name = "other-" + renamed[node].name;
    auto pairs = match_tensors(*analysis->identities, of(renamed));
    for (const TensorId node : renamed.nodes) EXPECT_EQ(pairs[node.index()], node);
    std::ranges::sort(pairs);
    EXPECT_EQ(std::ranges::adjacent_find(pairs), pairs.end());
}

TEST(MatchTensors, NodeListedTwiceMatchesOnce) {
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
    EXPECT_EQ(match_tensors(of(graph), of(twice)), (std::vector{TensorId(0), TensorId(1), TensorId()}));
    twice.nodes = {TensorId(2), TensorId(1), TensorId(2)};
    EXPECT_EQ(match_tensors(of(graph), of(twice)), (std::vector{TensorId(0), TensorId(2), TensorId(1)}));
}

/// Tensors of a name and an operation with these numbers of elements.
Graph named_alike(std::initializer_list<std::int64_t> elements) {
    Graph graph;
    for (const std::int64_t count : elements) {
        Tensor& t = graph.tensors.emplace_back();
        t.name = "norm-3";
        t.op = Op::rms_norm;
        t.ne[0] = count;
        graph.nodes.emplace_back(graph.tensors.size() - 1);
    }
    return graph;
}

TEST(MatchTensors, EqualNamesMatchInOrderWhateverTheirShapes) {
    // The last layer of a prompt continues with one token: its second tensor has the shape of both in a
    // decode.
    const Graph decode = named_alike({1, 1});
    const Graph prompt = named_alike({9, 1});
    EXPECT_EQ(match_tensors(of(decode), of(prompt)), (std::vector{TensorId(0), TensorId(1)}));
    EXPECT_EQ(match_tensors(of(prompt), of(decode)), (std::vector{TensorId(0), TensorId(1)}));
}

TEST(MatchTensors, ShapesDecideWhenCountsOfANameDiffer) {
    EXPECT_EQ(match_tensors(of(named_alike({1})), of(named_alike({9, 1}))), (std::vector{TensorId(1)}));
    EXPECT_EQ(match_tensors(of(named_alike({9, 4, 1})), of(named_alike({1, 7}))),
              (std::vector{TensorId(1), TensorId(), TensorId(0)}));
}

TEST(MatchTensors, EveryDecodeNodeMatchesOneOfThePrompt) {
    Session session = sample_session();
    const auto decode = analyse(session);
    session.model_options.kind = GraphKind::prefill;
    const auto prompt = analyse(session);
    const auto pairs = match_tensors(*decode->identities, *prompt->identities);
    for (const TensorId node : decode->graph->nodes) {
        ASSERT_TRUE(pairs[node.index()].valid());
        EXPECT_EQ(prompt->identities->of(pairs[node.index()]), decode->identities->of(node));
    }
}

TEST(MatchTensors, OtherPartsOfACacheDoNotMatch) {
    Session session = sample_session();
    const auto newer = analyse(session);
    session.generation = Generation::g2024_10;
    const auto older = analyse(session);
    const auto pairs = match_tensors(*older->identities, *newer->identities);
    const TensorId written = older->identities->find("k_cache_view-0@VIEW");
    ASSERT_TRUE(written.valid());
    EXPECT_EQ(pairs[written.index()], TensorId());
    const TensorId reshaped = older->identities->find("Qcur-0 (reshaped)");
    EXPECT_EQ(pairs[reshaped.index()], newer->identities->find("Qcur-0@RESHAPE"));
}

TEST(CompareSessions, FindsMovedLayersOnly) {
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

TEST(CompareSessions, ListsNodesOfOneSideOnly) {
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
