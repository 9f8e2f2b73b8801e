// SPDX-License-Identifier: MIT
// DeepSeek.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction deepseek, deepseek2, deepseek2_ocr, deepseek32, deepseek4;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

/// In the order in which llama.cpp asks for them.
constexpr std::array kStreamOps = {Op::dsv4_hc_pre, Op::dsv4_hc_comb, Op::dsv4_hc_post};

constexpr std::string_view kStreamKeys =
    "hyper_connection.count hyper_connection.epsilon hyper_connection.sinkhorn_iterations";
/// Residuals of several streams.
constexpr std::string_view kStreams =
    "blk.hc_attn_base.weight blk.hc_attn_fn.weight blk.hc_attn_scale.weight blk.hc_ffn_base.weight "
    "blk.hc_ffn_fn.weight blk.hc_ffn_scale.weight output_hc_base.weight output_hc_fn.weight "
    "output_hc_scale.weight";
constexpr std::string_view kBiasedIndexer =
    "blk.indexer.attn_k.weight blk.indexer.attn_q_b.weight blk.indexer.k_norm.bias "
    "blk.indexer.k_norm.weight blk.indexer.proj.weight";
/// Attention to compressed keys.
constexpr std::string_view kCompressed =
    "blk.attn_compressor_ape.weight blk.attn_compressor_gate.weight blk.attn_compressor_kv.weight "
    "blk.attn_compressor_norm.weight blk.attn_kv.weight blk.attn_kv_a_norm.weight blk.attn_output_a.weight "
    "blk.attn_output_b.weight blk.attn_sinks.weight blk.indexer.attn_q_b.weight blk.indexer.proj.weight "
    "blk.indexer_compressor_ape.weight blk.indexer_compressor_gate.weight blk.indexer_compressor_kv.weight "
    "blk.indexer_compressor_norm.weight";

/// Of those, the tensors of every block.
constexpr std::string_view kStreamBlock =
    "blk.hc_attn_base.weight blk.hc_attn_fn.weight blk.hc_attn_scale.weight blk.hc_ffn_base.weight "
    "blk.hc_ffn_fn.weight blk.hc_ffn_scale.weight";
constexpr std::string_view kCompressedBlock =
    "blk.attn_kv.weight blk.attn_kv_a_norm.weight blk.attn_output_a.weight blk.attn_output_b.weight "
    "blk.attn_sinks.weight";

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
                   .required_predicting = {kPredictionInputs, kBlockFrame, kQueryRank, kMla, kLatentHeads,
                                           kSharedExperts,
                                           "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight"},
                   .optional_mtp = true,
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .counts_shared = true,
                   .rank_by_size = true}},
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
             .required_predicting = {kPredictionInputs, kBlockFrame, kQueryRank, kMla, kLatentHeads,
                                     kBiasedIndexer, kExperts, kSharedExperts},
             .loaded_predicting = "blk.exp_probs_b.bias",
             .optional_mtp = true,
             .qkv_biases = false,
             .fused_qkv_bias = false,
             .requires_routing = true,
             .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::all}},
    Architecture{
        .name = "deepseek4",
        .graph = graphs::deepseek4,
        .rope = RopeKind::pairs,
        .window = {.kind = WindowKind::standard, .all = true},
        .scaled = {},
        .fused = kStreamOps,
        .loader = {.keys = {kIndexerKeys, kStreamKeys,
                            "attention.compress_ratios attention.compress_rope_freq_base "
                            "attention.output_group_count attention.output_lora_rank "
                            "attention.q_lora_rank attention.sliding_window "
                            "expert_feed_forward_length expert_gating_func expert_shared_count "
                            "expert_weights_norm expert_weights_scale hash_layer_count "
                            "swiglu_clamp_exp"},
                   .fixed_key = {"hyper_connection.count", 4},
                   .required = "output.weight",
                   .optional = {kCompressed, kStreams, kSharedExperts, kExperts, kQueryRank,
                                "blk.exp_probs_b.bias blk.exp_probs_b_vl.bias blk.ffn_gate_tid2eid.weight"},
                   .absent = {kSeparateQkv, kDenseFfn, "blk.attn_output.weight blk.attn_qkv.weight"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kStreamBlock, kCompressedBlock, kQueryRank,
                                           kExperts, kSharedExperts,
                                           "blk.attn_norm.weight blk.exp_probs_b.bias blk.ffn_norm.weight"},
                   .ordinary_mtp = true,
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .extents = kExpertRows,
                   .requires_routing = true,
                   .counts_shared = true},
        .memory = {.scheme = CacheScheme::compressed_keys, .caches_mtp = true}},
};

}  // namespace

std::span<const Architecture> deepseek() {
    return kDeepseekRows;
}

}  // namespace splitscope::families
