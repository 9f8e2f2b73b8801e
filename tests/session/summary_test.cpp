// SPDX-License-Identifier: MIT
#include "engine/session/summary.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/tensor/graph_builder.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

TEST(Summary, CoversTheWholeGraph) {
    const auto analysis = analyse(testing::sample_session());
    const Summary summary = summarise(*analysis);
    std::size_t nodes = 0;
    double flops = 0;
    for (const auto& share : summary.backends) {
        nodes += share.nodes;
        flops += share.flops;
    }
    EXPECT_EQ(nodes, summary.nodes);
    EXPECT_DOUBLE_EQ(flops, summary.flops);
    EXPECT_EQ(summary.splits, 2U);
    EXPECT_GT(summary.copied_bytes, 0U);
    EXPECT_TRUE(summary.fallbacks.empty());
    EXPECT_NE(summary.line(*analysis->schedule).find("2 splits"), std::string::npos);
}

TEST(Summary, NamesOperationsOnTheCpu) {
    Session session = testing::sample_session();
    session.model_options.gpu_layers = 99;
    session.machine.backends[0].unsupported_ops = {"SOFT_MAX"};
    const auto analysis = analyse(session);
    const Summary summary = summarise(*analysis);
    ASSERT_FALSE(summary.fallbacks.empty());
    const auto found = std::ranges::find(summary.fallbacks, Op::soft_max, &Summary::Fallback::op);
    ASSERT_NE(found, summary.fallbacks.end());
    EXPECT_EQ(found->count, 4U);
    EXPECT_NE(english(found->reason(*analysis->schedule)).find("GPU0"), std::string::npos);
}

TEST(Summary, CountsTensorsInMachineBuffers) {
    test::GraphBuilder b;
    const TensorId w = b.stored("w", "weights-GPU0");
    const TensorId kv = b.stored("kv", "any-CPU", {32, 1, 1, 1});
    b.node("y", Op::add, {w, kv});
    auto opened = std::make_shared<OpenedFile>();
    opened->graph = b.finish();
    Session session = default_session(opened);
    session.machine = test::simple_machine();
    const Summary summary = summarise(*analyse(session));
    ASSERT_EQ(summary.backends.size(), 2U);
    EXPECT_EQ(summary.backends[0].weights_bytes, 64U * 4);
    EXPECT_EQ(summary.backends[0].cache_bytes, 0U);
    EXPECT_EQ(summary.backends[1].weights_bytes, 0U);
    EXPECT_EQ(summary.backends[1].cache_bytes, 32U * 4);
}

}  // namespace
}  // namespace splitscope
