// SPDX-License-Identifier: MIT
// Families of one architecture with experts.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction afmoe, arctic, dbrx, dots1, dots3note, grok, grovemoe, laguna, maple, mellum, mimo2,
    smallthinker, step35;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr auto kWholeGate = std::to_array<SharedExtent>({
    {"attn_gate.weight", 1, "attn_output.weight", 0},
});

constexpr std::array kOtherMoeRows = {
    Architecture{.name = "afmoe",
                 .graph = graphs::afmoe,
                 .window = {.kind = WindowKind::standard, .period = 4, .required = true},
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                            .required = {kQkNorms, "blk.exp_probs_b.bias"},
                            .optional = {kPostNorms, kSharedExperts, kExperts, "blk.attn_gate.weight"},
                            .shared_extents = kWholeGate,
                            .counts_shared = true}},
    Architecture{.name = "arctic",
                 .graph = graphs::arctic,
                 .rope = RopeKind::pairs,
                 .loader = {.required = "blk.ffn_gate_exps.weight",
                            .optional = {kExperts, "blk.ffn_norm_exps.weight"},
                            .any_dense_width = true,
                            .expert_width = ExpertWidth::dense,
                            .mixes_experts = true,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "dbrx",
                 .graph = graphs::dbrx,
                 .loader = {.keys = "attention.clamp_kqv",
                            .epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_qkv.weight blk.ffn_gate_exps.weight output.weight",
                            .optional = {kExperts, "blk.attn_output_norm.weight"},
                            .absent = {kSeparateQkv, kDenseFfn, "blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .expert_width = ExpertWidth::dense,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "dots1",
                 .graph = graphs::dots1,
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                            .required = {kQkNorms, "output.weight"},
                            .optional = {kSharedExperts, kExperts, "blk.exp_probs_b.bias"},
                            .rotates_whole_heads = true,
                            .requires_routing = true,
                            .counts_shared = true}},
    Architecture{
        .name = "dots3note",
        .graph = graphs::dots3note,
        .rope = RopeKind::pairs,
        .caches = CacheKinds::latent,
        .window = {.kind = WindowKind::standard,
                   .kept_at_zero = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::shared},
        .layer_norm_epsilon = 1e-6F,
        .scaled = {"attn_output", kFeedForwardScales, kExpertScales, kSharedExpertScales},
        .loader = {.keys = {kIndexerKeys,
                            "attention.indexer.types attention.key_length_mla attention.key_length_mla_swa "
                            "attention.kv_lora_rank attention.kv_lora_rank_swa attention.sliding_window "
                            "attention.sliding_window_pattern attention.value_length_mla "
                            "attention.value_length_mla_swa expert_feed_forward_length expert_gating_func "
                            "expert_shared_count leading_dense_block_count rope.freq_base_swa"},
                   .optional_keys = kRoutingKeys,
                   .required = "blk.attn_k_norm.weight blk.exp_probs_b.bias blk.indexer.k_norm.bias",
                   .optional = {kIndexer, kMla, kSharedExperts, kExperts, kQueryRank, kLatentHeads,
                                "blk.attn_gate.weight"},
                   .absent = {kSeparateQkv, "blk.attn_qkv.weight"},
                   .predicting = {kPredictionInputs,
                                  "blk.nextn.embed_tokens.weight blk.nextn.shared_head_norm.weight"},
                   .trunk_only = {kIndexer, "blk.indexer.k_norm.bias"},
                   .optional_mtp = true,
                   .dense_predicting = true,
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .requires_routing = true,
                   .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::by_types}},
    Architecture{
        .name = "grok",
        .graph = graphs::grok,
        .without_flash = true,
        .yarn = {.reads_betas = true, .beta_fast = 8.0F, .reads_factor = true},
        .loader = {.optional_keys = "attn_logit_softcapping final_logit_softcapping",
                   .optional =
                       {kExperts,
                        "blk.attn_output_norm.weight blk.layer_output_norm.weight blk.post_ffw_norm.weight"},
                   .expert_width = ExpertWidth::undivided,
                   .mixes_experts = true,
                   .square_attention = true,
                   .rotates_whole_heads = true}},
    Architecture{
        .name = "grovemoe",
        .graph = graphs::grovemoe,
        .loader = {.keys = "expert_feed_forward_length expert_group_scale experts_per_group",
                   .required = kQkNorms,
                   .optional =
                       {kExperts,
                        "blk.ffn_down_chexps.weight blk.ffn_gate_chexps.weight blk.ffn_up_chexps.weight"},
                   .absent = kDenseFfn,
                   .rotates_whole_heads = true}},
    Architecture{.name = "laguna",
                 .graph = graphs::laguna,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .full_first = true,
                            .scaling = WindowScaling::plain,
                            .own_dims = true},
                 .loader = {.keys = "expert_feed_forward_length leading_dense_block_count",
                            .optional_keys = kRoutingKeys,
                            .required = {kQkNorms, "blk.exp_probs_b.bias"},
                            .optional = {kSharedExperts, kExperts, "blk.attn_gate.weight"}}},
    Architecture{.name = "maple",
                 .graph = graphs::maple,
                 .window = {.kind = WindowKind::standard, .kept_at_zero = true, .own_dims = true},
                 .loader = {.keys = "attention.sliding_window attention.sliding_window_pattern "
                                    "expert_feed_forward_length swiglu_clamp_exp",
                            .required = {kQkNorms, "output.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn}},
    Architecture{.name = "mellum",
                 .graph = graphs::mellum,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::plain},
                 .scaled = {kUsualScales, kExpertScales},
                 .loader = {.keys = "expert_feed_forward_length",
                            .required = {kQkNorms, "blk.ffn_gate_exps.weight output.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "mimo2",
        .graph = graphs::mimo2,
        .window = {.kind = WindowKind::standard,
                   .kept_at_zero = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off},
        .scaled = "attn_output output",
        .loader = {.keys =
                       "attention.sliding_window attention.sliding_window_pattern expert_feed_forward_length",
                   .required = "output.weight",
                   .optional = {kExperts, "blk.attn_sinks.weight blk.exp_probs_b.bias"},
                   .predicting = {kPrediction, "blk.layer_output_norm.weight"},
                   .required_predicting = {kPredictionInputs, kBlockFrame},
                   .optional_mtp = true,
                   .extents = kDenseRows,
                   .mixes_experts = true}},
    Architecture{
        .name = "smallthinker",
        .graph = graphs::smallthinker,
        .window = {.kind = WindowKind::standard, .period = 4, .forced_width = 4096, .full_first = true},
        .loader = {.optional_keys = "expert_gating_func",
                   .optional = kExperts,
                   .absent = kDenseFfn,
                   .rotates_whole_heads = true,
                   .requires_routing = true}},
    Architecture{
        .name = "step35",
        .graph = graphs::step35,
        .window = {.kind = WindowKind::standard,
                   .kept_at_zero = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off,
                   .own_dims = true},
        .loader = {.keys =
                       "attention.sliding_window attention.sliding_window_pattern expert_feed_forward_length",
                   .optional_keys = kRoutingKeys,
                   .required = "output.weight",
                   .optional = {kQkNorms, kSharedExperts, kExperts, kRopeFactors,
                                "blk.attn_gate.weight blk.exp_probs_b.bias"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kBlockFrame},
                   .loaded_predicting = {kPredictionHeads, kQkNorms, kDenseFfn, kExperts, kSharedExperts,
                                         "blk.attn_gate.weight blk.exp_probs_b.bias"},
                   .optional_mtp = true,
                   .extents = kDenseRows,
                   .mixes_experts = true}},
};

}  // namespace

std::span<const Architecture> other_moe() {
    return kOtherMoeRows;
}

}  // namespace splitscope::families
