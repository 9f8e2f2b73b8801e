// SPDX-License-Identifier: MIT
// Qwen.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction plain, qwen2, qwen2moe, qwen3, qwen35, qwen3moe, qwen3next, qwen4exp;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

/// Gated delta nets, and those with separate weights for alpha and beta.
constexpr std::string_view kDeltaNet =
    "blk.attn_gate.weight blk.post_attention_norm.weight blk.ssm_a blk.ssm_conv1d.weight blk.ssm_dt.bias "
    "blk.ssm_norm.weight blk.ssm_out.weight";
/// Of those, the tensors of recurrent blocks only.
constexpr std::string_view kDeltaNetOnly =
    "blk.ssm_conv1d.weight blk.attn_gate.weight blk.ssm_a blk.ssm_dt.bias blk.ssm_norm.weight "
    "blk.ssm_out.weight";
constexpr std::string_view kAlphaBeta = "blk.ssm_alpha.weight blk.ssm_beta.weight";
/// Scaled weights of gated delta nets with separate weights.
constexpr std::string_view kDeltaNetScales = "attn_gate ssm_out ssm_alpha ssm_beta";

/// Of residual streams, in the order in which llama.cpp asks for them.
constexpr std::array kStreamOps = {Op::dsv4_hc_pre, Op::dsv4_hc_post};

/// Qwen 4: the parts of a delta net, of residual streams, of the indexer, and of the embeddings of n-grams.
constexpr std::string_view kQwen4Delta =
    "blk.attn_gate.weight blk.ssm_a blk.ssm_alpha.weight blk.ssm_beta.weight blk.ssm_conv1d.weight "
    "blk.ssm_dt.bias blk.ssm_norm.weight blk.ssm_out.weight";
constexpr std::string_view kQwen4Streams =
    "blk.hc_attn_down.weight blk.hc_attn_inject.weight blk.hc_attn_norm.weight blk.hc_attn_up.weight "
    "blk.hc_ffn_down.weight blk.hc_ffn_inject.weight blk.hc_ffn_norm.weight blk.hc_ffn_up.weight "
    "output_hc_down.weight output_hc_norm.weight output_hc_up.weight";
constexpr std::string_view kQwen4Indexer =
    "blk.indexer.k_norm.weight blk.indexer.k_proj.weight blk.indexer.q_norm.weight blk.indexer.q_proj.weight";
constexpr std::string_view kNgrams =
    "blk.ple_conv1d.weight blk.ple_key.weight blk.ple_norm_conv.weight blk.ple_norm_key.weight "
    "blk.ple_norm_query.weight blk.ple_value.weight per_layer_token_embd.weight";

