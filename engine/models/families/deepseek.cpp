// SPDX-License-Identifier: MIT
// DeepSeek.
#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction deepseek, deepseek2, deepseek2_ocr, deepseek32;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kDeepseekRows = {
    Architecture{.name = "deepseek",
                 .graph = graphs::deepseek,
                 .rope = RopeKind::pairs,
                 .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .optional_keys = "expert_weights_scale leading_dense_block_count",
                            .required = "blk.ffn_gate_exps.weight",
                            .optional = {kSharedExperts, kExperts},
                            .square_attention = true,
                            .rotates_whole_heads = true,
                            .counts_shared = true}},
    Architecture{
        .name = "deepseek2",
        .graph = graphs::deepseek2,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::latent,
        .yarn = {.reads_betas = true, .multiplier_is_tenth = true, .scales_attention = true},
        .scaled = "attn_output",
        .loader = {.keys = "attention.kv_lora_rank expert_feed_forward_length expert_shared_count",
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .optional = {kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                "blk.attn_kv_b.weight blk.exp_probs_b.bias blk.ffn_gate_up_exps.weight"},
                   .absent = "blk.attn_k.weight blk.attn_qkv.weight blk.attn_v.weight",
                   .predicting = kPrediction,
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .counts_shared = true}},
    Architecture{
        .name = "deepseek2-ocr",
        .graph = graphs::deepseek2_ocr,
        .rope = RopeKind::pairs,
        .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
        .scaled = kAttentionScales,
        .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .optional = {kSharedExperts, kExperts, "blk.exp_probs_b.bias blk.ffn_gate_up_exps.weight"},
                   .square_attention = true,
                   .counts_shared = true}},
    Architecture{
        .name = "deepseek32",
        .graph = graphs::deepseek32,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::latent,
        .layer_norm_epsilon = 1e-6F,
        .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
        .scaled = {"attn_output", kFeedForwardScales, kExpertScales, kSharedExpertScales},
        .loader =
            {.keys =
                 {kIndexerKeys,
                  "attention.kv_lora_rank expert_feed_forward_length expert_gating_func expert_shared_count"},
             .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
             .required = "blk.indexer.k_norm.bias",
             .optional = {kIndexer, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                          "blk.exp_probs_b.bias"},
             .absent = {kSeparateQkv, "blk.attn_qkv.weight"},
             .predicting = kPrediction,
             .qkv_biases = false,
             .fused_qkv_bias = false,
             .requires_routing = true,
             .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::all, .caches_mtp = false}},
    Architecture{.name = "deepseek4", .memory = {.scheme = CacheScheme::compressed_keys}},
};

}  // namespace

std::span<const Architecture> deepseek() {
    return kDeepseekRows;
}

}  // namespace splitscope::families
