// SPDX-License-Identifier: MIT
// EXAONE.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction exaone4, exaone_moe, plain_with_factors;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kExaoneRows = {
    Architecture{.name = "exaone",
                 .graph = graphs::plain_with_factors,
                 .loader = {.optional = "rope_freqs.weight", .rotates_whole_heads = true}},
    Architecture{.name = "exaone-moe",
                 .graph = graphs::exaone_moe,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .width = 128,
                            .kept_at_zero = true,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared},
                 .loader = {.keys = "attention.sliding_window expert_feed_forward_length expert_gating_func",
                            .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                            .required = {kQkNorms, "output.weight"},
                            .optional = {kSharedExperts, kExperts, "blk.exp_probs_b.bias rope_freqs.weight"},
                            .predicting = kPrediction,
                            .required_predicting = {kPredictionInputs, kBlockFrame, kQkNorms, kDenseFfn},
                            .dense_predicting = true,
                            .expert_blocks = ExpertBlocks::after_dense,
                            .rotates_whole_heads = true,
                            .requires_routing = true}},
    Architecture{.name = "exaone4",
                 .graph = graphs::exaone4,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .layers = 64,
                            .width = 4096,
                            .kept_at_zero = true,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared},
                 .loader = {.required = kQkNorms,
                            .optional = {kPostNorms, "rope_freqs.weight"},
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight",
                            .predicting = {kPredictionInputs, "blk.nextn.shared_head_norm.weight"},
                            .required_predicting = {kPredictionInputs, kQkNorms, kPostNorms, kDenseFfn,
                                                    "blk.attn_output.weight"},
                            .square_attention = true,
                            .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> exaone() {
    return kExaoneRows;
}

}  // namespace splitscope::families
