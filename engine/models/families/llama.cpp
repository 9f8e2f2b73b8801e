// SPDX-License-Identifier: MIT
// Llama and Mistral.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction deci, llama, llama4, llama_embed, mistral3, mistral4;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kLlamaRows = {
    Architecture{.name = "deci",
                 .graph = graphs::deci,
                 .rope = RopeKind::pairs,
                 .skips_attention = true,
                 .loader = {.optional = {kBiases, kRopeFactors}, .rotates_whole_heads = true}},
    Architecture{.name = "llama",
                 .graph = graphs::llama,
                 .rope = RopeKind::pairs,
                 .older_forms = true,
                 .scaled = {kUsualScales, kFeedForwardScales, kExpertScales},
                 .loader = {.optional = {kBiases, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
    Architecture{.name = "llama-embed",
                 .graph = graphs::llama_embed,
                 .rope = RopeKind::pairs,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .scaled = {kUsualScales, kFeedForwardScales, kExpertScales},
                 .loader = {.optional = {kBiases, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
    Architecture{.name = "llama4",
                 .graph = graphs::llama4,
                 .rope = RopeKind::pairs,
                 .window = {.kind = WindowKind::chunked, .period = 4, .width = 8192, .forced_width = 8192},
                 .loader = {.keys = "expert_feed_forward_length interleave_moe_layer_step",
                            .optional = {kSharedExperts, kExperts, "rope_freqs.weight"},
                            .expert_blocks = ExpertBlocks::by_step,
                            .rotates_whole_heads = true}},
    Architecture{.name = "mistral3",
                 .graph = graphs::mistral3,
                 .rope = RopeKind::pairs,
                 .yarn = {.reads_betas = true},
                 .scaled = {kUsualScales, kFeedForwardScales, kExpertScales},
                 .loader = {.optional = {kBiases, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "mistral4",
        .graph = graphs::mistral4,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::latent,
        .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
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
};

}  // namespace

std::span<const Architecture> llama() {
    return kLlamaRows;
}

}  // namespace splitscope::families
