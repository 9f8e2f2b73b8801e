// SPDX-License-Identifier: MIT
// Hunyuan.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction hunyuan, hunyuan_moe, hy_v3, hy_v4;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kHunyuanRows = {
    Architecture{.name = "hunyuan-dense",
                 .graph = graphs::hunyuan,
                 .loader = {.required = kQkNorms, .rotates_whole_heads = true}},
    Architecture{.name = "hunyuan-moe",
                 .graph = graphs::hunyuan_moe,
                 .loader = {.keys = "expert_feed_forward_length",
                            .required = {kQkNorms, "blk.ffn_gate_exps.weight"},
                            .optional = {kSharedExperts, kExperts},
                            .absent = kDenseFfn,
                            .expert_width = ExpertWidth::dense,
                            .rotates_whole_heads = true}},
    Architecture{.name = "hunyuan_vl",
                 .graph = graphs::hunyuan,
                 .may_have_sections = true,
                 .loader = {.required = kQkNorms, .rotates_whole_heads = true}},
    Architecture{
        .name = "hy_v3",
        .graph = graphs::hy_v3,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales, kSharedExpertScales},
        .loader = {.keys = "expert_feed_forward_length",
                   .optional_keys = kRoutingKeys,
                   .required = kQkNorms,
                   .optional = {kSharedExperts, kExperts, "blk.exp_probs_b blk.ffn_gate_up_exps.weight"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kBlockFrame, kQkNorms},
                   .loaded_predicting = {kPredictionHeads, kDenseFfn, kExperts, kSharedExperts,
                                         "blk.exp_probs_b blk.ffn_gate_up_exps.weight"},
                   .optional_mtp = true,
                   .extents = kDenseRows,
                   .mixes_experts = true,
                   .rotates_whole_heads = true}},
    Architecture{
        .name = "hy_v4",
        .graph = graphs::hy_v4,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::latent,
        .layer_norm_epsilon = 1e-6F,
        .scaled = {},
        .loader =
            {.keys = {kMlaKeys,
                      "expert_feed_forward_length expert_shared_count hyper_connection.count "
                      "hyper_connection.epsilon hyper_connection.magnitude"},
             .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
             .required = "blk.attn_sinks.weight blk.indexer.k_norm.bias output.weight",
             .optional =
                 {kIndexer, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                  "blk.attn_gate.weight blk.exp_probs_b.bias blk.hc_attn_base.weight blk.hc_attn_fn.weight "
                  "blk.hc_attn_scale.weight blk.hc_ffn_base.weight blk.hc_ffn_fn.weight "
                  "blk.hc_ffn_scale.weight output_hc_base.weight output_hc_fn.weight output_hc_scale.weight"},
             .absent = {kSeparateQkv, "blk.attn_qkv.weight"},
             .qkv_biases = false,
             .fused_qkv_bias = false,
             .requires_routing = true,
             .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::by_types, .caches_mtp = true}},
};

}  // namespace

std::span<const Architecture> hunyuan() {
    return kHunyuanRows;
}

}  // namespace splitscope::families
