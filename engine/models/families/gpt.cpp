// SPDX-License-Identifier: MIT
// GPT and its relatives: BLOOM, CodeShell, Jais, MPT, StarCoder.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction bloom, codeshell, gpt2, gpt_oss, gptneox, jais, jais2, mpt, starcoder2;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr auto kWholeNormBiases = std::to_array<KeyedExtent>({
    {".attn_q_norm.bias", 0, "embedding_length"},
    {".attn_k_norm.bias", 0, "embedding_length"},
});

constexpr std::array kGptRows = {
    Architecture{.name = "bloom",
                 .graph = graphs::bloom,
                 .rope = RopeKind::none,
                 .alibi = 8.0F,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases, "blk.attn_qkv.bias"},
                            .optional = kTokenNorm,
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                            .qkv_biases = false,
                            .square_attention = true}},
    Architecture{.name = "codeshell",
                 .graph = graphs::codeshell,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases},
                            .absent = "blk.ffn_gate.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true},
                 .memory = {.output = OutputWeight::duplicated}},
    Architecture{
        .name = "gpt-oss",
        .graph = graphs::gpt_oss,
        .window = {.kind = WindowKind::standard, .period = 2, .kept_at_zero = true},
        .always_experts = true,
        .loader = {.keys = "attention.sliding_window expert_feed_forward_length",
                   .required =
                       "blk.attn_output.bias blk.attn_sinks.weight blk.ffn_down_exps.bias "
                       "blk.ffn_gate_exps.bias blk.ffn_gate_inp.bias blk.ffn_up_exps.bias output.weight",
                   .optional = {kExperts, "blk.post_attention_norm.weight"},
                   .absent = {kDenseFfn, "blk.ffn_norm.weight"},
                   .rotates_whole_heads = true}},
    Architecture{.name = "gpt2",
                 .graph = graphs::gpt2,
                 .rope = RopeKind::none,
                 .older_forms = true,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases, "blk.attn_qkv.bias"},
                            .optional = "position_embd.weight",
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                            .qkv_biases = false,
                            .square_attention = true}},
    Architecture{.name = "gptneox",
                 .graph = graphs::gptneox,
                 .loader = {.keys = "use_parallel_residual",
                            .epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases, "blk.attn_qkv.bias output.weight"},
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                            .qkv_biases = false,
                            .square_attention = true}},
    Architecture{.name = "jais",
                 .graph = graphs::jais,
                 .rope = RopeKind::none,
                 .loader = {.optional_keys = "attention.max_alibi_bias",
                            .epsilon_key = kLayerEpsilon,
                            .required = {kBiases, kNormBiases, "blk.attn_qkv.bias output.weight"},
                            .absent = kSeparateQkv,
                            .qkv_biases = false,
                            .square_attention = true}},
    Architecture{.name = "jais2",
                 .graph = graphs::jais2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases},
                            .absent = "blk.ffn_gate.weight",
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "mpt",
        .graph = graphs::mpt,
        .rope = RopeKind::none,
        .loader = {.optional_keys = "attention.max_alibi_bias",
                   .epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_qkv.weight",
                   .optional = {kUngatedBiases, kNormBiases, kQkNorms, kQkNormBiases, "position_embd.weight"},
                   .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                   .qkv_biases = false,
                   .extents = kWholeNormBiases,
                   .square_attention = true}},
    Architecture{.name = "starcoder",
                 .graph = graphs::gpt2,
                 .rope = RopeKind::none,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases, "blk.attn_qkv.bias"},
                            .optional = "position_embd.weight",
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                            .qkv_biases = false,
                            .square_attention = true}},
    Architecture{.name = "starcoder2",
                 .graph = graphs::starcoder2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases, kNormBiases},
                            .absent = "blk.ffn_gate.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> gpt() {
    return kGptRows;
}

}  // namespace splitscope::families
