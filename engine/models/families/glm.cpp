// SPDX-License-Identifier: MIT
// GLM.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction chatglm, glm4, glm4moe, glm_dsa;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kGlmRows = {
    Architecture{.name = "chatglm",
                 .graph = graphs::chatglm,
                 .rope = RopeKind::pairs,
                 .loader = {.absent = "blk.ffn_gate.weight", .square_attention = true}},
    Architecture{.name = "glm-dsa",
                 .graph = graphs::glm_dsa,
                 .rope = RopeKind::pairs,
                 .caches = CacheKinds::latent,
                 .layer_norm_epsilon = 1e-6F,
                 .scaled = {"attn_output", kFeedForwardScales, kExpertScales, kSharedExpertScales},
                 .loader = {.keys = {kIndexerKeys,
                                     "attention.kv_lora_rank expert_feed_forward_length expert_shared_count"},
                            .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                            .optional = {kIndexer, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                         "blk.exp_probs_b.bias blk.indexer.k_norm.bias"},
                            .absent = {kSeparateQkv, "blk.attn_qkv.weight"},
                            .predicting = kPrediction,
                            .required_predicting = {kPredictionInputs, kBlockFrame, kQueryRank, kMla,
                                                    kLatentHeads, kExperts, kSharedExperts},
                            .loaded_predicting = "blk.exp_probs_b.bias",
                            .optional_mtp = true,
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .counts_shared = true},
                 .memory = {.indexer = IndexerBlocks::by_types}},
    Architecture{.name = "glm4",
                 .graph = graphs::glm4,
                 .rope = RopeKind::pairs,
                 .may_have_sections = true,
                 .loader = {.optional = kPostNorms,
                            .absent = "blk.ffn_gate.weight",
                            .predicting = kPrediction,
                            .required_predicting = {kPredictionInputs, kBlockFrame, kPostNorms,
                                                    "blk.ffn_down.weight blk.ffn_up.weight"}}},
    Architecture{
        .name = "glm4moe",
        .graph = graphs::glm4moe,
        .may_have_sections = true,
        .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .required = "blk.exp_probs_b.bias",
                   .optional = {kQkNorms, kSharedExperts, kExperts, "blk.post_attention_norm.weight"},
                   .absent = "blk.ffn_norm.weight",
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kPostNormFrame, kExperts, kSharedExperts,
                                           "blk.exp_probs_b.bias"},
                   .optional_mtp = true,
                   .counts_shared = true}},
};

}  // namespace

std::span<const Architecture> glm() {
    return kGlmRows;
}

}  // namespace splitscope::families
