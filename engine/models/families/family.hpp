// SPDX-License-Identifier: MIT
// What the rows of several families share: names of tensors and keys, as loader_rules.hpp lists them.
#pragma once

#include <array>
#include <string_view>

#include "engine/models/architectures.hpp"

namespace splitscope::families {

inline constexpr std::string_view kLayerEpsilon = "attention.layer_norm_epsilon";

/// The routing of experts, where all of it can be chosen.
inline constexpr std::string_view kRoutingKeys =
    "expert_gating_func expert_weights_norm expert_weights_scale";
/// Mamba 2; also of gated delta nets.
inline constexpr std::string_view kMamba2Keys =
    "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank";
/// The indexer of DeepSeek sparse attention.
inline constexpr std::string_view kIndexerKeys =
    "attention.indexer.head_count attention.indexer.key_length attention.indexer.top_k";
/// Multi-head latent attention (MLA).
inline constexpr std::string_view kMlaKeys =
    "attention.key_length_mla attention.kv_lora_rank attention.value_length_mla";
/// Kimi delta attention (KDA).
inline constexpr std::string_view kDeltaAttention =
    "blk.ssm_a blk.ssm_beta.weight blk.ssm_conv1d_k.weight blk.ssm_conv1d_q.weight blk.ssm_conv1d_v.weight "
    "blk.ssm_dt.bias blk.ssm_f_a.weight blk.ssm_norm.weight";
/// Mamba 2.
inline constexpr std::string_view kMamba2 =
    "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.bias blk.ssm_in.weight "
    "blk.ssm_out.weight";
/// The indexer of DeepSeek sparse attention.
inline constexpr std::string_view kIndexer =
    "blk.indexer.attn_k.weight blk.indexer.attn_q_b.weight blk.indexer.k_norm.weight blk.indexer.proj.weight";
/// Multi-head latent attention (MLA).
inline constexpr std::string_view kMla = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight";
/// The low-rank queries of latent attention, and its keys and values by head.
inline constexpr std::string_view kQueryRank =
    "blk.attn_q_a.weight blk.attn_q_a_norm.weight blk.attn_q_b.weight";
inline constexpr std::string_view kLatentHeads = "blk.attn_k_b.weight blk.attn_v_b.weight";
/// Experts chosen by a router, and those that all tokens pass.
inline constexpr std::string_view kExperts =
    "blk.ffn_down_exps.weight blk.ffn_gate_exps.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight";
inline constexpr std::string_view kSharedExperts =
    "blk.ffn_down_shexp.weight blk.ffn_gate_shexp.weight blk.ffn_up_shexp.weight";
/// Absent where queries, keys and values are only one weight, or where every block has experts.
inline constexpr std::string_view kSeparateQkv = "blk.attn_k.weight blk.attn_q.weight blk.attn_v.weight";
inline constexpr std::string_view kDenseFfn = "blk.ffn_down.weight blk.ffn_gate.weight blk.ffn_up.weight";
/// Factors of RoPE frequencies.
inline constexpr std::string_view kRopeFactors =
    "rope_factors_long.weight rope_factors_short.weight rope_freqs.weight";
/// Multi-token prediction (MTP).
inline constexpr std::string_view kPrediction =
    "blk.nextn.eh_proj.weight blk.nextn.embed_tokens.weight blk.nextn.enorm.weight blk.nextn.hnorm.weight "
    "blk.nextn.shared_head_head.weight blk.nextn.shared_head_norm.weight";
/// Of those, the ones that combine the embedding of a token with the result of the last block.
inline constexpr std::string_view kPredictionInputs =
    "blk.nextn.eh_proj.weight blk.nextn.enorm.weight blk.nextn.hnorm.weight";
/// A block's own token embeddings and output layer.
inline constexpr std::string_view kPredictionHeads =
    "blk.nextn.embed_tokens.weight blk.nextn.shared_head_head.weight blk.nextn.shared_head_norm.weight";
/// Norms and the output projection of most blocks.
inline constexpr std::string_view kBlockFrame =
    "blk.attn_norm.weight blk.attn_output.weight blk.ffn_norm.weight";
/// The same, where a norm follows attention instead of preceding the feed-forward.
inline constexpr std::string_view kPostNormFrame =
    "blk.attn_norm.weight blk.attn_output.weight blk.post_attention_norm.weight";
/// Separate queries, keys and values, with biases, of hybrid models.
inline constexpr std::string_view kSeparateQkvBiases = "blk.attn_k.bias blk.attn_q.bias blk.attn_v.bias";
/// Queries, keys and values as one product, and the output projection, of hybrid models.
inline constexpr std::string_view kFusedQkv =
    "blk.attn_output.bias blk.attn_output.weight blk.attn_qkv.bias blk.attn_qkv.weight";
/// Biases of the output projection of attention and of a gated feed-forward.
inline constexpr std::string_view kBiases =
    "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias";
/// As kBiases, for a feed-forward without a gate.
inline constexpr std::string_view kUngatedBiases = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_up.bias";
/// Biases of layer norms.
inline constexpr std::string_view kNormBiases = "blk.attn_norm.bias blk.ffn_norm.bias output_norm.bias";
/// Norms of queries and keys (QK norm).
inline constexpr std::string_view kQkNorms = "blk.attn_k_norm.weight blk.attn_q_norm.weight";
inline constexpr std::string_view kQkNormBiases = "blk.attn_k_norm.bias blk.attn_q_norm.bias";
/// Norms after attention and after the feed-forward.
inline constexpr std::string_view kPostNorms = "blk.post_attention_norm.weight blk.post_ffw_norm.weight";
/// The norm of the token embeddings.
inline constexpr std::string_view kTokenNorm = "token_embd_norm.bias token_embd_norm.weight";
// Scaled weights (Architecture::scaled).
inline constexpr std::string_view kAttentionScales = "attn_q attn_k attn_v attn_qkv attn_output";
inline constexpr std::string_view kFeedForwardScales = "ffn_up ffn_gate ffn_down";
inline constexpr std::string_view kExpertScales = "ffn_up_exps ffn_gate_exps ffn_down_exps";
inline constexpr std::string_view kSharedExpertScales = "ffn_up_shexp ffn_gate_shexp ffn_down_shexp";
inline constexpr std::string_view kMambaScales = "ssm_in ssm_out";
/// Widths of a dense feed-forward, for the blocks that may have experts instead.
inline constexpr auto kDenseRows = std::to_array<KeyedExtent>({
    {".ffn_gate.weight", 0, "embedding_length"},
    {".ffn_gate.weight", 1, "feed_forward_length"},
    {".ffn_up.weight", 0, "embedding_length"},
    {".ffn_up.weight", 1, "feed_forward_length"},
    {".ffn_down.weight", 1, "embedding_length"},
    {".ffn_gate_shexp.weight", 0, "embedding_length"},
    {".ffn_up_shexp.weight", 0, "embedding_length"},
    {".ffn_down_shexp.weight", 1, "embedding_length"},
    {".ffn_gate_inp.weight", 0, "embedding_length"},
    {".ffn_gate_exps.weight", 0, "embedding_length"},
    {".ffn_up_exps.weight", 0, "embedding_length"},
    {".ffn_down_exps.weight", 1, "embedding_length"},
});
/// The width of the embedding in the weights of experts.
inline constexpr auto kExpertRows = std::to_array<KeyedExtent>({
    {".ffn_gate_inp.weight", 0, "embedding_length"},
    {".ffn_gate_exps.weight", 0, "embedding_length"},
    {".ffn_up_exps.weight", 0, "embedding_length"},
    {".ffn_down_exps.weight", 1, "embedding_length"},
});

}  // namespace splitscope::families
