// SPDX-License-Identifier: MIT
#include "engine/session/decision_evidence.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/random_model.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

class DecisionEvidenceTest : public ::testing::Test {
 protected:
    DecisionEvidenceTest() {
        RandomModelOptions options;
        options.layers = 4;
        options.experts = 4;
        options.experts_used = 2;
        options.header_only = true;
        write_random_model(place_.path(), options);
        session_ = default_session(open_file(place_.path()));
        session_.generation = Generation::g2026_08;
        session_.model_options.gpu_layers = 99;
    }

    /// Of the decision that places the weight.
    std::optional<WeightRule> rule_of(const std::string& weight) const {
        const auto analysis = analyse(session_);
        for (const Decision& decision : analysis->schedule->decisions) {
            if (decision.cause.kind != CauseKind::dst) continue;
            if (analysis->schedule->tensor(decision.tensor).name == weight)
                return rule_behind(*analysis, decision);
        }
        ADD_FAILURE() << weight << " has no decision";
        return std::nullopt;
    }
    void expect_rule(const std::string& weight, const std::string& cause, const std::string& remedy) const {
        SCOPED_TRACE(weight);
        const auto rule = rule_of(weight);
        ASSERT_TRUE(rule);
        EXPECT_EQ(english(rule->cause), cause);
        EXPECT_EQ(english(rule->remedy), remedy);
    }

    test::TemporaryFile place_{""};
    Session session_;
};

TEST_F(DecisionEvidenceTest, NamesTheSwitchThatKeepsExpertsOnTheCpu) {
    EXPECT_FALSE(rule_of("blk.1.ffn_gate_exps.weight"));
    session_.model_options.cpu_expert_blocks = 3;
    expect_rule("blk.1.ffn_gate_exps.weight", "--n-cpu-moe 3 keeps these experts on the CPU",
                "Lowering --n-cpu-moe to 1 or less.");
    EXPECT_FALSE(rule_of("blk.3.ffn_gate_exps.weight"));
    EXPECT_FALSE(rule_of("blk.1.attn_q.weight"));
    // A layer on the CPU has its experts there anyway.
    session_.model_options.gpu_layers = 1;
    expect_rule("blk.1.ffn_gate_exps.weight", "--n-cpu-moe 3 keeps these experts on the CPU",
                "Lowering --n-cpu-moe to 1 or less. Its layer must be on a device as well (--gpu-layers).");
    session_.model_options.gpu_layers = 99;
    session_.model_options.cpu_experts = true;
    expect_rule("blk.3.ffn_gate_exps.weight", "--cpu-moe keeps all experts on the CPU",
                "Replacing --cpu-moe by --n-cpu-moe 3 or less.");
}

TEST_F(DecisionEvidenceTest, NamesTheFirstOverrideThatMatches) {
    session_.model_options.cpu_expert_blocks = 4;
    session_.model_options.overrides = parse_overrides("ffn_up_exps=GPU0,attn_q=CPU,attn=CPU");
    expect_rule("blk.1.attn_q.weight", "the override rule 'attn_q=CPU' places this weight",
                "Removing the override rule 'attn_q=CPU'.");
    // It is where its layer is.
    expect_rule("blk.1.ffn_up_exps.weight", "the override rule 'ffn_up_exps=GPU0' places this weight", "");
}

TEST_F(DecisionEvidenceTest, IsPartOfTheEvidenceOfNodes) {
    session_.model_options.cpu_expert_blocks = 2;
    const auto analysis = analyse(session_);
    std::size_t named = 0;
    for (const Decision& decision : analysis->schedule->decisions) {
        const bool says =
            english(evidence_of(*analysis, decision)).find("--n-cpu-moe 2") != std::string::npos;
        if (decision.cause.kind == CauseKind::wgt) named += says ? 1 : 0;
    }
    EXPECT_EQ(named, 6U) << "gate, up and down of two blocks";
}

}  // namespace
}  // namespace splitscope
