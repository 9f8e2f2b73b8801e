// SPDX-License-Identifier: MIT
// BERT and related encoders, which give embeddings.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction bert, eurobert, jina_bert_v2, jina_bert_v3, modern_bert, neo_bert, nomic_bert, nomic_bert_moe;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

/// Of most encoders here.
constexpr std::string_view kBertTensors =
    "blk.attn_output.bias blk.attn_output_norm.weight blk.ffn_down.bias blk.ffn_up.bias "
    "blk.layer_output_norm.bias blk.layer_output_norm.weight token_embd_norm.bias token_embd_norm.weight "
    "token_types.weight";
/// The classification head of rerankers.
constexpr std::string_view kClassifier = "cls.bias cls.output.bias cls.output.weight cls.weight";

constexpr std::array kBertRows = {
    Architecture{
        .name = "bert",
        .graph = graphs::bert,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .older_forms = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = {kBertTensors, kClassifier, "position_embd.weight"},
                   .absent =
                       "blk.attn_norm.weight blk.ffn_gate.weight blk.ffn_norm.weight output_norm.weight",
                   .square_attention = true},
        .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{.name = "eurobert",
                 .graph = graphs::eurobert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .loader = {.square_attention = true},
                 .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{
        .name = "jina-bert-v2",
        .graph = graphs::jina_bert_v2,
        .rope = RopeKind::none,
        .caches = CacheKinds::none,
        .alibi = 8.0F,
        .gives_embeddings = true,
        .loader =
            {.epsilon_key = kLayerEpsilon,
             .required =
                 "blk.attn_output.bias blk.attn_output_norm.bias blk.ffn_down.bias token_types.weight",
             .optional =
                 {kQkNorms, kQkNormBiases, kTokenNorm,
                  "blk.attn_norm_2.bias blk.attn_norm_2.weight blk.attn_output_norm.weight blk.ffn_up.bias "
                  "blk.layer_output_norm.bias blk.layer_output_norm.weight cls.bias cls.weight"},
             .absent = "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight",
             .square_attention = true},
        .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{
        .name = "jina-bert-v3",
        .graph = graphs::jina_bert_v3,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .mask_lstrip = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = kBertTensors,
                   .absent =
                       "blk.attn_norm.weight blk.ffn_gate.weight blk.ffn_norm.weight output_norm.weight",
                   .square_attention = true},
        .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{
        .name = "modern-bert",
        .graph = graphs::modern_bert,
        .caches = CacheKinds::none,
        .window = {.kind = WindowKind::symmetric,
                   .period = 3,
                   .full_first = true,
                   .base = WindowBase::own,
                   .scaling = WindowScaling::off},
        .gives_embeddings = true,
        .ranking = {.from_mean = true, .activation = UnaryKind::gelu},
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_qkv.weight",
                   .optional =
                       "cls.norm.weight cls.output.bias cls.output.weight cls.weight token_embd_norm.weight",
                   .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .square_attention = true},
        .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{.name = "neo-bert",
                 .graph = graphs::neo_bert,
                 .rope = RopeKind::pairs,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .loader = {.required = "blk.attn_qkv.weight",
                            .optional = {kClassifier, "enc.output_norm.weight"},
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight output_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .square_attention = true},
                 .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{.name = "nomic-bert",
                 .graph = graphs::nomic_bert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_output_norm.bias",
                            .optional = kBertTensors,
                            .unused = "blk.ffn_down.bias blk.ffn_up.bias",
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight",
                            .square_attention = true},
                 .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{
        .name = "nomic-bert-moe",
        .graph = graphs::nomic_bert_moe,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .mask_lstrip = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = {kBertTensors,
                                "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight"},
                   .absent =
                       "blk.attn_norm.weight blk.ffn_gate.weight blk.ffn_norm.weight output_norm.weight",
                   .expert_width = ExpertWidth::dense,
                   .square_attention = true},
        .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
};

}  // namespace

std::span<const Architecture> bert() {
    return kBertRows;
}

}  // namespace splitscope::families