constexpr std::array kQwenRows = {
    Architecture{.name = "qwen",
                 .graph = graphs::plain,
                 .loader = {.required = "blk.attn_qkv.bias output.weight",
                            .absent = kSeparateQkv,
                            .qkv_biases = false,
                            .halves_width = true,
                            .square_attention = true}},
    Architecture{
        .name = "qwen2",
        .graph = graphs::qwen2,
        .older_forms = true,
        .loader = {.optional = "output.bias", .square_attention = true, .rotates_whole_heads = true}},
    Architecture{.name = "qwen2moe",
                 .graph = graphs::qwen2moe,
                 .loader = {.required = "blk.ffn_gate_exps.weight output.weight",
                            .optional = {kSharedExperts, kExperts, "blk.ffn_gate_inp_shexp.weight"},
                            .absent = kDenseFfn,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "qwen2vl",
                 .graph = graphs::plain,
                 .rope = RopeKind::sections,
                 .without_epsilon = true,
                 .loader = {.keys = "rope.dimension_sections",
                            .epsilon_key = "",
                            .optional = "output.bias",
                            .unused = "output.bias",
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "qwen3",
        .graph = graphs::qwen3,
        .ranking = {.from_last = true},
        .older_forms = true,
        .scaled = {kUsualScales, kFeedForwardScales},
        .loader = {.required = kQkNorms, .optional = "cls.output.weight", .rotates_whole_heads = true}},
    Architecture{
        .name = "qwen35",
        .graph = graphs::qwen35,
        .rope = RopeKind::interleaved,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kFeedForwardScales, kDeltaNetScales},
        .loader = {.keys = {"rope.dimension_sections", kMamba2Keys},
                   .required = kQkNorms,
                   .optional = {kDeltaNet, kAlphaBeta},
                   .absent = "blk.ffn_norm.weight",
                   .recurrent_only = {kDeltaNetOnly, kAlphaBeta},
                   .attention_only = {kSeparateQkv, kSeparateQkvBiases, kQkNorms, "blk.attn_output.weight"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kPostNormFrame, kQkNorms, kDenseFfn},
                   .fused_qkv_bias = false},
        .memory = {.scheme = CacheScheme::by_interval}},
    Architecture{
        .name = "qwen35moe",
        .graph = graphs::qwen35,
        .rope = RopeKind::interleaved,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kExpertScales, kSharedExpertScales, kDeltaNetScales},
        .loader = {.keys = {"rope.dimension_sections", kMamba2Keys},
                   .required = {kQkNorms, "blk.ffn_gate_inp_shexp.weight blk.ffn_up_shexp.weight"},
                   .optional = {kDeltaNet, kAlphaBeta, kSharedExperts, kExperts,
                                "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_up_exps.weight"},
                   .absent = {kDenseFfn, "blk.ffn_norm.weight"},
                   .recurrent_only = {kDeltaNetOnly, kAlphaBeta},
                   .attention_only = {kSeparateQkv, kSeparateQkvBiases, kQkNorms, "blk.attn_output.weight"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kPostNormFrame, kQkNorms, kSharedExperts,
                                           "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight "
                                           "blk.ffn_gate_inp_shexp.weight"},
                   .fused_qkv_bias = false},
        .memory = {.scheme = CacheScheme::by_interval}},
    Architecture{.name = "qwen3moe",
                 .graph = graphs::qwen3moe,
                 .older_forms = true,
                 .scaled = {kUsualScales, kExpertScales},
                 .loader = {.required = {kQkNorms, "blk.ffn_gate_exps.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "qwen3next",
        .graph = graphs::qwen3next,
        .caches = CacheKinds::hybrid,
        .scaled = {"attn_q attn_k attn_v attn_output output", kExpertScales, kSharedExpertScales},
        .loader = {.keys = kMamba2Keys,
                   .required = {kQkNorms, "blk.ffn_gate_inp_shexp.weight blk.ffn_up_shexp.weight"},
                   .optional = {kDeltaNet, kSharedExperts, kExperts,
                                "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_up_exps.weight "
                                "blk.ssm_ba.weight blk.ssm_in.weight"},
                   .absent = {kDenseFfn, "blk.ffn_norm.weight"},
                   .recurrent_only = {kDeltaNetOnly, "blk.ssm_ba.weight blk.ssm_in.weight"},
                   .attention_only = {kSeparateQkv, kSeparateQkvBiases, kQkNorms, "blk.attn_output.weight"},
                   .predicting = kPrediction,
                   .required_predicting = {kPredictionInputs, kPostNormFrame, kQkNorms, kSharedExperts,
                                           "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight "
                                           "blk.ffn_gate_inp_shexp.weight"},
                   .fused_qkv_bias = false},
        .memory = {.scheme = CacheScheme::by_interval}},
    Architecture{.name = "qwen3tts",
                 .graph = graphs::qwen3,
                 .rope = RopeKind::interleaved,
                 .loader = {.keys = "rope.dimension_sections",
                            .required = kQkNorms,
                            .optional = "cls.output.weight",
                            .rotates_whole_heads = true}},
    Architecture{.name = "qwen3vl",
                 .graph = graphs::qwen3,
                 .rope = RopeKind::interleaved,
                 .ranking = {.from_last = true},
                 .loader = {.keys = "rope.dimension_sections",
                            .required = kQkNorms,
                            .optional = "cls.output.weight",
                            .rotates_whole_heads = true}},
    Architecture{.name = "qwen3vlmoe",
                 .graph = graphs::qwen3moe,
                 .rope = RopeKind::interleaved,
                 .loader = {.keys = "rope.dimension_sections",
                            .required = {kQkNorms, "blk.ffn_gate_exps.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "qwen4exp",
        .graph = graphs::qwen4exp,
        .rope = RopeKind::interleaved,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kExpertScales, kSharedExpertScales, kDeltaNetScales},
        .fused = kStreamOps,
        .loader = {.keys = {"hyper_connection.count hyper_connection.low_rank rope.dimension_sections",
                            kIndexerKeys, kMamba2Keys},
                   .required = {kQkNorms, "blk.ffn_gate_inp_shexp.weight blk.ffn_up_shexp.weight"},
                   .optional = {kQwen4Delta, kQwen4Streams, kQwen4Indexer, kNgrams, kExperts, kSharedExperts,
                                "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_up_exps.weight"},
                   .unused = "blk.attn_q.bias blk.attn_k.bias blk.attn_v.bias",
                   .absent = {kDenseFfn, "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight"},
                   .recurrent_only = {"blk.ssm_conv1d.weight", kQwen4Delta},
                   .attention_only = {kSeparateQkv, kSeparateQkvBiases, kQkNorms, kQwen4Indexer,
                                      "blk.attn_output.weight"}},
        .memory = {.scheme = CacheScheme::by_interval, .indexer = IndexerBlocks::with_attention}},
};

}  // namespace

std::span<const Architecture> qwen() {
    return kQwenRows;
}

}  // namespace splitscope::families
