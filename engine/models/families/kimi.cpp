// SPDX-License-Identifier: MIT
// Kimi.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction kimi_k3, kimi_linear;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr auto kLatentExperts = std::to_array<KeyedExtent>({
    {".ffn_gate_exps.weight", 0, "expert_latent_length"},
});

/// Of delta attention, besides queries.
constexpr std::string_view kKeysAndValues =
    "blk.attn_k.weight blk.attn_qkv.bias blk.attn_qkv.weight blk.attn_v.weight";

constexpr std::array kKimiRows = {
    Architecture{
        .name = "kimi-k3",
        .graph = graphs::kimi_k3,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .scaled = {},
        .loader = {.keys = {"activation.situ_beta activation.situ_linear_beta", kMlaKeys,
                            "attn_res.block_size expert_feed_forward_length expert_gating_func "
                            "expert_shared_count kda.head_dim ssm.conv_kernel"},
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .required =
                       "blk.attn_res_score.weight blk.exp_probs_b.bias blk.ssm_f_b.weight output.weight",
                   .optional = {kDeltaAttention, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                "blk.attn_gate.weight blk.attn_kv_b.weight blk.ffn_res_score.weight "
                                "blk.ffn_routed_down.weight blk.ffn_routed_norm.weight "
                                "blk.ffn_routed_up.weight blk.ssm_g.weight output_res_score.weight"},
                   .recurrent_only = {kDeltaAttention, kSeparateQkvBiases, kKeysAndValues,
                                      "blk.ssm_f_b.weight blk.ssm_g.weight"},
                   .attention_only = {kMla, kQueryRank, kLatentHeads,
                                      "blk.attn_gate.weight blk.attn_kv_b.weight"},
                   .fused_qkv_bias = false,
                   .extents = kLatentExperts,
                   .requires_routing = true},
        .memory = {.scheme = CacheScheme::without_heads,
                   .state = StateKind::delta_attention,
                   .caches_mtp = true}},
    Architecture{
        .name = "kimi-linear",
        .graph = graphs::kimi_linear,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .scaled = "attn_output",
        .loader = {.keys = {kMlaKeys,
                            "expert_feed_forward_length expert_gating_func expert_shared_count kda.head_dim "
                            "ssm.conv_kernel"},
                   .optional_keys = "expert_weights_scale leading_dense_block_count",
                   .required = "blk.exp_probs_b.bias blk.ssm_f_b.weight blk.ssm_g_b.weight output.weight",
                   .optional = {kDeltaAttention, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                "blk.attn_kv_b.weight blk.ssm_g_a.weight"},
                   .recurrent_only = {kDeltaAttention, kSeparateQkvBiases, kKeysAndValues,
                                      "blk.ssm_f_b.weight blk.ssm_g_a.weight blk.ssm_g_b.weight"},
                   .attention_only = {kMla, kQueryRank, kLatentHeads, "blk.attn_kv_b.weight"},
                   .requires_routing = true},
        .memory = {.scheme = CacheScheme::without_heads,
                   .state = StateKind::delta_attention,
                   .caches_mtp = true}},
};

}  // namespace

std::span<const Architecture> kimi() {
    return kKimiRows;
}

}  // namespace splitscope::families
