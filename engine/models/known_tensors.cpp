// SPDX-License-Identifier: MIT
#include "engine/models/known_tensors.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/models/name_list.hpp"

namespace splitscope {
namespace {

/// A kind of tensor, without the number of its block, and the architectures whose loader knows it.
struct TensorKind {
    std::string_view kind;
    std::string_view architectures;  ///< separated by spaces
    bool only_these = true;          ///< or all others
};

// Found by adding tensors to the golden headers and loading them with llama.cpp v0.5.0.
constexpr auto kTensorKinds = std::to_array<TensorKind>({
    {"altup_proj.weight", "gemma3n"},
    {"altup_unembd_proj.weight", "gemma3n"},
    {"blk.altup_correct_coef.weight", "gemma3n"},
    {"blk.altup_correct_scale.weight", "gemma3n"},
    {"blk.altup_predict_coef.weight", "gemma3n"},
    {"blk.altup_router.weight", "gemma3n"},
    {"blk.altup_router_norm.weight", "gemma3n"},
    {"blk.attn_compressor_ape.weight", "deepseek4"},
    {"blk.attn_compressor_gate.weight", "deepseek4"},
    {"blk.attn_compressor_kv.weight", "deepseek4"},
    {"blk.attn_compressor_norm.weight", "deepseek4"},
    {"blk.attn_gate.weight",
     "afmoe bailingmoe3 dots3note hrm_text hy_v4 kimi-k3 laguna minimax-01 muse-glimmer "
     "qwen35 qwen35moe qwen3next qwen4exp spark2_5 step35"},
    {"blk.attn_k.bias",
     "bailingmoe2 bitnet bloom cogvlm dbrx deepseek2 deepseek32 deepseek4 dots3note falcon "
     "gemma4 glm-dsa gpt2 gptneox hy_v4 jais mamba mamba2 minicpm3 mistral4 modern-bert mpt "
     "neo-bert openelm plamo2 plamo3 plm qwen rwkv6 rwkv6qwen2 rwkv7 starcoder t5 t5encoder "
     "wavtokenizer-dec",
     false},
    {"blk.attn_k_norm.bias", "apertus chameleon jina-bert-v2 mpt"},
    {"blk.attn_k_norm.weight",
     "afmoe apertus bailingmoe2 chameleon dots1 dots3note exaone-moe exaone4 gemma-embedding "
     "gemma3 gemma3n gemma4 glm4moe grovemoe hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 "
     "jina-bert-v2 laguna lfm2 lfm2moe llada-moe maincoder maple mellum minimax-m2 minimax-m3 "
     "mpt muse-glimmer olmo2 olmoe openelm plamo2 plamo3 qwen3 qwen35 qwen35moe qwen3moe "
     "qwen3next qwen3tts qwen3vl qwen3vlmoe qwen4exp rnd1 stablelm step35"},
    {"blk.attn_kv.weight", "deepseek4"},
    {"blk.attn_kv_a_mqa.weight",
     "bailingmoe3 deepseek2 deepseek32 dots3note glm-dsa hy_v4 kimi-k3 kimi-linear minicpm3 "
     "mistral4 plm"},
    {"blk.attn_kv_a_norm.weight",
     "bailingmoe3 deepseek2 deepseek32 deepseek4 dots3note glm-dsa hy_v4 kimi-k3 kimi-linear "
     "minicpm3 mistral4 plm"},
    {"blk.attn_norm.bias",
     "bloom codeshell falcon gpt2 gptneox jais jais2 mpt nemotron orion phi2 phimoe rwkv6 "
     "rwkv7 stablelm starcoder starcoder2"},
    {"blk.attn_norm_2.bias", "falcon jina-bert-v2 rwkv6 rwkv7"},
    {"blk.attn_norm_2.weight", "falcon jina-bert-v2 minimax-01 rwkv6 rwkv7"},
    {"blk.attn_output.bias",
     "apertus bert bloom codeshell deci ernie4_5 ernie4_5-moe falcon-h1 gpt-oss gpt2 gptneox "
     "granite granite_swa granitehybrid granitemoe jais jais2 jina-bert-v2 jina-bert-v3 llada "
     "llama llama-embed minicpm mistral3 mpt nemotron nemotron_h nemotron_h_moe nomic-bert "
     "nomic-bert-moe paddleocr pangu-embedded phi2 phimoe refact starcoder starcoder2"},
    {"blk.attn_output_a.weight", "deepseek4"},
    {"blk.attn_output_b.weight", "deepseek4"},
    {"blk.attn_output_norm.bias", "bert jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
    {"blk.attn_output_norm.weight", "bert dbrx grok jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
    {"blk.attn_q.bias",
     "bailingmoe2 bitnet bloom cogvlm dbrx deepseek2 deepseek32 deepseek4 dots3note falcon "
     "gemma4 glm-dsa gpt2 gptneox hy_v4 jais mamba mamba2 minicpm3 mistral4 modern-bert mpt "
     "neo-bert openelm plamo2 plamo3 plm qwen rwkv6 rwkv6qwen2 rwkv7 starcoder t5 t5encoder "
     "wavtokenizer-dec",
     false},
    {"blk.attn_q_norm.bias", "apertus chameleon jina-bert-v2 mpt"},
    {"blk.attn_q_norm.weight",
     "afmoe apertus bailingmoe2 chameleon dots1 exaone-moe exaone4 gemma-embedding gemma3 "
     "gemma3n gemma4 glm4moe grovemoe hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 jina-bert-v2 "
     "laguna lfm2 lfm2moe llada-moe maincoder maple mellum minimax-m2 minimax-m3 mpt "
     "muse-glimmer olmo2 olmoe openelm plamo2 plamo3 qwen3 qwen35 qwen35moe qwen3moe "
     "qwen3next qwen3tts qwen3vl qwen3vlmoe qwen4exp rnd1 stablelm step35 talkie"},
    {"blk.attn_qkv.bias",
     "bailingmoe2 bailingmoe3 bitnet cogvlm dbrx deepseek2 deepseek32 deepseek4 dots3note falcon "
     "gemma4 glm-dsa hy_v4 kimi-k3 mamba mamba2 minicpm3 minimax-01 mistral4 modern-bert neo-bert "
     "openelm plamo2 plamo3 plm qwen35 qwen35moe qwen3next qwen4exp rwkv6 rwkv6qwen2 rwkv7 t5 "
     "t5encoder wavtokenizer-dec",
     false},
    {"blk.attn_res_score.weight", "kimi-k3"},
    {"blk.attn_sinks.weight", "deepseek4 gpt-oss granite_swa hy_v4 mimo2"},
    {"blk.attn_sub_norm.weight", "bitnet"},
    {"blk.attn_v.bias",
     "bailingmoe2 bitnet bloom cogvlm dbrx deepseek2 deepseek32 deepseek4 dots3note falcon "
     "gemma4 glm-dsa gpt2 gptneox hy_v4 jais mamba mamba2 minicpm3 mistral4 modern-bert mpt "
     "neo-bert openelm plamo2 plamo3 plm qwen rwkv6 rwkv6qwen2 rwkv7 starcoder t5 t5encoder "
     "wavtokenizer-dec",
     false},
    {"blk.channel_mix_key.weight", "rwkv6 rwkv7"},
    {"blk.channel_mix_lerp_k.weight", "rwkv6 rwkv7"},
    {"blk.channel_mix_lerp_r.weight", "rwkv6"},
    {"blk.channel_mix_receptance.weight", "rwkv6"},
    {"blk.channel_mix_value.weight", "rwkv6 rwkv7"},
    {"blk.exp_probs_b", "hy_v3"},
    {"blk.exp_probs_b_vl.bias", "deepseek4"},
    {"blk.ffn_down.bias",
     "bert bloom codeshell deci falcon-h1 gpt2 gptneox granite granite_swa granitehybrid "
     "granitemoe jais jais2 jina-bert-v2 jina-bert-v3 llada llama llama-embed minicpm "
     "mistral3 mpt nemotron nemotron_h nemotron_h_moe nomic-bert nomic-bert-moe phi2 refact "
     "starcoder starcoder2"},
    {"blk.ffn_down_chexps.weight", "grovemoe"},
    {"blk.ffn_down_exps.bias", "gpt-oss"},
    {"blk.ffn_gate.bias",
     "deci falcon-h1 granite granite_swa granitehybrid granitemoe jais llada llama "
     "llama-embed minicpm mistral3 refact"},
    {"blk.ffn_gate_chexps.weight", "grovemoe"},
    {"blk.ffn_gate_exps.bias", "gpt-oss"},
    {"blk.ffn_gate_inp.bias", "gpt-oss"},
    {"blk.ffn_norm", "falcon-h1"},
    {"blk.ffn_norm.bias",
     "bloom codeshell gpt2 gptneox jais jais2 mpt nemotron orion phimoe stablelm starcoder "
     "starcoder2"},
    {"blk.ffn_norm_exps.weight", "arctic"},
    {"blk.ffn_res_score.weight", "kimi-k3"},
    {"blk.ffn_routed_down.weight", "kimi-k3"},
    {"blk.ffn_routed_norm.weight", "kimi-k3"},
    {"blk.ffn_routed_up.weight", "kimi-k3"},
    {"blk.ffn_sub_norm.weight", "bitnet"},
    {"blk.ffn_up.bias",
     "bert bloom codeshell deci falcon-h1 gpt2 gptneox granite granite_swa granitehybrid "
     "granitemoe jais jais2 jina-bert-v2 jina-bert-v3 llada llama llama-embed minicpm "
     "mistral3 mpt nemotron nemotron_h nemotron_h_moe nomic-bert nomic-bert-moe phi2 refact "
     "starcoder starcoder2"},
    {"blk.ffn_up_chexps.weight", "grovemoe"},
    {"blk.ffn_up_exps.bias", "gpt-oss"},
    {"blk.hc_attn_base.weight", "deepseek4 hy_v4"},
    {"blk.hc_attn_down.weight", "qwen4exp"},
    {"blk.hc_attn_fn.weight", "deepseek4 hy_v4"},
    {"blk.hc_attn_inject.weight", "qwen4exp"},
    {"blk.hc_attn_norm.weight", "qwen4exp"},
    {"blk.hc_attn_scale.weight", "deepseek4 hy_v4"},
    {"blk.hc_attn_up.weight", "qwen4exp"},
    {"blk.hc_ffn_base.weight", "deepseek4 hy_v4"},
    {"blk.hc_ffn_down.weight", "qwen4exp"},
    {"blk.hc_ffn_fn.weight", "deepseek4 hy_v4"},
    {"blk.hc_ffn_inject.weight", "qwen4exp"},
    {"blk.hc_ffn_norm.weight", "qwen4exp"},
    {"blk.hc_ffn_scale.weight", "deepseek4 hy_v4"},
    {"blk.hc_ffn_up.weight", "qwen4exp"},
    {"blk.indexer.attn_k.weight", "deepseek32 dots3note glm-dsa hy_v4"},
    {"blk.indexer.attn_q_b.weight", "deepseek32 deepseek4 dots3note glm-dsa hy_v4"},
    {"blk.indexer.k_norm.bias", "deepseek32 dots3note glm-dsa hy_v4"},
    {"blk.indexer.k_norm.weight", "deepseek32 dots3note glm-dsa hy_v4 minimax-m3 qwen4exp"},
    {"blk.indexer.k_proj.weight", "minimax-m3 qwen4exp"},
    {"blk.indexer.proj.weight", "deepseek32 deepseek4 dots3note glm-dsa hy_v4"},
    {"blk.indexer.q_norm.weight", "minimax-m3 qwen4exp"},
    {"blk.indexer.q_proj.weight", "minimax-m3 qwen4exp"},
    {"blk.indexer_compressor_ape.weight", "deepseek4"},
    {"blk.indexer_compressor_gate.weight", "deepseek4"},
    {"blk.indexer_compressor_kv.weight", "deepseek4"},
    {"blk.indexer_compressor_norm.weight", "deepseek4"},
    {"blk.inp_gate.weight", "gemma3n gemma4"},
    {"blk.laurel_l.weight", "gemma3n"},
    {"blk.laurel_post_norm.weight", "gemma3n"},
    {"blk.laurel_r.weight", "gemma3n"},
    {"blk.layer_output_norm.bias", "bert jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
    {"blk.layer_output_norm.weight", "bert grok jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
    {"blk.layer_output_scale.weight", "gemma4 talkie"},
    {"blk.ple_conv1d.weight", "qwen4exp"},
    {"blk.ple_key.weight", "qwen4exp"},
    {"blk.ple_norm_conv.weight", "qwen4exp"},
    {"blk.ple_norm_key.weight", "qwen4exp"},
    {"blk.ple_norm_query.weight", "qwen4exp"},
    {"blk.ple_value.weight", "qwen4exp"},
    {"blk.post_attention_norm", "plamo2 plamo3"},
    {"blk.post_attention_norm.weight",
     "afmoe exaone4 gemma-embedding gemma2 gemma3 gemma3n gemma4 glm4 glm4moe gpt-oss "
     "muse-glimmer olmo2 qwen35 qwen35moe qwen3next seed_oss"},
    {"blk.post_ffw_norm", "plamo2 plamo3"},
    {"blk.post_ffw_norm.weight",
     "afmoe exaone4 gemma-embedding gemma2 gemma3 gemma3n gemma4 glm4 grok muse-glimmer olmo2"},
    {"blk.post_norm.weight", "gemma3n gemma4"},
    {"blk.proj.weight", "gemma3n gemma4"},
    {"blk.shortconv.conv.weight", "lfm2 lfm2moe"},
    {"blk.shortconv.in_proj.weight", "lfm2 lfm2moe"},
    {"blk.shortconv.out_proj.weight", "lfm2 lfm2moe"},
    {"blk.ssm_a",
     "bailingmoe3 falcon-h1 granitehybrid jamba kimi-k3 kimi-linear mamba mamba2 nemotron_h "
     "nemotron_h_moe plamo2 qwen35 qwen35moe qwen3next qwen4exp"},
    {"blk.ssm_alpha.weight", "qwen35 qwen35moe qwen4exp"},
    {"blk.ssm_b_norm", "plamo2"},
    {"blk.ssm_b_norm.weight", "jamba"},
    {"blk.ssm_ba.weight", "qwen3next"},
    {"blk.ssm_beta.weight", "bailingmoe3 kimi-k3 kimi-linear qwen35 qwen35moe qwen4exp"},
    {"blk.ssm_c_norm", "plamo2"},
    {"blk.ssm_c_norm.weight", "jamba"},
    {"blk.ssm_conv1d.bias", "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe"},
    {"blk.ssm_conv1d.weight",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 "
     "qwen35moe qwen3next qwen4exp"},
    {"blk.ssm_conv1d_k.weight", "bailingmoe3 kimi-k3 kimi-linear"},
    {"blk.ssm_conv1d_q.weight", "bailingmoe3 kimi-k3 kimi-linear"},
    {"blk.ssm_conv1d_v.weight", "bailingmoe3 kimi-k3 kimi-linear"},
    {"blk.ssm_d", "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2"},
    {"blk.ssm_dt.bias",
     "bailingmoe3 falcon-h1 granitehybrid jamba kimi-k3 kimi-linear mamba mamba2 nemotron_h "
     "nemotron_h_moe plamo2 qwen35 qwen35moe qwen3next qwen4exp"},
    {"blk.ssm_dt.weight", "jamba mamba plamo2"},
    {"blk.ssm_dt_norm", "plamo2"},
    {"blk.ssm_dt_norm.weight", "jamba"},
    {"blk.ssm_f_a.weight", "bailingmoe3 kimi-k3 kimi-linear"},
    {"blk.ssm_f_b.weight", "kimi-k3 kimi-linear"},
    {"blk.ssm_g.weight", "kimi-k3"},
    {"blk.ssm_g_a.weight", "bailingmoe3 kimi-linear"},
    {"blk.ssm_g_b.weight", "kimi-linear"},
    {"blk.ssm_in.weight",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen3next"},
    {"blk.ssm_norm.weight",
     "bailingmoe3 falcon-h1 granitehybrid kimi-k3 kimi-linear mamba2 nemotron_h "
     "nemotron_h_moe qwen35 qwen35moe qwen3next qwen4exp"},
    {"blk.ssm_out.weight",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 "
     "qwen35moe qwen3next qwen4exp"},
    {"blk.ssm_x.weight", "jamba mamba plamo2"},
    {"blk.time_mix_a0.weight", "rwkv7"},
    {"blk.time_mix_a1.weight", "rwkv7"},
    {"blk.time_mix_a2.weight", "rwkv7"},
    {"blk.time_mix_decay.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_decay_w1.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_decay_w2.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_first.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_g1.weight", "rwkv7"},
    {"blk.time_mix_g2.weight", "rwkv7"},
    {"blk.time_mix_gate.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_k_a.weight", "rwkv7"},
    {"blk.time_mix_k_k.weight", "rwkv7"},
    {"blk.time_mix_key.bias", "rwkv6qwen2"},
    {"blk.time_mix_key.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_lerp_fused.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_lerp_g.weight", "rwkv6"},
    {"blk.time_mix_lerp_k.weight", "rwkv6"},
    {"blk.time_mix_lerp_r.weight", "rwkv6"},
    {"blk.time_mix_lerp_v.weight", "rwkv6"},
    {"blk.time_mix_lerp_w.weight", "rwkv6"},
    {"blk.time_mix_lerp_x.weight", "rwkv6 rwkv6qwen2"},
    {"blk.time_mix_ln.bias", "rwkv6 rwkv7"},
    {"blk.time_mix_ln.weight", "rwkv6 rwkv7"},
    {"blk.time_mix_output.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_r_k.weight", "rwkv7"},
    {"blk.time_mix_receptance.bias", "rwkv6qwen2"},
    {"blk.time_mix_receptance.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_v0.weight", "rwkv7"},
    {"blk.time_mix_v1.weight", "rwkv7"},
    {"blk.time_mix_v2.weight", "rwkv7"},
    {"blk.time_mix_value.bias", "rwkv6qwen2"},
    {"blk.time_mix_value.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_w0.weight", "rwkv7"},
    {"blk.time_mix_w1.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.time_mix_w2.weight", "rwkv6 rwkv6qwen2 rwkv7"},
    {"blk.vis_attn_output.weight", "cogvlm"},
    {"blk.vis_attn_qkv.weight", "cogvlm"},
    {"blk.vis_down.weight", "cogvlm"},
    {"blk.vis_gate.weight", "cogvlm"},
    {"blk.vis_up.weight", "cogvlm"},
    {"cls.bias", "bert jina-bert-v2 neo-bert"},
    {"cls.norm.weight", "modern-bert"},
    {"cls.output.bias", "bert modern-bert neo-bert"},
    {"cls.output.weight", "bert modern-bert neo-bert qwen3 qwen3tts qwen3vl"},
    {"cls.weight", "bert jina-bert-v2 modern-bert neo-bert"},
    {"conv1d.bias", "wavtokenizer-dec"},
    {"conv1d.weight", "wavtokenizer-dec"},
    {"convnext.dw.bias", "wavtokenizer-dec"},
    {"convnext.dw.weight", "wavtokenizer-dec"},
    {"convnext.gamma.weight", "wavtokenizer-dec"},
    {"convnext.norm.bias", "wavtokenizer-dec"},
    {"convnext.norm.weight", "wavtokenizer-dec"},
    {"convnext.pw1.bias", "wavtokenizer-dec"},
    {"convnext.pw1.weight", "wavtokenizer-dec"},
    {"convnext.pw2.bias", "wavtokenizer-dec"},
    {"convnext.pw2.weight", "wavtokenizer-dec"},
    {"dec.blk.attn_k.weight", "t5"},
    {"dec.blk.attn_norm.weight", "t5"},
    {"dec.blk.attn_o.weight", "t5"},
    {"dec.blk.attn_q.weight", "t5"},
    {"dec.blk.attn_rel_b.weight", "t5"},
    {"dec.blk.attn_v.weight", "t5"},
    {"dec.blk.cross_attn_k.weight", "t5"},
    {"dec.blk.cross_attn_norm.weight", "t5"},
    {"dec.blk.cross_attn_o.weight", "t5"},
    {"dec.blk.cross_attn_q.weight", "t5"},
    {"dec.blk.cross_attn_rel_b.weight", "t5"},
    {"dec.blk.cross_attn_v.weight", "t5"},
    {"dec.blk.ffn_down.weight", "t5"},
    {"dec.blk.ffn_gate.weight", "t5"},
    {"dec.blk.ffn_norm.weight", "t5"},
    {"dec.blk.ffn_up.weight", "t5"},
    {"dec.output_norm.weight", "t5"},
    {"enc.blk.attn_k.weight", "t5 t5encoder"},
    {"enc.blk.attn_norm.weight", "t5 t5encoder"},
    {"enc.blk.attn_o.weight", "t5 t5encoder"},
    {"enc.blk.attn_q.weight", "t5 t5encoder"},
    {"enc.blk.attn_rel_b.weight", "t5 t5encoder"},
    {"enc.blk.attn_v.weight", "t5 t5encoder"},
    {"enc.blk.ffn_down.weight", "t5 t5encoder"},
    {"enc.blk.ffn_gate.weight", "t5 t5encoder"},
    {"enc.blk.ffn_norm.weight", "t5 t5encoder"},
    {"enc.blk.ffn_up.weight", "t5 t5encoder"},
    {"enc.output_norm.weight", "neo-bert t5 t5encoder"},
    {"hrm.z_l_init", "hrm_text"},
    {"output.bias", "dream phi2 phimoe qwen2 qwen2vl wavtokenizer-dec"},
    {"output.weight",
     "bert bitnet cohere2 command-r eurobert gemma gemma2 jina-bert-v2 jina-bert-v3 "
     "modern-bert neo-bert nomic-bert nomic-bert-moe openelm plm",
     false},
    {"output_hc_base.weight", "deepseek4 hy_v4"},
    {"output_hc_down.weight", "qwen4exp"},
    {"output_hc_fn.weight", "deepseek4 hy_v4"},
    {"output_hc_norm.weight", "qwen4exp"},
    {"output_hc_scale.weight", "deepseek4 hy_v4"},
    {"output_hc_up.weight", "qwen4exp"},
    {"output_norm.bias",
     "bloom codeshell falcon gpt2 gptneox jais jais2 mpt nemotron orion phi2 phimoe rwkv6 "
     "rwkv6qwen2 rwkv7 stablelm starcoder starcoder2 wavtokenizer-dec"},
    {"output_res_score.weight", "kimi-k3"},
    {"per_layer_model_proj.weight", "gemma3n gemma4"},
    {"per_layer_proj_norm.weight", "gemma3n gemma4"},
    {"per_layer_token_embd.weight", "gemma3n gemma4 qwen4exp"},
    {"position_embd.weight", "bert gpt2 mpt starcoder"},
    {"posnet.conv1.bias", "wavtokenizer-dec"},
    {"posnet.conv1.weight", "wavtokenizer-dec"},
    {"posnet.conv2.bias", "wavtokenizer-dec"},
    {"posnet.conv2.weight", "wavtokenizer-dec"},
    {"posnet.norm1.bias", "wavtokenizer-dec"},
    {"posnet.norm1.weight", "wavtokenizer-dec"},
    {"posnet.norm2.bias", "wavtokenizer-dec"},
    {"posnet.norm2.weight", "wavtokenizer-dec"},
    {"token_embd_norm.bias",
     "bert bloom jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe rwkv6 rwkv7 "
     "wavtokenizer-dec"},
    {"token_embd_norm.weight",
     "bert bloom jina-bert-v2 jina-bert-v3 lfm2 lfm2moe modern-bert nomic-bert nomic-bert-moe "
     "rwkv6 rwkv7 wavtokenizer-dec"},
    {"token_types.weight", "bert jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
});

/// Whether they are known depends on the hyperparameters. Those of prediction blocks, and the scales of
/// quantised weights, belong to many architectures.
constexpr std::string_view kUsualTensors =
    "token_embd.weight output_norm.weight blk.attn_norm.weight blk.attn_q.weight blk.attn_k.weight "
    "blk.attn_v.weight blk.attn_qkv.weight blk.attn_output.weight blk.ffn_norm.weight blk.ffn_gate.weight "
    "blk.ffn_up.weight blk.ffn_down.weight blk.ffn_gate_inp.weight blk.ffn_gate_exps.weight "
    "blk.ffn_up_exps.weight blk.ffn_down_exps.weight blk.ffn_gate_up_exps.weight blk.exp_probs_b.bias "
    "blk.ffn_gate_inp_shexp.weight blk.ffn_gate_shexp.weight blk.ffn_up_shexp.weight "
    "blk.ffn_down_shexp.weight blk.attn_q_a.weight blk.attn_q_a_norm.weight blk.attn_q_b.weight "
    "blk.attn_kv_b.weight blk.attn_k_b.weight blk.attn_v_b.weight blk.attn_conv_base.weight "
    "blk.attn_conv_proj.weight blk.ffn_conv_base.weight blk.ffn_conv_proj.weight "
    "blk.ffn_gate_tid2eid.weight blk.ffn_latent_down.weight blk.ffn_latent_up.weight "
    "blk.pre_ffw_norm_2.weight blk.post_ffw_norm_1.weight blk.post_ffw_norm_2.weight rope_freqs.weight "
    "rope_factors_long.weight rope_factors_short.weight";

bool is_usual(std::string_view kind) {
    return lists(kUsualTensors, kind) || kind.find("nextn.") != std::string_view::npos ||
           kind.ends_with(".scale") || kind.ends_with(".input_scale");
}

}  // namespace

std::string kind_of_tensor(std::string_view name) {
    std::string kind;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('.'), name.size() - 1) + 1;
        const std::string_view part = name.substr(0, end);
        // The number of a block follows its word.
        const bool number = !kind.empty() && std::isdigit(static_cast<unsigned char>(part[0])) != 0;
        if (!number) kind += part;
        name.remove_prefix(end);
    }
    return kind;
}

bool loader_knows(std::string_view architecture, std::string_view tensor) {
    const std::string kind = kind_of_tensor(tensor);
    if (is_usual(kind)) return true;
    for (const TensorKind& row : kTensorKinds)
        if (row.kind == kind) return lists(row.architectures, architecture) == row.only_these;
    return false;
}

}  // namespace splitscope
