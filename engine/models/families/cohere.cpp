// SPDX-License-Identifier: MIT
// Command R, Command A and Aya.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction cohere2, cohere2moe, command_r;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kCohereRows = {
    Architecture{.name = "cohere2",
                 .graph = graphs::cohere2,
                 .rope = RopeKind::pairs,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .kept_at_zero = true,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared},
                 .scaled = {kUsualScales, kFeedForwardScales},
                 .loader = {.keys = "attention.sliding_window logit_scale",
                            .epsilon_key = kLayerEpsilon,
                            .absent = "blk.ffn_norm.weight",
                            .square_attention = true},
                 .memory = {.output = OutputWeight::always_tied}},
    Architecture{
        .name = "cohere2moe",
        .graph = graphs::cohere2moe,
        .rope = RopeKind::pairs,
        .window = {.kind = WindowKind::standard,
                   .period = 4,
                   .full_first = true,
                   .kept_at_zero = true,
                   .base = WindowBase::shared,
                   .scaling = WindowScaling::shared},
        .scaled = {kAttentionScales, kFeedForwardScales, kExpertScales, kSharedExpertScales},
        .loader =
            {.keys =
                 "attention.sliding_window expert_feed_forward_length leading_dense_block_count logit_scale",
             .optional_keys = kRoutingKeys,
             .epsilon_key = "",
             .required = "blk.ffn_up_shexp.weight",
             .optional = {kSharedExperts, kExperts, "blk.ffn_gate_up_exps.weight"},
             .absent = "blk.ffn_norm.weight",
             .predicting = kPrediction,
             .required_predicting = {kPredictionInputs, kSharedExperts,
                                     "blk.attn_norm.weight blk.attn_output.weight "
                                     "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight"},
             .loaded_predicting = kPredictionHeads,
             .optional_mtp = true,
             .expert_width = ExpertWidth::undivided,
             .expert_blocks = ExpertBlocks::after_dense,
             .rotates_whole_heads = true,
             .counts_shared = true}},
    Architecture{
        .name = "command-r",
        .graph = graphs::command_r,
        .rope = RopeKind::pairs,
        .loader = {.epsilon_key = kLayerEpsilon, .absent = "blk.ffn_norm.weight", .square_attention = true},
        .memory = {.output = OutputWeight::always_tied}},
};

}  // namespace

std::span<const Architecture> cohere() {
    return kCohereRows;
}

}  // namespace splitscope::families
