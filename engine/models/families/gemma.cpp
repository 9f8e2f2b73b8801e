// SPDX-License-Identifier: MIT
// Gemma.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction gemma, gemma2, gemma3, gemma3n, gemma4, gemma_embedding;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr auto kPerLayerExtents = std::to_array<KeyedExtent>({
    {".inp_gate.weight", 1, "embedding_length_per_layer_input"},
});

constexpr std::array kGemmaRows = {
    Architecture{.name = "gemma", .graph = graphs::gemma, .memory = {.output = OutputWeight::always_tied}},
    Architecture{.name = "gemma-embedding",
                 .graph = graphs::gemma_embedding,
                 .caches = CacheKinds::none,
                 .window = {.kind = WindowKind::symmetric,
                            .period = 6,
                            .kept_at_zero = true,
                            .base = WindowBase::own,
                            .scaling = WindowScaling::off},
                 .never_causal = true,
                 .gives_embeddings = true,
                 .loader = {.keys = "attention.sliding_window",
                            .required = kQkNorms,
                            .optional = {kPostNorms, "dense_2.weight dense_3.weight"}},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{
        .name = "gemma2",
        .graph = graphs::gemma2,
        .window = {.kind = WindowKind::standard, .period = 2, .width = 4096, .kept_at_zero = true},
        .attention_cap = 50.0F,
        .output_cap = 30.0F,
        .caps_output_at_zero = true,
        .older_forms = true,
        .loader = {.optional_keys = "attn_logit_softcapping final_logit_softcapping", .optional = kPostNorms},
        .memory = {.output = OutputWeight::always_tied}},
    Architecture{
        .name = "gemma3",
        .graph = graphs::gemma3,
        .window = {.kind = WindowKind::standard,
                   .period = 6,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off},
        .older_forms = true,
        .loader = {.optional_keys = "final_logit_softcapping", .required = kQkNorms, .optional = kPostNorms}},
    Architecture{
        .name = "gemma3n",
        .graph = graphs::gemma3n,
        .window = {.kind = WindowKind::standard,
                   .period = 5,
                   .kept_at_zero = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off},
        .output_cap = 30.0F,
        .loader =
            {.keys = "attention.sliding_window",
             .required = {kQkNorms, "blk.attn_k.weight blk.attn_v.weight"},
             .optional =
                 {kPostNorms,
                  "altup_proj.weight altup_unembd_proj.weight blk.altup_correct_coef.weight "
                  "blk.altup_correct_scale.weight blk.altup_predict_coef.weight blk.altup_router.weight "
                  "blk.altup_router_norm.weight blk.inp_gate.weight blk.laurel_l.weight "
                  "blk.laurel_post_norm.weight blk.laurel_r.weight blk.post_norm.weight blk.proj.weight "
                  "per_layer_model_proj.weight per_layer_proj_norm.weight per_layer_token_embd.weight"},
             .shares_key_shapes = true},
        .memory = {.cached_blocks = 20, .output = OutputWeight::duplicated}},
    Architecture{
        .name = "gemma4",
        .graph = graphs::gemma4,
        .window = {.kind = WindowKind::standard,
                   .kept_at_zero = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off,
                   .own_dims = true},
        .output_cap = 30.0F,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales},
        .loader = {.keys =
                       "attention.key_length_swa attention.sliding_window attention.sliding_window_pattern "
                       "attention.value_length_swa embedding_length_per_layer_input",
                   .optional_keys = "attention.shared_kv_layers final_logit_softcapping",
                   .required = {kQkNorms, "per_layer_token_embd.weight"},
                   .optional =
                       {kPostNorms, kExperts,
                        "blk.ffn_gate_inp.scale blk.ffn_gate_up_exps.weight blk.inp_gate.weight "
                        "blk.layer_output_scale.weight blk.post_ffw_norm_1.weight blk.post_ffw_norm_2.weight "
                        "blk.post_norm.weight blk.pre_ffw_norm_2.weight blk.proj.weight "
                        "per_layer_model_proj.weight per_layer_proj_norm.weight rope_freqs.weight"},
                   .sparse_only =
                       "blk.ffn_gate_inp.scale blk.ffn_gate_up_exps.weight blk.post_ffw_norm_1.weight "
                       "blk.post_ffw_norm_2.weight blk.pre_ffw_norm_2.weight",
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .extents = kPerLayerExtents,
                   .mixes_experts = true},
        .memory = {.shares_last = true, .output = OutputWeight::duplicated, .own_window_factors = true}},
};

}  // namespace

std::span<const Architecture> gemma() {
    return kGemmaRows;
}

}  // namespace splitscope::families
