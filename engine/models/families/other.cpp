// SPDX-License-Identifier: MIT
// Families of one architecture without experts.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction apertus, arcee, baichuan, bitnet, chameleon, cogvlm, hrm_text, maincoder, muse_glimmer,
    nanbeige, openelm, orion, pangu_embedded, plain, plm, pockettts, refact, seed_oss, smollm3, spark2_5,
    stablelm, talkie, wavtokenizer;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr auto kGatePerHead = std::to_array<KeyedExtent>({
    {".attn_gate.weight", 1, "attention.head_count"},
});

constexpr auto kHeadNormBiases = std::to_array<SharedExtent>({
    {"attn_q_norm.bias", 0, "attn_q_norm.weight", 0},
    {"attn_k_norm.bias", 0, "attn_k_norm.weight", 0},
});
/// Decoders of audio tokens.
constexpr std::string_view kAudioKeys =
    "attention.group_norm_epsilon attention.group_norm_groups convnext.block_count convnext.embedding_length "
    "features_length posnet.block_count posnet.embedding_length";
constexpr std::string_view kPositionNet =
    "posnet.attn_k.bias posnet.attn_k.weight posnet.attn_norm.bias posnet.attn_norm.weight "
    "posnet.attn_output.bias posnet.attn_output.weight posnet.attn_q.bias posnet.attn_q.weight "
    "posnet.attn_v.bias posnet.attn_v.weight posnet.conv1.bias posnet.conv1.weight posnet.conv2.bias "
    "posnet.conv2.weight posnet.norm1.bias posnet.norm1.weight posnet.norm2.bias posnet.norm2.weight";
constexpr std::string_view kConvNext =
    "convnext.dw.bias convnext.dw.weight convnext.gamma.weight convnext.norm.bias convnext.norm.weight "
    "convnext.pw1.bias convnext.pw1.weight convnext.pw2.bias convnext.pw2.weight";

