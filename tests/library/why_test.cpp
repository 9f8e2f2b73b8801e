// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "splitscope/splitscope.hpp"

namespace splitscope {
namespace {

std::shared_ptr<const Analysis> sample() {
    Session session = open_with(sample_model_path());
    session.model_options.gpu_layers = 2;
    return analyse(session);
}

TEST(WhyTest, ListsEveryDecisionOfATensor) {
    const auto analysis = sample();
    const Schedule& schedule = *analysis->schedule;
    const TensorId node = schedule.graph->nodes.back();
    const Why answer = why(*analysis, node);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < schedule.decisions.size(); ++i)
        if (schedule.decisions[i].tensor == node) expected.push_back(i);
    ASSERT_EQ(answer.steps.size(), expected.size());
    ASSERT_FALSE(expected.empty());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(answer.steps[i].decision, expected[i]);
        EXPECT_EQ(answer.steps[i].cause, label_of(schedule.decisions[expected[i]].cause));
        EXPECT_FALSE(answer.steps[i].reason.empty());
    }
    EXPECT_EQ(answer.steps.back().to, answer.backend);
    EXPECT_NE(answer.text().find(answer.steps.back().evidence), std::string::npos);
}

TEST(WhyTest, AcceptsIdentities) {
    const auto analysis = sample();
    const Why rope = why(*analysis, "Qcur-0@ROPE");
    EXPECT_EQ(rope.identity, "Qcur-0@ROPE");
    EXPECT_EQ(analysis->graph->tensors[rope.tensor.index()].op, Op::rope);
}

TEST(WhyTest, NamesUnknownTensors) {
    try {
        why(*sample(), "nothing of this name");
        FAIL() << "it was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unknown);
        EXPECT_EQ(error.where(), "nothing of this name");
    }
}

}  // namespace
}  // namespace splitscope
