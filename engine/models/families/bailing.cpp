// SPDX-License-Identifier: MIT
// Ling and Ring.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction bailingmoe, bailingmoe2, bailingmoe3;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kBailingRows = {
    Architecture{
        .name = "bailingmoe",
        .graph = graphs::bailingmoe,
        .rope = RopeKind::pairs,
        .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                   .optional_keys = "expert_weights_norm expert_weights_scale leading_dense_block_count",
                   .required = "output.weight",
                   .optional = {kSharedExperts, kExperts},
                   .absent = kDenseFfn,
                   .rotates_whole_heads = true,
                   .counts_shared = true}},
    Architecture{
        .name = "bailingmoe2",
        .graph = graphs::bailingmoe2,
        .loader = {.keys = "expert_feed_forward_length expert_gating_func expert_shared_count",
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .required = {kQkNorms, "blk.attn_qkv.weight output.weight"},
                   .optional = {kSharedExperts, kExperts, "blk.exp_probs_b.bias"},
                   .absent = kSeparateQkv,
                   .predicting = {kPrediction, "blk.layer_output_norm.weight"},
                   .required_predicting = {kPredictionInputs, kBlockFrame, kQkNorms, kExperts, kSharedExperts,
                                           "blk.attn_qkv.weight blk.layer_output_norm.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .requires_routing = true,
                   .counts_shared = true,
                   .multiplies_shared = true}},
    Architecture{
        .name = "bailingmoe3",
        .graph = graphs::bailingmoe3,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::hybrid,
        .scaled = {},
        .loader = {.keys = {kMlaKeys,
                            "expert_feed_forward_length expert_gating_func expert_shared_count "
                            "kda.gate_lower_bound kda.head_dim leading_dense_block_count ssm.conv_kernel"},
                   .optional_keys = kRoutingKeys,
                   .required = "blk.exp_probs_b.bias",
                   .optional = {kDeltaAttention, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                "blk.attn_gate.weight blk.ssm_g_a.weight"},
                   .recurrent_only = {kDeltaAttention, kSeparateQkvBiases,
                                      "blk.attn_k.weight blk.attn_qkv.weight blk.attn_v.weight "
                                      "blk.ssm_g_a.weight"},
                   .attention_only = {kMla, kQueryRank, kLatentHeads, "blk.attn_gate.weight"},
                   .predicting = {kPredictionInputs, "blk.layer_output_norm.weight"},
                   .required_predicting = {kPredictionInputs, kBlockFrame, kQueryRank, kMla, kLatentHeads,
                                           kExperts, kSharedExperts,
                                           "blk.attn_gate.weight blk.exp_probs_b.bias "
                                           "blk.layer_output_norm.weight"},
                   .optional_mtp = true,
                   .fused_qkv_bias = false,
                   .requires_routing = true,
                   .true_key = "kda.safe_gate",
                   .negative_key = "kda.gate_lower_bound"},
        .memory = {.scheme = CacheScheme::without_heads,
                   .state = StateKind::delta_attention,
                   .caches_mtp = true}},
};

}  // namespace

std::span<const Architecture> bailing() {
    return kBailingRows;
}

}  // namespace splitscope::families
