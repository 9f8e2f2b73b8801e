// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/session/decision_evidence.hpp"
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
    for (const auto& [text, similar] : {std::pair{"Qcru-0", "Qcur-0?"}, {"Qcur-0@ROPEE", "Qcur-0@ROPE?"}}) {
        try {
            why(*sample(), text);
            FAIL() << "it was found";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(similar), std::string::npos) << error.what();
        }
    }
}

TEST(WhyTest, EvidenceNamesTensorsUnambiguously) {
    const auto analysis = sample();
    std::size_t alike = 0;
    for (const Decision& decision : analysis->schedule->decisions) {
        const TensorId via = decision.evidence.via;
        if (decision.cause.kind != CauseKind::sup || !via.valid()) continue;
        const std::string name = unambiguous_name(*analysis, via);
        alike += name.find('@') != std::string::npos ? 1 : 0;
        EXPECT_NE(english(evidence_of(*analysis, decision)).find(name), std::string::npos) << name;
        EXPECT_EQ(analysis->identities->all(name), std::vector<TensorId>{via}) << name;
    }
    EXPECT_GT(alike, 0U);
}

}  // namespace
}  // namespace splitscope
