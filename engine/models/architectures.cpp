// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <array>

namespace splitscope {

// The pages, by the file in pages/ that has them.
namespace pages {

// llama.cpp: RMS norms, rotary positions, gated feed-forwards or experts; known to older generations.
ModelPage llama, qwen2, qwen3, qwen3moe, phi3, gpt_oss;
// dense.cpp: one feed-forward per block.
ModelPage plain, plain_with_factors, plain_with_head_norms;
ModelPage apertus, arcee, baichuan, bitnet, bloom, chatglm, codeshell, exaone4, glm4, granite, hunyuan, jais,
    jais2, llada, llama_embed;
ModelPage maincoder, minicpm, mpt, nemotron, olmo, olmo2, orion, pangu_embedded, plamo3, refact, seed_oss,
    smollm3, starcoder2;
// mixtures.cpp: experts in most blocks.
ModelPage arctic, bailingmoe, bailingmoe2, dbrx, deepseek, dots1, ernie4_5_moe, exaone_moe, glm4moe, grok,
    hunyuan_moe;
ModelPage llada_moe, llama4, maple, mellum, minimax_m2, minimax_m3, mistral3, olmoe, phimoe, qwen2moe,
    smallthinker;
// parallel.cpp: attention and feed-forward side by side.
ModelPage cohere2, command_r, falcon, gptneox, phi2, plamo, stablelm;
// gated.cpp: gated attention, and related decoders.
ModelPage afmoe, chameleon, cogvlm, cohere2moe, deci, grovemoe, hy_v3, laguna, mimo2, nanbeige, openelm,
    step35, talkie;
// latent.cpp: compressed keys and values.
ModelPage deepseek2, deepseek2_ocr, deepseek32, dots3note, glm_dsa, minicpm3, mistral4, plm;
// gemma.cpp
ModelPage gemma, gemma_embedding, gemma2, gemma3;
// gemma_per_layer.cpp
ModelPage gemma3n, gemma4;
// lightning.cpp: a decaying state per head, and attention.
ModelPage minimax_01;
// learned_positions.cpp
ModelPage gpt2;
// bert.cpp: encoders that give embeddings.
ModelPage bert, eurobert, jina_bert_v2, jina_bert_v3, modern_bert, neo_bert, nomic_bert, nomic_bert_moe;
// output_gated.cpp: gates behind attention.
ModelPage hrm_text, muse_glimmer, spark2_5;
// streams.cpp: parallel residual streams.
ModelPage hy_v4;
// t5.cpp: biases of distances.
ModelPage t5, t5encoder;
// mamba.cpp: a state space instead of attention.
ModelPage mamba, mamba2;
// rwkv.cpp: linear attention and token shifts.
ModelPage rwkv6, rwkv6qwen2, rwkv7;
// delta_net.cpp: gated delta rules and gated attention.
ModelPage qwen35, qwen3next;
// kimi.cpp: delta rules with a decay per element, and latent attention.
ModelPage bailingmoe3, kimi_k3, kimi_linear;
// hybrid.cpp: attention and recurrent states.
ModelPage falcon_h1, granite_hybrid, jamba, lfm2, nemotron_h, plamo2;

}  // namespace pages

namespace {

using enum RopeKind;
constexpr WindowKind kStandard = WindowKind::standard;

constexpr std::string_view kLayerEpsilon = "attention.layer_norm_epsilon";

constexpr auto kExpertRows = std::to_array<KeyedExtent>({
    {".ffn_gate_inp.weight", 0, "embedding_length"},
    {".ffn_gate_exps.weight", 0, "embedding_length"},
    {".ffn_up_exps.weight", 0, "embedding_length"},
    {".ffn_down_exps.weight", 1, "embedding_length"},
});
constexpr auto kGatePerHead = std::to_array<KeyedExtent>({
    {".attn_gate.weight", 1, "attention.head_count"},
});
constexpr auto kLatentExperts = std::to_array<KeyedExtent>({
    {".ffn_gate_exps.weight", 0, "expert_latent_length"},
});
constexpr auto kTimeMixRanks = std::to_array<KeyedExtent>({
    {".time_mix_decay_w1.weight", 1, "time_decay_extra_dim"},
    {".time_mix_w1.weight", 1, "time_mix_extra_dim", 5},
});
constexpr auto kLoraRanks = std::to_array<KeyedExtent>({
    {".time_mix_a1.weight", 1, "attention.iclr_lora_rank"},
    {".time_mix_g1.weight", 1, "attention.gate_lora_rank"},
    {".time_mix_v1.weight", 0, "embedding_length"},
    {".time_mix_v1.weight", 1, "attention.value_residual_mix_lora_rank"},
    {".time_mix_v2.weight", 0, "attention.value_residual_mix_lora_rank"},
    {".time_mix_v2.weight", 1, "embedding_length"},
    {".time_mix_w1.weight", 1, "attention.decay_lora_rank"},
});
constexpr auto kWholeGate = std::to_array<SharedExtent>({
    {"attn_gate.weight", 1, "attn_output.weight", 0},
});

/// Sorted by name; a page may serve several architectures. Keys and tensors of `loader` were found by
/// removing each from the golden headers, adding tensors to them, and loading them with llama.cpp v0.5.0.
constexpr std::array kArchitectures = {
    Architecture{
        .name = "afmoe",
        .page = pages::afmoe,
        .window = {.kind = kStandard, .period = 4},
        .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.exp_probs_b.bias",
                   .optional = "blk.attn_gate.weight blk.post_attention_norm.weight blk.post_ffw_norm.weight",
                   .shared_extents = kWholeGate,
                   .counts_shared = true}},
    Architecture{.name = "apertus",
                 .page = pages::apertus,
                 .loader = {.keys = "xielu.alpha_n xielu.alpha_p xielu.beta xielu.eps",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight output.weight",
                            .optional = "blk.attn_k_norm.bias blk.attn_output.bias blk.attn_q_norm.bias"}},
    Architecture{.name = "arcee", .page = pages::arcee, .rope = pairs},
    Architecture{.name = "arctic",
                 .page = pages::arctic,
                 .rope = pairs,
                 .loader = {.required = "blk.ffn_gate_exps.weight",
                            .optional = "blk.ffn_norm_exps.weight",
                            .any_dense_width = true,
                            .expert_width = ExpertWidth::dense}},
    Architecture{.name = "arwkv7",
                 .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv, .token_shifts = 1}},
    Architecture{.name = "baichuan",
                 .page = pages::baichuan,
                 .rope = pairs,
                 .alibi_layers = 40,
                 .alibi = 8.0F,
                 .loader = {.required = "output.weight"}},
    Architecture{.name = "bailingmoe",
                 .page = pages::bailingmoe,
                 .rope = pairs,
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .required = "output.weight",
                            .counts_shared = true}},
    Architecture{
        .name = "bailingmoe2",
        .page = pages::bailingmoe2,
        .loader = {.keys = "expert_feed_forward_length expert_gating_func expert_shared_count",
                   .required =
                       "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.attn_qkv.weight output.weight",
                   .separate_biases = false,
                   .combined_bias = false,
                   .names_routing = true,
                   .counts_shared = true,
                   .multiplies_shared = true}},
    Architecture{
        .name = "bailingmoe3",
        .page = pages::bailingmoe3,
        .rope = pairs,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "attention.key_length_mla attention.kv_lora_rank attention.value_length_mla "
                           "expert_feed_forward_length expert_gating_func expert_shared_count "
                           "kda.gate_lower_bound kda.head_dim leading_dense_block_count ssm.conv_kernel",
                   .required = "blk.exp_probs_b.bias",
                   .optional = "blk.attn_gate.weight blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight "
                               "blk.ssm_a blk.ssm_beta.weight blk.ssm_conv1d_k.weight "
                               "blk.ssm_conv1d_q.weight blk.ssm_conv1d_v.weight blk.ssm_dt.bias "
                               "blk.ssm_f_a.weight blk.ssm_g_a.weight blk.ssm_norm.weight",
                   .combined_bias = false,
                   .names_routing = true},
        .memory = {.scheme = CacheScheme::without_heads, .state = StateKind::delta_attention}},
    Architecture{
        .name = "bert",
        .page = pages::bert,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .older_forms = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = "blk.attn_output.bias blk.attn_output_norm.weight blk.ffn_down.bias "
                               "blk.ffn_up.bias blk.layer_output_norm.bias blk.layer_output_norm.weight "
                               "cls.bias cls.output.bias cls.output.weight cls.weight position_embd.weight "
                               "token_embd_norm.bias token_embd_norm.weight token_types.weight"},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{.name = "bitnet",
                 .page = pages::bitnet,
                 .loader = {.required = "blk.attn_q.weight",
                            .optional = "blk.attn_sub_norm.weight blk.ffn_sub_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false},
                 .memory = {.head = HeadRule::none}},
    Architecture{
        .name = "bloom",
        .page = pages::bloom,
        .rope = none,
        .alibi = 8.0F,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_norm.bias blk.attn_output.bias blk.attn_qkv.bias blk.ffn_down.bias "
                               "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias",
                   .optional = "token_embd_norm.bias token_embd_norm.weight",
                   .separate_biases = false}},
    Architecture{.name = "chameleon",
                 .page = pages::chameleon,
                 .rope = pairs,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.attn_k_norm.bias blk.attn_q_norm.bias"}},
    Architecture{.name = "chatglm", .page = pages::chatglm, .rope = pairs},
    Architecture{.name = "codeshell",
                 .page = pages::codeshell,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_output.bias blk.ffn_down.bias "
                                        "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias"},
                 .memory = {.head = HeadRule::doubled}},
    Architecture{.name = "cogvlm",
                 .page = pages::cogvlm,
                 .loader = {.required = "blk.vis_attn_output.weight blk.vis_attn_qkv.weight "
                                        "blk.vis_down.weight blk.vis_gate.weight blk.vis_up.weight",
                            .separate_biases = false,
                            .combined_bias = false}},
    Architecture{.name = "cohere2",
                 .page = pages::cohere2,
                 .rope = pairs,
                 .window = {.kind = kStandard, .period = 4},
                 .loader = {.keys = "attention.sliding_window logit_scale", .epsilon_key = kLayerEpsilon},
                 .memory = {.head = HeadRule::always_tied}},
    Architecture{
        .name = "cohere2moe",
        .page = pages::cohere2moe,
        .rope = pairs,
        .window = {.kind = kStandard, .period = 4, .full_first = true},
        .loader =
            {.keys =
                 "attention.sliding_window expert_feed_forward_length leading_dense_block_count logit_scale",
             .epsilon_key = "",
             .required = "blk.ffn_up_shexp.weight",
             .expert_blocks = ExpertBlocks::after_dense,
             .counts_shared = true}},
    Architecture{.name = "command-r",
                 .page = pages::command_r,
                 .rope = pairs,
                 .loader = {.epsilon_key = kLayerEpsilon},
                 .memory = {.head = HeadRule::always_tied}},
    Architecture{.name = "dbrx",
                 .page = pages::dbrx,
                 .loader = {.keys = "attention.clamp_kqv",
                            .epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_qkv.weight blk.ffn_gate_exps.weight output.weight",
                            .optional = "blk.attn_output_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false,
                            .expert_width = ExpertWidth::dense}},
    Architecture{
        .name = "deci",
        .page = pages::deci,
        .rope = pairs,
        .skips_attention = true,
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias"}},
    Architecture{.name = "deepseek",
                 .page = pages::deepseek,
                 .rope = pairs,
                 .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .required = "blk.ffn_gate_exps.weight",
                            .counts_shared = true}},
    Architecture{.name = "deepseek2",
                 .page = pages::deepseek2,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .yarn = {.reads_betas = true, .multiplier_is_tenth = true, .scales_attention = true},
                 .loader = {.keys = "attention.kv_lora_rank expert_feed_forward_length expert_shared_count",
                            .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false,
                            .counts_shared = true}},
    Architecture{.name = "deepseek2-ocr",
                 .page = pages::deepseek2_ocr,
                 .rope = pairs,
                 .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count", .counts_shared = true}},
    Architecture{
        .name = "deepseek32",
        .page = pages::deepseek32,
        .rope = pairs,
        .caches = CacheKinds::latent,
        .layer_norm_epsilon = 1e-6F,
        .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
        .loader =
            {.keys =
                 "attention.indexer.head_count attention.indexer.key_length attention.indexer.top_k "
                 "attention.kv_lora_rank expert_feed_forward_length expert_gating_func expert_shared_count",
             .required = "blk.indexer.k_norm.bias",
             .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight blk.indexer.attn_k.weight "
                         "blk.indexer.attn_q_b.weight blk.indexer.k_norm.weight blk.indexer.proj.weight",
             .separate_biases = false,
             .combined_bias = false,
             .names_routing = true,
             .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::all, .caches_predicted = false}},
    Architecture{.name = "deepseek4", .memory = {.scheme = CacheScheme::compressed_keys}},
    Architecture{.name = "dots1",
                 .page = pages::dots1,
                 .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight output.weight",
                            .names_routing = true,
                            .counts_shared = true}},
    Architecture{
        .name = "dots3note",
        .page = pages::dots3note,
        .rope = pairs,
        .caches = CacheKinds::latent,
        .window = {.kind = kStandard, .own_base = true},
        .layer_norm_epsilon = 1e-6F,
        .loader = {.keys =
                       "attention.indexer.head_count attention.indexer.key_length attention.indexer.top_k "
                       "attention.indexer.types attention.key_length_mla attention.key_length_mla_swa "
                       "attention.kv_lora_rank attention.kv_lora_rank_swa attention.sliding_window "
                       "attention.sliding_window_pattern attention.value_length_mla "
                       "attention.value_length_mla_swa expert_feed_forward_length expert_gating_func "
                       "expert_shared_count leading_dense_block_count rope.freq_base_swa",
                   .required = "blk.attn_k_norm.weight blk.exp_probs_b.bias blk.indexer.k_norm.bias",
                   .optional = "blk.attn_gate.weight blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight "
                               "blk.indexer.attn_k.weight blk.indexer.attn_q_b.weight "
                               "blk.indexer.k_norm.weight blk.indexer.proj.weight",
                   .separate_biases = false,
                   .combined_bias = false,
                   .names_routing = true,
                   .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::by_types}},
    Architecture{.name = "dream",
                 .page = pages::plain,
                 .caches = CacheKinds::none,
                 .loader = {.optional = "output.bias"},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{.name = "ernie4_5",
                 .page = pages::plain,
                 .rope = pairs,
                 .loader = {.optional = "blk.attn_output.bias", .expert_width = ExpertWidth::dense}},
    Architecture{.name = "ernie4_5-moe",
                 .page = pages::ernie4_5_moe,
                 .rope = pairs,
                 .loader = {.keys = "expert_feed_forward_length interleave_moe_layer_step",
                            .required = "blk.ffn_down_exps.weight blk.ffn_down.weight blk.ffn_gate.weight "
                                        "blk.ffn_up.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight",
                            .optional = "blk.attn_output.bias",
                            .extents = kExpertRows,
                            .expert_blocks = ExpertBlocks::after_dense}},
    Architecture{.name = "eurobert",
                 .page = pages::eurobert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{.name = "exaone", .page = pages::plain_with_factors},
    Architecture{.name = "exaone-moe",
                 .page = pages::exaone_moe,
                 .window = {.kind = kStandard, .period = 4, .width = 128},
                 .loader = {.keys = "attention.sliding_window expert_feed_forward_length expert_gating_func",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight output.weight",
                            .expert_blocks = ExpertBlocks::after_dense,
                            .names_routing = true}},
    Architecture{.name = "exaone4",
                 .page = pages::exaone4,
                 .window = {.kind = kStandard, .period = 4, .layers = 64, .width = 4096},
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.post_attention_norm.weight blk.post_ffw_norm.weight"}},
    Architecture{.name = "falcon",
                 .page = pages::falcon,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_qkv.weight output_norm.bias",
                            .optional = "blk.attn_norm_2.bias blk.attn_norm_2.weight",
                            .separate_biases = false,
                            .combined_bias = false}},
    Architecture{
        .name = "falcon-h1",
        .page = pages::falcon_h1,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .optional =
                       "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_norm "
                       "blk.ffn_up.bias blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d "
                       "blk.ssm_dt.bias blk.ssm_in.weight blk.ssm_norm.weight blk.ssm_out.weight"},
        .memory = {.scans_state = true}},
    Architecture{.name = "gemma", .page = pages::gemma, .memory = {.head = HeadRule::always_tied}},
    Architecture{.name = "gemma-embedding",
                 .page = pages::gemma_embedding,
                 .caches = CacheKinds::none,
                 .window = {.kind = WindowKind::symmetric, .period = 6, .own_base = true},
                 .gives_embeddings = true,
                 .loader = {.keys = "attention.sliding_window",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.post_attention_norm.weight blk.post_ffw_norm.weight"},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{.name = "gemma2",
                 .page = pages::gemma2,
                 .window = {.kind = kStandard, .period = 2, .width = 4096},
                 .attention_cap = 50.0F,
                 .output_cap = 30.0F,
                 .older_forms = true,
                 .loader = {.optional = "blk.post_attention_norm.weight blk.post_ffw_norm.weight"},
                 .memory = {.head = HeadRule::always_tied}},
    Architecture{.name = "gemma3",
                 .page = pages::gemma3,
                 .window = {.kind = kStandard, .period = 6, .own_base = true},
                 .older_forms = true,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.post_attention_norm.weight blk.post_ffw_norm.weight"}},
    Architecture{
        .name = "gemma3n",
        .page = pages::gemma3n,
        .window = {.kind = kStandard, .period = 5, .own_base = true},
        .output_cap = 30.0F,
        .loader = {.keys = "attention.sliding_window",
                   .required =
                       "blk.attn_k.weight blk.attn_k_norm.weight blk.attn_q_norm.weight blk.attn_v.weight",
                   .optional =
                       "altup_proj.weight altup_unembd_proj.weight blk.altup_correct_coef.weight "
                       "blk.altup_correct_scale.weight blk.altup_predict_coef.weight blk.altup_router.weight "
                       "blk.altup_router_norm.weight blk.inp_gate.weight blk.laurel_l.weight "
                       "blk.laurel_post_norm.weight blk.laurel_r.weight blk.post_attention_norm.weight "
                       "blk.post_ffw_norm.weight blk.post_norm.weight blk.proj.weight "
                       "per_layer_model_proj.weight per_layer_proj_norm.weight per_layer_token_embd.weight",
                   .shares_key_shapes = true},
        .memory = {.cached_blocks = 20, .head = HeadRule::doubled}},
    Architecture{
        .name = "gemma4",
        .page = pages::gemma4,
        .window = {.kind = kStandard, .own_base = true},
        .output_cap = 30.0F,
        .loader = {.keys =
                       "attention.key_length_swa attention.sliding_window attention.sliding_window_pattern "
                       "attention.value_length_swa embedding_length_per_layer_input",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight per_layer_token_embd.weight",
                   .optional = "blk.inp_gate.weight blk.layer_output_scale.weight "
                               "blk.post_attention_norm.weight blk.post_ffw_norm.weight blk.post_norm.weight "
                               "blk.proj.weight per_layer_model_proj.weight per_layer_proj_norm.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.head = HeadRule::doubled, .own_window_factors = true}},
    Architecture{
        .name = "glm-dsa",
        .page = pages::glm_dsa,
        .rope = pairs,
        .caches = CacheKinds::latent,
        .layer_norm_epsilon = 1e-6F,
        .loader = {.keys =
                       "attention.indexer.head_count attention.indexer.key_length attention.indexer.top_k "
                       "attention.kv_lora_rank expert_feed_forward_length expert_shared_count",
                   .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight blk.indexer.attn_k.weight "
                               "blk.indexer.attn_q_b.weight blk.indexer.k_norm.bias "
                               "blk.indexer.k_norm.weight blk.indexer.proj.weight",
                   .separate_biases = false,
                   .combined_bias = false,
                   .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::by_types, .caches_predicted = false}},
    Architecture{.name = "glm4",
                 .page = pages::glm4,
                 .rope = pairs,
                 .may_have_sections = true,
                 .loader = {.optional = "blk.post_attention_norm.weight blk.post_ffw_norm.weight"}},
    Architecture{
        .name = "glm4moe",
        .page = pages::glm4moe,
        .may_have_sections = true,
        .loader = {.keys = "expert_feed_forward_length expert_shared_count",
                   .required = "blk.exp_probs_b.bias",
                   .optional = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.post_attention_norm.weight",
                   .counts_shared = true}},
    Architecture{
        .name = "gpt-oss",
        .page = pages::gpt_oss,
        .window = {.kind = kStandard, .period = 2},
        .always_experts = true,
        .loader = {.keys = "attention.sliding_window expert_feed_forward_length",
                   .required =
                       "blk.attn_output.bias blk.attn_sinks.weight blk.ffn_down_exps.bias "
                       "blk.ffn_gate_exps.bias blk.ffn_gate_inp.bias blk.ffn_up_exps.bias output.weight",
                   .optional = "blk.post_attention_norm.weight"}},
    Architecture{
        .name = "gpt2",
        .page = pages::gpt2,
        .rope = none,
        .older_forms = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_norm.bias blk.attn_output.bias blk.attn_qkv.bias blk.ffn_down.bias "
                               "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias",
                   .optional = "position_embd.weight",
                   .separate_biases = false}},
    Architecture{
        .name = "gptneox",
        .page = pages::gptneox,
        .loader = {.keys = "use_parallel_residual",
                   .epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_norm.bias blk.attn_output.bias blk.attn_qkv.bias blk.ffn_down.bias "
                               "blk.ffn_norm.bias blk.ffn_up.bias output.weight output_norm.bias",
                   .separate_biases = false}},
    Architecture{
        .name = "granite",
        .page = pages::granite,
        .rope = pairs,
        .loader = {.keys = "logit_scale",
                   .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{
        .name = "granite_swa",
        .page = pages::granite,
        .rope = pairs,
        .window = {.kind = kStandard, .period = 0},
        .loader = {.keys = "attention.sliding_window attention.sliding_window_pattern logit_scale",
                   .required = "blk.attn_sinks.weight",
                   .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias"}},
    Architecture{
        .name = "granitehybrid",
        .page = pages::granite_hybrid,
        .rope = pairs,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .required = "blk.ssm_norm.weight",
                   .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias "
                               "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d "
                               "blk.ssm_dt.bias blk.ssm_in.weight blk.ssm_out.weight",
                   .expert_width = ExpertWidth::dense},
        .memory = {.scheme = CacheScheme::without_heads, .scans_state = true}},
    Architecture{
        .name = "granitemoe",
        .page = pages::granite,
        .rope = pairs,
        .loader = {.keys = "logit_scale",
                   .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{
        .name = "grok",
        .page = pages::grok,
        .without_flash = true,
        .yarn = {.reads_betas = true, .beta_fast = 8.0F, .reads_factor = true},
        .loader = {.optional =
                       "blk.attn_output_norm.weight blk.layer_output_norm.weight blk.post_ffw_norm.weight",
                   .expert_width = ExpertWidth::undivided}},
    Architecture{
        .name = "grovemoe",
        .page = pages::grovemoe,
        .loader = {.keys = "expert_feed_forward_length expert_group_scale experts_per_group",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                   .optional =
                       "blk.ffn_down_chexps.weight blk.ffn_gate_chexps.weight blk.ffn_up_chexps.weight"}},
    Architecture{.name = "hrm_text",
                 .page = pages::hrm_text,
                 .loader = {.keys = "hrm.h_cycles hrm.l_cycles hrm.layers_per_stack",
                            .optional = "blk.attn_gate.weight hrm.z_l_init"},
                 .memory = {.scheme = CacheScheme::every_block}},
    Architecture{.name = "hunyuan-dense",
                 .page = pages::hunyuan,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight"}},
    Architecture{
        .name = "hunyuan-moe",
        .page = pages::hunyuan_moe,
        .loader = {.keys = "expert_feed_forward_length",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight",
                   .expert_width = ExpertWidth::dense}},
    Architecture{.name = "hunyuan_vl",
                 .page = pages::hunyuan,
                 .may_have_sections = true,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight"}},
    Architecture{.name = "hy_v3",
                 .page = pages::hy_v3,
                 .loader = {.keys = "expert_feed_forward_length",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.exp_probs_b",
                            .any_width = true},
                 .memory = {.caches_predicted = false}},
    Architecture{
        .name = "hy_v4",
        .page = pages::hy_v4,
        .rope = pairs,
        .caches = CacheKinds::latent,
        .layer_norm_epsilon = 1e-6F,
        .loader =
            {.keys = "attention.key_length_mla attention.kv_lora_rank attention.value_length_mla "
                     "expert_feed_forward_length expert_shared_count hyper_connection.count "
                     "hyper_connection.epsilon hyper_connection.magnitude",
             .required =
                 "blk.attn_sinks.weight blk.indexer.k_norm.bias output.weight",
             .optional =
                 "blk.attn_gate.weight blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight "
                 "blk.hc_attn_base.weight blk.hc_attn_fn.weight blk.hc_attn_scale.weight "
                 "blk.hc_ffn_base.weight blk.hc_ffn_fn.weight blk.hc_ffn_scale.weight "
                 "blk.indexer.attn_k.weight blk.indexer.attn_q_b.weight blk.indexer.k_norm.weight "
                 "blk.indexer.proj.weight output_hc_base.weight output_hc_fn.weight output_hc_scale.weight",
             .separate_biases = false,
             .combined_bias = false,
             .names_routing = true,
             .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::by_types, .caches_predicted = false}},
    Architecture{
        .name = "internlm2", .page = pages::plain, .rope = pairs, .loader = {.required = "output.weight"}},
    Architecture{
        .name = "jais",
        .page = pages::jais,
        .rope = none,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required =
                       "blk.attn_norm.bias blk.attn_output.bias blk.attn_qkv.bias blk.ffn_down.bias "
                       "blk.ffn_gate.bias blk.ffn_norm.bias blk.ffn_up.bias output.weight output_norm.bias",
                   .separate_biases = false}},
    Architecture{.name = "jais2",
                 .page = pages::jais2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_output.bias blk.ffn_down.bias "
                                        "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias"}},
    Architecture{
        .name = "jamba",
        .page = pages::jamba,
        .rope = none,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .required =
                       "blk.ssm_b_norm.weight blk.ssm_c_norm.weight blk.ssm_dt.bias blk.ssm_dt_norm.weight",
                   .optional = "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d "
                               "blk.ssm_dt.weight blk.ssm_in.weight blk.ssm_out.weight blk.ssm_x.weight",
                   .expert_width = ExpertWidth::dense},
        .memory = {.scheme = CacheScheme::without_heads, .scans_state = true}},
    Architecture{
        .name = "jina-bert-v2",
        .page = pages::jina_bert_v2,
        .rope = none,
        .caches = CacheKinds::none,
        .alibi = 8.0F,
        .gives_embeddings = true,
        .loader =
            {.epsilon_key = kLayerEpsilon,
             .required =
                 "blk.attn_output.bias blk.attn_output_norm.bias blk.ffn_down.bias token_types.weight",
             .optional =
                 "blk.attn_k_norm.bias blk.attn_k_norm.weight blk.attn_norm_2.bias blk.attn_norm_2.weight "
                 "blk.attn_output_norm.weight blk.attn_q_norm.bias blk.attn_q_norm.weight blk.ffn_up.bias "
                 "blk.layer_output_norm.bias blk.layer_output_norm.weight cls.bias cls.weight "
                 "token_embd_norm.bias token_embd_norm.weight"},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "jina-bert-v3",
        .page = pages::jina_bert_v3,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .mask_takes_spaces = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = "blk.attn_output.bias blk.attn_output_norm.weight blk.ffn_down.bias "
                               "blk.ffn_up.bias blk.layer_output_norm.bias blk.layer_output_norm.weight "
                               "token_embd_norm.bias token_embd_norm.weight token_types.weight"},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "kimi-k3",
        .page = pages::kimi_k3,
        .rope = none,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "activation.situ_beta activation.situ_linear_beta attention.key_length_mla "
                           "attention.kv_lora_rank attention.value_length_mla attn_res.block_size "
                           "expert_feed_forward_length expert_gating_func expert_shared_count kda.head_dim "
                           "ssm.conv_kernel",
                   .required =
                       "blk.attn_res_score.weight blk.exp_probs_b.bias blk.ssm_f_b.weight output.weight",
                   .optional =
                       "blk.attn_gate.weight blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight "
                       "blk.ffn_res_score.weight blk.ffn_routed_down.weight blk.ffn_routed_norm.weight "
                       "blk.ffn_routed_up.weight blk.ssm_a blk.ssm_beta.weight blk.ssm_conv1d_k.weight "
                       "blk.ssm_conv1d_q.weight blk.ssm_conv1d_v.weight blk.ssm_dt.bias blk.ssm_f_a.weight "
                       "blk.ssm_g.weight blk.ssm_norm.weight output_res_score.weight",
                   .combined_bias = false,
                   .extents = kLatentExperts,
                   .names_routing = true},
        .memory = {.scheme = CacheScheme::without_heads, .state = StateKind::delta_attention}},
    Architecture{
        .name = "kimi-linear",
        .page = pages::kimi_linear,
        .rope = none,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "attention.key_length_mla attention.kv_lora_rank attention.value_length_mla "
                           "expert_feed_forward_length expert_gating_func expert_shared_count kda.head_dim "
                           "ssm.conv_kernel",
                   .required = "blk.exp_probs_b.bias blk.ssm_f_b.weight blk.ssm_g_b.weight output.weight",
                   .optional =
                       "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight blk.ssm_a blk.ssm_beta.weight "
                       "blk.ssm_conv1d_k.weight blk.ssm_conv1d_q.weight blk.ssm_conv1d_v.weight "
                       "blk.ssm_dt.bias blk.ssm_f_a.weight blk.ssm_g_a.weight blk.ssm_norm.weight",
                   .names_routing = true},
        .memory = {.scheme = CacheScheme::without_heads, .state = StateKind::delta_attention}},
    Architecture{.name = "laguna",
                 .page = pages::laguna,
                 .window = {.kind = kStandard, .period = 4, .full_first = true, .unscaled = true},
                 .loader = {.keys = "expert_feed_forward_length leading_dense_block_count",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.exp_probs_b.bias",
                            .optional = "blk.attn_gate.weight"}},
    Architecture{.name = "lfm2",
                 .page = pages::lfm2,
                 .caches = CacheKinds::hybrid,
                 .window = {.kind = kStandard, .all = true},
                 .loader = {.keys = "shortconv.l_cache",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.shortconv.conv.weight blk.shortconv.in_proj.weight "
                                        "blk.shortconv.out_proj.weight token_embd_norm.weight"},
                 .memory = {.scheme = CacheScheme::without_heads,
                            .state = StateKind::convolution,
                            .final_norm = "token_embd_norm.weight"}},
    Architecture{.name = "lfm2moe",
                 .page = pages::lfm2,
                 .caches = CacheKinds::hybrid,
                 .window = {.ignored = true},
                 .loader = {.keys = "expert_feed_forward_length expert_gating_func shortconv.l_cache",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.exp_probs_b.bias",
                            .optional = "blk.shortconv.conv.weight blk.shortconv.in_proj.weight "
                                        "blk.shortconv.out_proj.weight token_embd_norm.weight",
                            .names_routing = true},
                 .memory = {.scheme = CacheScheme::without_heads,
                            .state = StateKind::convolution,
                            .final_norm = "token_embd_norm.weight"}},
    Architecture{
        .name = "llada",
        .page = pages::llada,
        .rope = pairs,
        .caches = CacheKinds::none,
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias"},
        .memory = {.scheme = CacheScheme::none}},
    Architecture{
        .name = "llada-moe",
        .page = pages::llada_moe,
        .caches = CacheKinds::none,
        .loader =
            {.required =
                 "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight output.weight"},
        .memory = {.scheme = CacheScheme::none}},
    Architecture{
        .name = "llama",
        .page = pages::llama,
        .rope = pairs,
        .older_forms = true,
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{
        .name = "llama-embed",
        .page = pages::llama_embed,
        .rope = pairs,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{.name = "llama4",
                 .page = pages::llama4,
                 .rope = pairs,
                 .window = {.kind = WindowKind::chunked, .period = 4, .width = 8192, .forced_width = 8192},
                 .loader = {.keys = "expert_feed_forward_length interleave_moe_layer_step",
                            .expert_blocks = ExpertBlocks::by_step}},
    Architecture{.name = "maincoder",
                 .page = pages::maincoder,
                 .rope = pairs,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight"}},
    Architecture{
        .name = "mamba",
        .page = pages::mamba,
        .rope = none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = "ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .required = "blk.ssm_dt.bias",
                   .optional = "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d "
                               "blk.ssm_dt.weight blk.ssm_in.weight blk.ssm_out.weight blk.ssm_x.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::recurrent, .scans_state = true}},
    Architecture{
        .name = "mamba2",
        .page = pages::mamba2,
        .rope = none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .required = "blk.ssm_norm.weight",
                   .optional = "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d "
                               "blk.ssm_dt.bias blk.ssm_in.weight blk.ssm_out.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::recurrent, .scans_state = true}},
    Architecture{.name = "maple",
                 .page = pages::maple,
                 .window = {.kind = kStandard},
                 .loader = {.keys = "attention.sliding_window attention.sliding_window_pattern "
                                    "expert_feed_forward_length swiglu_clamp_exp",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight output.weight"}},
    Architecture{
        .name = "mellum",
        .page = pages::mellum,
        .window = {.kind = kStandard, .period = 4},
        .loader =
            {.keys = "expert_feed_forward_length",
             .required =
                 "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight output.weight"}},
    Architecture{
        .name = "mimo2",
        .page = pages::mimo2,
        .window = {.kind = kStandard, .own_base = true},
        .loader = {.keys =
                       "attention.sliding_window attention.sliding_window_pattern expert_feed_forward_length",
                   .required = "output.weight",
                   .optional = "blk.attn_sinks.weight",
                   .any_width = true},
        .memory = {.caches_predicted = false}},
    Architecture{
        .name = "minicpm",
        .page = pages::minicpm,
        .rope = pairs,
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{.name = "minicpm3",
                 .page = pages::minicpm3,
                 .loader = {.keys = "attention.kv_lora_rank",
                            .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false}},
    Architecture{.name = "minimax-01",
                 .page = pages::minimax_01,
                 .caches = CacheKinds::hybrid,
                 .loader = {.keys = "residual_scale",
                            .optional = "blk.attn_gate.weight blk.attn_norm_2.weight",
                            .combined_bias = false,
                            .expert_width = ExpertWidth::dense},
                 .memory = {.scheme = CacheScheme::by_interval, .state = StateKind::linear, .interval = 8}},
    Architecture{.name = "minimax-m2",
                 .page = pages::minimax_m2,
                 .loader = {.keys = "expert_feed_forward_length",
                            .required = "blk.exp_probs_b.bias output.weight",
                            .optional = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .expert_width = ExpertWidth::dense,
                            .names_routing = true}},
    Architecture{
        .name = "minimax-m3",
        .page = pages::minimax_m3,
        .loader = {.keys =
                       "attention.indexer.block_size attention.indexer.head_count "
                       "attention.indexer.key_length attention.indexer.local_blocks attention.indexer.top_k "
                       "expert_feed_forward_length expert_gating_func expert_shared_count",
                   .required =
                       "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.exp_probs_b.bias output.weight",
                   .optional = "blk.indexer.k_norm.weight blk.indexer.k_proj.weight "
                               "blk.indexer.q_norm.weight blk.indexer.q_proj.weight",
                   .names_routing = true,
                   .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::after_dense}},
    Architecture{
        .name = "mistral3",
        .page = pages::mistral3,
        .rope = pairs,
        .yarn = {.reads_betas = true},
        .loader = {.optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .expert_width = ExpertWidth::dense}},
    Architecture{.name = "mistral4",
                 .page = pages::mistral4,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .yarn = {.reads_betas = true, .multiplier_is_tenth = true},
                 .loader = {.keys = "attention.kv_lora_rank expert_feed_forward_length expert_shared_count",
                            .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false,
                            .counts_shared = true}},
    Architecture{
        .name = "modern-bert",
        .page = pages::modern_bert,
        .caches = CacheKinds::none,
        .window = {.kind = WindowKind::symmetric, .period = 3, .full_first = true, .own_base = true},
        .gives_embeddings = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_qkv.weight",
                   .optional =
                       "cls.norm.weight cls.output.bias cls.output.weight cls.weight token_embd_norm.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "mpt",
        .page = pages::mpt,
        .rope = none,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_qkv.weight",
                   .optional =
                       "blk.attn_k_norm.bias blk.attn_k_norm.weight blk.attn_norm.bias blk.attn_output.bias "
                       "blk.attn_q_norm.bias blk.attn_q_norm.weight blk.ffn_down.bias blk.ffn_norm.bias "
                       "blk.ffn_up.bias output_norm.bias position_embd.weight",
                   .separate_biases = false}},
    Architecture{
        .name = "muse-glimmer",
        .page = pages::muse_glimmer,
        .rope = pairs,
        .window = {.kind = kStandard},
        .output_cap = 30.0F,
        .loader = {.keys = "attention.sliding_window logit_scale",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight output.weight",
                   .optional =
                       "blk.attn_gate.weight blk.post_attention_norm.weight blk.post_ffw_norm.weight"}},
    Architecture{.name = "nanbeige", .page = pages::nanbeige, .rope = pairs},
    Architecture{.name = "nemotron",
                 .page = pages::nemotron,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.ffn_norm.bias output.weight output_norm.bias",
                            .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_up.bias"}},
    Architecture{
        .name = "nemotron_h",
        .page = pages::nemotron_h,
        .rope = none,
        .caches = CacheKinds::hybrid,
        .loader =
            {
                .keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                .epsilon_key = kLayerEpsilon,
                .required = "blk.ssm_norm.weight",
                .optional =
                    "blk.attn_output.bias blk.ffn_down.bias blk.ffn_up.bias blk.ssm_a blk.ssm_conv1d.bias "
                    "blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.bias blk.ssm_in.weight blk.ssm_out.weight"},
        .memory = {.scans_state = true}},
    Architecture{
        .name = "nemotron_h_moe",
        .page = pages::nemotron_h,
        .rope = none,
        .caches = CacheKinds::hybrid,
        .loader =
            {
                .keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                .epsilon_key = kLayerEpsilon,
                .required = "blk.ssm_norm.weight",
                .optional =
                    "blk.attn_output.bias blk.ffn_down.bias blk.ffn_up.bias blk.ssm_a blk.ssm_conv1d.bias "
                    "blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.bias blk.ssm_in.weight blk.ssm_out.weight"},
        .memory = {.scans_state = true}},
    Architecture{
        .name = "neo-bert",
        .page = pages::neo_bert,
        .rope = pairs,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .loader = {.required = "blk.attn_qkv.weight",
                   .optional = "cls.bias cls.output.bias cls.output.weight cls.weight enc.output_norm.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "nomic-bert",
        .page = pages::nomic_bert,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = "blk.attn_output.bias blk.attn_output_norm.weight blk.ffn_down.bias "
                               "blk.ffn_up.bias blk.layer_output_norm.bias blk.layer_output_norm.weight "
                               "token_embd_norm.bias token_embd_norm.weight token_types.weight"},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "nomic-bert-moe",
        .page = pages::nomic_bert_moe,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .mask_takes_spaces = true,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_output_norm.bias",
                   .optional = "blk.attn_output.bias blk.attn_output_norm.weight blk.ffn_down.bias "
                               "blk.ffn_up.bias blk.layer_output_norm.bias blk.layer_output_norm.weight "
                               "token_embd_norm.bias token_embd_norm.weight token_types.weight",
                   .expert_width = ExpertWidth::dense},
        .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "olmo", .page = pages::olmo, .rope = pairs, .loader = {.epsilon_key = kLayerEpsilon}},
    Architecture{.name = "olmo2",
                 .page = pages::olmo2,
                 .window = {.kind = kStandard, .period = 4, .unscaled = true},
                 .loader = {.required = "output.weight",
                            .optional = "blk.attn_k_norm.weight blk.attn_q_norm.weight "
                                        "blk.post_attention_norm.weight blk.post_ffw_norm.weight"}},
    Architecture{.name = "olmoe",
                 .page = pages::olmoe,
                 .loader = {.required = "blk.ffn_gate_exps.weight output.weight",
                            .optional = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .expert_width = ExpertWidth::dense}},
    Architecture{.name = "openelm",
                 .page = pages::openelm,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false},
                 .memory = {.head = HeadRule::always_tied}},
    Architecture{
        .name = "orion",
        .page = pages::orion,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_norm.bias blk.ffn_norm.bias output.weight output_norm.bias"}},
    Architecture{.name = "paddleocr",
                 .page = pages::plain,
                 .rope = sections,
                 .loader = {.optional = "blk.attn_output.bias", .expert_width = ExpertWidth::dense}},
    Architecture{.name = "pangu-embedded",
                 .page = pages::pangu_embedded,
                 .loader = {.required = "blk.attn_output.bias"}},
    Architecture{.name = "phi2",
                 .page = pages::phi2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_output.bias blk.ffn_down.bias "
                                        "blk.ffn_up.bias output.bias output.weight output_norm.bias"}},
    Architecture{.name = "phi3", .page = pages::phi3, .window = {.ignored = true}, .older_forms = true},
    Architecture{.name = "phimoe",
                 .page = pages::phimoe,
                 .loader = {.required = "blk.attn_norm.bias blk.attn_output.bias blk.ffn_gate_exps.weight "
                                        "blk.ffn_norm.bias output.bias output.weight output_norm.bias",
                            .expert_width = ExpertWidth::dense}},
    Architecture{.name = "plamo", .page = pages::plamo, .loader = {.required = "output.weight"}},
    Architecture{
        .name = "plamo2",
        .page = pages::plamo2,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .fixed_key = {"ssm.group_count", 0},
                   .required =
                       "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.attn_qkv.weight blk.ssm_dt.bias",
                   .optional = "blk.post_attention_norm blk.post_ffw_norm blk.ssm_a blk.ssm_b_norm "
                               "blk.ssm_c_norm blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.weight "
                               "blk.ssm_dt_norm blk.ssm_in.weight blk.ssm_out.weight blk.ssm_x.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::without_heads, .scans_state = true}},
    Architecture{.name = "plamo3",
                 .page = pages::plamo3,
                 .window = {.kind = kStandard, .period = 8, .own_base = true},
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.attn_qkv.weight",
                            .optional = "blk.post_attention_norm blk.post_ffw_norm",
                            .separate_biases = false,
                            .combined_bias = false}},
    Architecture{.name = "plm",
                 .page = pages::plm,
                 .rope = pairs,
                 .stops_on_flash = true,
                 .loader = {.keys = "attention.kv_lora_rank",
                            .optional = "blk.attn_kv_a_mqa.weight blk.attn_kv_a_norm.weight",
                            .separate_biases = false,
                            .combined_bias = false},
                 .memory = {.head = HeadRule::always_tied}},
    Architecture{.name = "qwen",
                 .page = pages::plain,
                 .loader = {.required = "blk.attn_qkv.bias output.weight",
                            .separate_biases = false,
                            .halves_width = true}},
    Architecture{
        .name = "qwen2", .page = pages::qwen2, .older_forms = true, .loader = {.optional = "output.bias"}},
    Architecture{.name = "qwen2moe",
                 .page = pages::qwen2moe,
                 .loader = {.required = "blk.ffn_gate_exps.weight output.weight"}},
    Architecture{.name = "qwen2vl",
                 .page = pages::plain,
                 .rope = sections,
                 .without_epsilon = true,
                 .loader = {.keys = "rope.dimension_sections", .epsilon_key = "", .optional = "output.bias"}},
    Architecture{.name = "qwen3",
                 .page = pages::qwen3,
                 .older_forms = true,
                 .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "cls.output.weight"}},
    Architecture{.name = "qwen35",
                 .page = pages::qwen35,
                 .rope = interleaved,
                 .caches = CacheKinds::hybrid,
                 .loader = {.keys = "rope.dimension_sections ssm.conv_kernel ssm.group_count ssm.inner_size "
                                    "ssm.state_size ssm.time_step_rank",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "blk.attn_gate.weight blk.post_attention_norm.weight blk.ssm_a "
                                        "blk.ssm_alpha.weight blk.ssm_beta.weight blk.ssm_conv1d.weight "
                                        "blk.ssm_dt.bias blk.ssm_norm.weight blk.ssm_out.weight",
                            .combined_bias = false},
                 .memory = {.scheme = CacheScheme::by_interval, .caches_predicted = false}},
    Architecture{
        .name = "qwen35moe",
        .page = pages::qwen35,
        .rope = interleaved,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "rope.dimension_sections ssm.conv_kernel ssm.group_count ssm.inner_size "
                           "ssm.state_size ssm.time_step_rank",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_up_shexp.weight",
                   .optional = "blk.attn_gate.weight blk.post_attention_norm.weight blk.ssm_a "
                               "blk.ssm_alpha.weight blk.ssm_beta.weight blk.ssm_conv1d.weight "
                               "blk.ssm_dt.bias blk.ssm_norm.weight blk.ssm_out.weight",
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::by_interval, .caches_predicted = false}},
    Architecture{
        .name = "qwen3moe",
        .page = pages::qwen3moe,
        .older_forms = true,
        .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight"}},
    Architecture{
        .name = "qwen3next",
        .page = pages::qwen3next,
        .caches = CacheKinds::hybrid,
        .loader = {.keys = "ssm.conv_kernel ssm.group_count ssm.inner_size ssm.state_size ssm.time_step_rank",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_up_shexp.weight",
                   .optional = "blk.attn_gate.weight blk.post_attention_norm.weight blk.ssm_a "
                               "blk.ssm_ba.weight blk.ssm_conv1d.weight blk.ssm_dt.bias blk.ssm_in.weight "
                               "blk.ssm_norm.weight blk.ssm_out.weight",
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::by_interval, .caches_predicted = false}},
    Architecture{.name = "qwen3tts",
                 .page = pages::qwen3,
                 .rope = interleaved,
                 .loader = {.keys = "rope.dimension_sections",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "cls.output.weight"}},
    Architecture{.name = "qwen3vl",
                 .page = pages::qwen3,
                 .rope = interleaved,
                 .loader = {.keys = "rope.dimension_sections",
                            .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight",
                            .optional = "cls.output.weight"}},
    Architecture{
        .name = "qwen3vlmoe",
        .page = pages::qwen3moe,
        .rope = interleaved,
        .loader = {.keys = "rope.dimension_sections",
                   .required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight"}},
    Architecture{.name = "qwen4exp",
                 .memory = {.scheme = CacheScheme::by_interval,
                            .indexer = IndexerBlocks::with_attention,
                            .caches_predicted = false}},
    Architecture{
        .name = "refact",
        .page = pages::refact,
        .rope = none,
        .alibi = 8.0F,
        .loader = {.required = "blk.ffn_down_exps.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight",
                   .optional = "blk.attn_output.bias blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias",
                   .extents = kExpertRows,
                   .expert_width = ExpertWidth::dense}},
    Architecture{
        .name = "rnd1",
        .page = pages::mellum,
        .caches = CacheKinds::none,
        .loader = {.required = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_gate_exps.weight"},
        .memory = {.scheme = CacheScheme::none}},
    Architecture{
        .name = "rwkv6",
        .page = pages::rwkv6,
        .rope = none,
        .caches = CacheKinds::recurrent,
        .loader =
            {.keys = "time_decay_extra_dim time_mix_extra_dim wkv.head_size",
             .epsilon_key = "",
             .required =
                 "blk.attn_norm.bias blk.attn_norm_2.bias blk.time_mix_first.weight output.weight "
                 "output_norm.bias",
             .optional =
                 "blk.attn_norm_2.weight blk.channel_mix_key.weight blk.channel_mix_lerp_k.weight "
                 "blk.channel_mix_lerp_r.weight blk.channel_mix_receptance.weight "
                 "blk.channel_mix_value.weight blk.time_mix_decay.weight blk.time_mix_decay_w1.weight "
                 "blk.time_mix_decay_w2.weight blk.time_mix_gate.weight blk.time_mix_key.weight "
                 "blk.time_mix_lerp_fused.weight blk.time_mix_lerp_g.weight blk.time_mix_lerp_k.weight "
                 "blk.time_mix_lerp_r.weight blk.time_mix_lerp_v.weight blk.time_mix_lerp_w.weight "
                 "blk.time_mix_lerp_x.weight blk.time_mix_ln.bias blk.time_mix_ln.weight "
                 "blk.time_mix_output.weight blk.time_mix_receptance.weight blk.time_mix_value.weight "
                 "blk.time_mix_w1.weight blk.time_mix_w2.weight token_embd_norm.bias token_embd_norm.weight",
             .separate_biases = false,
             .combined_bias = false,
             .extents = kTimeMixRanks},
        .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv}},
    Architecture{
        .name = "rwkv6qwen2",
        .page = pages::rwkv6qwen2,
        .rope = none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = "time_decay_extra_dim time_mix_extra_dim wkv.head_size",
                   .epsilon_key = "",
                   .fixed_key = {"token_shift_count", 1},
                   .required = "output.weight",
                   .optional =
                       "blk.time_mix_decay.weight blk.time_mix_decay_w1.weight blk.time_mix_decay_w2.weight "
                       "blk.time_mix_first.weight blk.time_mix_gate.weight blk.time_mix_key.bias "
                       "blk.time_mix_key.weight blk.time_mix_lerp_fused.weight blk.time_mix_lerp_x.weight "
                       "blk.time_mix_output.weight blk.time_mix_receptance.bias "
                       "blk.time_mix_receptance.weight blk.time_mix_value.bias blk.time_mix_value.weight "
                       "blk.time_mix_w1.weight blk.time_mix_w2.weight output_norm.bias",
                   .separate_biases = false,
                   .combined_bias = false,
                   .extents = kTimeMixRanks},
        .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv, .token_shifts = 1}},
    Architecture{
        .name = "rwkv7",
        .page = pages::rwkv7,
        .rope = none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = "attention.decay_lora_rank attention.iclr_lora_rank "
                           "attention.value_residual_mix_lora_rank wkv.head_size",
                   .epsilon_key = "",
                   .required = "blk.attn_norm.bias blk.attn_norm_2.bias blk.time_mix_ln.weight output.weight "
                               "output_norm.bias",
                   .optional =
                       "blk.attn_norm_2.weight blk.channel_mix_key.weight blk.channel_mix_lerp_k.weight "
                       "blk.channel_mix_value.weight blk.time_mix_a0.weight blk.time_mix_a1.weight "
                       "blk.time_mix_a2.weight blk.time_mix_g1.weight blk.time_mix_g2.weight "
                       "blk.time_mix_k_a.weight blk.time_mix_k_k.weight blk.time_mix_key.weight "
                       "blk.time_mix_lerp_fused.weight blk.time_mix_ln.bias blk.time_mix_output.weight "
                       "blk.time_mix_r_k.weight blk.time_mix_receptance.weight blk.time_mix_v0.weight "
                       "blk.time_mix_v1.weight blk.time_mix_v2.weight blk.time_mix_value.weight "
                       "blk.time_mix_w0.weight blk.time_mix_w1.weight blk.time_mix_w2.weight "
                       "token_embd_norm.bias token_embd_norm.weight",
                   .separate_biases = false,
                   .combined_bias = false,
                   .extents = kLoraRanks},
        .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv}},
    Architecture{.name = "seed_oss",
                 .page = pages::seed_oss,
                 .loader = {.optional = "blk.post_attention_norm.weight"}},
    Architecture{.name = "smallthinker",
                 .page = pages::smallthinker,
                 .window = {.kind = kStandard, .period = 4, .forced_width = 4096, .full_first = true}},
    Architecture{.name = "smollm3", .page = pages::smollm3, .rope = pairs},
    Architecture{.name = "spark2_5",
                 .page = pages::spark2_5,
                 .window = {.kind = kStandard},
                 .loader = {.keys = "attention.sliding_window attention.sliding_window_pattern",
                            .optional = "blk.attn_gate.weight",
                            .extents = kGatePerHead}},
    Architecture{.name = "stablelm",
                 .page = pages::stablelm,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias output.weight output_norm.bias",
                            .optional = "blk.attn_k_norm.weight blk.attn_q_norm.weight blk.ffn_norm.bias"}},
    Architecture{
        .name = "starcoder",
        .page = pages::gpt2,
        .rope = none,
        .loader = {.epsilon_key = kLayerEpsilon,
                   .required = "blk.attn_norm.bias blk.attn_output.bias blk.attn_qkv.bias blk.ffn_down.bias "
                               "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias",
                   .optional = "position_embd.weight",
                   .separate_biases = false}},
    Architecture{.name = "starcoder2",
                 .page = pages::starcoder2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_output.bias blk.ffn_down.bias "
                                        "blk.ffn_norm.bias blk.ffn_up.bias output_norm.bias"}},
    Architecture{
        .name = "step35",
        .page = pages::step35,
        .window = {.kind = kStandard, .own_base = true},
        .loader = {.keys =
                       "attention.sliding_window attention.sliding_window_pattern expert_feed_forward_length",
                   .required = "output.weight",
                   .optional = "blk.attn_gate.weight blk.attn_k_norm.weight blk.attn_q_norm.weight",
                   .any_width = true},
        .memory = {.caches_predicted = false}},
    Architecture{
        .name = "t5",
        .page = pages::t5,
        .rope = none,
        .reads_encoder = true,
        .loader =
            {.keys = "attention.relative_buckets_count",
             .optional =
                 "dec.blk.attn_k.weight dec.blk.attn_norm.weight dec.blk.attn_o.weight dec.blk.attn_q.weight "
                 "dec.blk.attn_rel_b.weight dec.blk.attn_v.weight dec.blk.cross_attn_k.weight "
                 "dec.blk.cross_attn_norm.weight dec.blk.cross_attn_o.weight dec.blk.cross_attn_q.weight "
                 "dec.blk.cross_attn_rel_b.weight dec.blk.cross_attn_v.weight dec.blk.ffn_down.weight "
                 "dec.blk.ffn_gate.weight dec.blk.ffn_norm.weight dec.blk.ffn_up.weight "
                 "dec.output_norm.weight enc.blk.attn_k.weight enc.blk.attn_norm.weight "
                 "enc.blk.attn_o.weight enc.blk.attn_q.weight enc.blk.attn_rel_b.weight "
                 "enc.blk.attn_v.weight enc.blk.ffn_down.weight enc.blk.ffn_gate.weight "
                 "enc.blk.ffn_norm.weight enc.blk.ffn_up.weight enc.output_norm.weight",
             .separate_biases = false,
             .combined_bias = false},
        .memory = {.scheme = CacheScheme::every_block}},
    Architecture{
        .name = "t5encoder",
        .page = pages::t5encoder,
        .rope = none,
        .caches = CacheKinds::none,
        .gives_embeddings = true,
        .loader = {.keys = "attention.relative_buckets_count",
                   .optional = "enc.blk.attn_k.weight enc.blk.attn_norm.weight enc.blk.attn_o.weight "
                               "enc.blk.attn_q.weight enc.blk.attn_rel_b.weight enc.blk.attn_v.weight "
                               "enc.blk.ffn_down.weight enc.blk.ffn_gate.weight enc.blk.ffn_norm.weight "
                               "enc.blk.ffn_up.weight enc.output_norm.weight",
                   .separate_biases = false,
                   .combined_bias = false},
        .memory = {.scheme = CacheScheme::every_block}},
    Architecture{.name = "talkie",
                 .page = pages::talkie,
                 .loader = {.keys = "logit_scale",
                            .required = "output.weight",
                            .optional = "blk.attn_q_norm.weight blk.layer_output_scale.weight"}},
    Architecture{.name = "wavtokenizer-dec", .memory = {.scheme = CacheScheme::none, .head = HeadRule::none}},
    Architecture{
        .name = "xverse", .page = pages::plain, .rope = pairs, .loader = {.required = "output.weight"}},
};

}  // namespace

std::span<const Architecture> architectures() {
    return kArchitectures;
}

const Architecture* find_architecture(std::string_view name) {
    const auto found = std::ranges::find(kArchitectures, name, &Architecture::name);
    return found == kArchitectures.end() ? nullptr : &*found;
}

const Architecture& architecture_or_default(std::string_view name) {
    static constexpr Architecture kDefault{};
    const Architecture* found = find_architecture(name);
    return found == nullptr ? kDefault : *found;
}

}  // namespace splitscope