constexpr std::array kOtherRows = {
    Architecture{.name = "apertus",
                 .graph = graphs::apertus,
                 .loader = {.keys = "xielu.alpha_n xielu.alpha_p xielu.beta xielu.eps",
                            .required = {kQkNorms, "output.weight"},
                            .optional = {kQkNormBiases, kRopeFactors, "blk.attn_output.bias"},
                            .absent = "blk.ffn_gate.weight",
                            .shared_extents = kHeadNormBiases,
                            .rotates_whole_heads = true}},
    Architecture{.name = "arcee",
                 .graph = graphs::arcee,
                 .rope = RopeKind::pairs,
                 .loader = {.optional = "rope_freqs.weight",
                            .absent = "blk.ffn_gate.weight",
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "baichuan",
        .graph = graphs::baichuan,
        .rope = RopeKind::pairs,
        .alibi_layers = 40,
        .alibi = 8.0F,
        .loader = {.required = "output.weight", .square_attention = true, .rotates_whole_heads = true}},
    Architecture{.name = "bitnet",
                 .graph = graphs::bitnet,
                 .scaled = {kUsualScales, kFeedForwardScales},
                 .loader = {.required = "blk.attn_q.weight",
                            .optional = "blk.attn_sub_norm.weight blk.ffn_sub_norm.weight",
                            .absent = "blk.attn_qkv.weight",
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .square_attention = true},
                 .memory = {.output = OutputWeight::none}},
    Architecture{.name = "chameleon",
                 .graph = graphs::chameleon,
                 .rope = RopeKind::pairs,
                 .loader = {.required = kQkNorms,
                            .optional = kQkNormBiases,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "cogvlm",
                 .graph = graphs::cogvlm,
                 .scaled = "attn_output output",
                 .loader = {.required = "blk.vis_attn_output.weight blk.vis_attn_qkv.weight "
                                        "blk.vis_down.weight blk.vis_gate.weight blk.vis_up.weight",
                            .optional = "rope_freqs.weight",
                            .unused = "rope_freqs.weight",
                            .absent = kSeparateQkv,
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .rotates_whole_heads = true}},
    Architecture{.name = "hrm_text",
                 .graph = graphs::hrm_text,
                 .loader = {.keys = "hrm.h_cycles hrm.l_cycles hrm.layers_per_stack",
                            .optional = "blk.attn_gate.weight hrm.z_l_init",
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight"},
                 .memory = {.scheme = CacheScheme::every_block}},
    Architecture{
        .name = "internlm2",
        .graph = graphs::plain,
        .rope = RopeKind::pairs,
        .loader = {.required = "output.weight", .square_attention = true, .rotates_whole_heads = true}},
    Architecture{.name = "maincoder",
                 .graph = graphs::maincoder,
                 .rope = RopeKind::pairs,
                 .loader = {.required = kQkNorms, .rotates_whole_heads = true}},
    Architecture{.name = "muse-glimmer",
                 .graph = graphs::muse_glimmer,
                 .rope = RopeKind::pairs,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .kept_at_zero = true,
                            .scaling = WindowScaling::off},
                 .output_cap = 30.0F,
                 .loader = {.keys = "attention.sliding_window logit_scale",
                            .optional_keys = "final_logit_softcapping",
                            .required = {kQkNorms, "output.weight"},
                            .optional = {kPostNorms, "blk.attn_gate.weight"}}},
    Architecture{.name = "nanbeige",
                 .graph = graphs::nanbeige,
                 .rope = RopeKind::pairs,
                 .scaled = {kUsualScales, kFeedForwardScales},
                 .loader = {.optional = "rope_freqs.weight"}},
    Architecture{.name = "openelm",
                 .graph = graphs::openelm,
                 .scaled = "attn_output output",
                 .loader = {.required = kQkNorms,
                            .absent = kSeparateQkv,
                            .qkv_biases = false,
                            .fused_qkv_bias = false},
                 .memory = {.output = OutputWeight::always_tied}},
    Architecture{.name = "orion",
                 .graph = graphs::orion,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kNormBiases, "output.weight"},
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "pangu-embedded",
                 .graph = graphs::pangu_embedded,
                 .loader = {.required = "blk.attn_output.bias",
                            .optional = kRopeFactors,
                            .unused = kRopeFactors,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "plm",
        .graph = graphs::plm,
        .rope = RopeKind::pairs,
        .aborts_with_flash = true,
        .scaled = "attn_output output",
        .loader = {.keys = "attention.kv_lora_rank",
                   .optional = {kMla, "blk.attn_kv_b.weight"},
                   .absent = "blk.attn_k.weight blk.attn_qkv.weight blk.attn_v.weight blk.ffn_gate.weight",
                   .qkv_biases = false,
                   .fused_qkv_bias = false},
        .memory = {.output = OutputWeight::always_tied}},
    Architecture{.name = "pockettts",
                 .graph = graphs::pockettts,
                 .rope = RopeKind::pairs,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = kNormBiases,
                            .absent = "blk.ffn_gate.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true},
                 .memory = {.output = OutputWeight::always_tied}},
    Architecture{
        .name = "refact",
        .graph = graphs::refact,
        .rope = RopeKind::none,
        .alibi = 8.0F,
        .loader = {.required = "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight",
                   .optional = {kBiases, kExperts, kRopeFactors},
                   .unused = {kBiases, kRopeFactors},
                   .extents = kExpertRows,
                   .expert_width = ExpertWidth::dense,
                   .expert_blocks = ExpertBlocks::all}},
    Architecture{.name = "seed_oss",
                 .graph = graphs::seed_oss,
                 .loader = {.optional = "blk.post_attention_norm.weight",
                            .absent = "blk.ffn_norm.weight",
                            .rotates_whole_heads = true}},
    Architecture{.name = "smollm3",
                 .graph = graphs::smollm3,
                 .rope = RopeKind::pairs,
                 .loader = {.rotates_whole_heads = true}},
    Architecture{.name = "spark2_5",
                 .graph = graphs::spark2_5,
                 .window = {.kind = WindowKind::standard, .kept_at_zero = true, .own_dims = true},
                 .scaled = kAttentionScales,
                 .loader = {.keys = "attention.sliding_window attention.sliding_window_pattern",
                            .optional = "blk.attn_gate.weight",
                            .extents = kGatePerHead}},
    Architecture{.name = "stablelm",
                 .graph = graphs::stablelm,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias output.weight output_norm.bias",
                            .optional = {kQkNorms, "blk.ffn_norm.bias"},
                            .square_attention = true}},
    Architecture{.name = "talkie",
                 .graph = graphs::talkie,
                 .scaled = {kAttentionScales, "ffn_down"},
                 .loader = {.keys = "logit_scale",
                            .required = "output.weight",
                            .optional = "blk.attn_q_norm.weight blk.layer_output_scale.weight",
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight",
                            .rotates_whole_heads = true}},
    Architecture{.name = "wavtokenizer-dec",
                 .graph = graphs::wavtokenizer,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::none,
                 .width_key = "features_length",
                 .gives_embeddings = true,
                 .vocodes = true,
                 .without_heads = true,
                 .loader = {.keys = kAudioKeys,
                            .epsilon_key = kLayerEpsilon,
                            .required = "output.bias output.weight output_norm.bias",
                            .optional = {kTokenNorm, kPositionNet, kConvNext, "conv1d.bias conv1d.weight"},
                            .absent = {kSeparateQkv, kDenseFfn,
                                       "blk.attn_norm.weight blk.attn_output.weight blk.attn_qkv.weight "
                                       "blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false},
                 .memory = {.scheme = CacheScheme::none, .output = OutputWeight::none}},
    Architecture{
        .name = "xverse",
        .graph = graphs::plain,
        .rope = RopeKind::pairs,
        .loader = {.required = "output.weight", .square_attention = true, .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> other() {
    return kOtherRows;
}

}  // namespace splitscope::families
