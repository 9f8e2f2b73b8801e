// SPDX-License-Identifier: MIT
// Nemotron.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction nemotron, nemotron_h;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr LoaderRules kNemotronH = {
    .keys = kMamba2Keys,
    .optional_keys = "expert_weights_norm expert_weights_scale",
    .epsilon_key = kLayerEpsilon,
    .required = "blk.ssm_norm.weight",
    .optional = {kMamba2, kUngatedBiases,
                 "blk.exp_probs_b.bias blk.ffn_down_exps.weight blk.ffn_down_shexp.weight "
                 "blk.ffn_gate_inp.weight blk.ffn_latent_down.weight blk.ffn_latent_up.weight "
                 "blk.ffn_up_exps.weight blk.ffn_up_shexp.weight"},
    .absent = "blk.ffn_gate.weight blk.ffn_norm.weight",
    .recurrent_only = {kMamba2, "blk.ssm_norm.weight"},
    .attention_only = {kSeparateQkv, kSeparateQkvBiases,
                       "blk.attn_output.bias blk.attn_output.weight blk.attn_qkv.weight"},
    .predicting =
        "blk.nextn.eh_proj.weight blk.nextn.enorm.weight blk.nextn.hnorm.weight "
        "blk.nextn.shared_head_norm.weight blk.post_attention_norm.weight",
    .required_predicting = {kPredictionInputs, kPostNormFrame,
                            "blk.exp_probs_b.bias blk.ffn_down_exps.weight blk.ffn_down_shexp.weight "
                            "blk.ffn_gate_inp.weight blk.ffn_up_exps.weight blk.ffn_up_shexp.weight "
                            "blk.nextn.shared_head_norm.weight"}};

constexpr std::array kNemotronRows = {
    Architecture{.name = "nemotron",
                 .graph = graphs::nemotron,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kNormBiases, "output.weight"},
                            .optional = kUngatedBiases,
                            .absent = "blk.ffn_gate.weight",
                            .square_attention = true}},
    Architecture{
        .name = "nemotron_h",
        .graph = graphs::nemotron_h,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .chooses_experts_by_block = true,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales, kSharedExpertScales, kMambaScales},
        .loader = kNemotronH,
        .memory = {.caches_mtp = true, .feeds_alone = true, .scans_state = true}},
    Architecture{
        .name = "nemotron_h_moe",
        .graph = graphs::nemotron_h,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .chooses_experts_by_block = true,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales, kSharedExpertScales, kMambaScales},
        .loader = kNemotronH,
        .memory = {.caches_mtp = true, .feeds_alone = true, .scans_state = true}},
};

}  // namespace

std::span<const Architecture> nemotron() {
    return kNemotronRows;
}

}  // namespace splitscope::families
