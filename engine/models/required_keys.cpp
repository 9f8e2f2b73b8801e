// SPDX-License-Identifier: MIT
#include "engine/models/required_keys.hpp"

#include <array>

#include "engine/models/name_list.hpp"

namespace splitscope {
namespace {

struct RequiredKey {
    std::string_view key;
    std::string_view architectures;  ///< separated by spaces
};

// Found by removing each key from the golden headers and loading them with llama.cpp v0.5.0.
constexpr auto kRequired = std::to_array<RequiredKey>({
    {"activation.situ_beta", "kimi-k3"},
    {"activation.situ_linear_beta", "kimi-k3"},
    {"xielu.alpha_n", "apertus"},
    {"xielu.alpha_p", "apertus"},
    {"attention.clamp_kqv", "dbrx"},
    {"attention.compress_ratios", "deepseek4"},
    {"attention.compress_rope_freq_base", "deepseek4"},
    {"attention.decay_lora_rank", "rwkv7"},
    {"attention.group_norm_epsilon", "wavtokenizer-dec"},
    {"attention.group_norm_groups", "wavtokenizer-dec"},
    {"attention.iclr_lora_rank", "rwkv7"},
    {"attention.indexer.block_size", "minimax-m3"},
    {"attention.indexer.head_count", "deepseek32 deepseek4 dots3note glm-dsa minimax-m3 qwen4exp"},
    {"attention.indexer.key_length", "deepseek32 deepseek4 dots3note glm-dsa minimax-m3 qwen4exp"},
    {"attention.indexer.local_blocks", "minimax-m3"},
    {"attention.indexer.top_k", "deepseek32 deepseek4 dots3note glm-dsa minimax-m3 qwen4exp"},
    {"attention.indexer.types", "dots3note"},
    {"attention.key_length_mla", "bailingmoe3 dots3note hy_v4 kimi-k3 kimi-linear"},
    {"attention.key_length_mla_swa", "dots3note"},
    {"attention.key_length_swa", "gemma4"},
    {"attention.kv_lora_rank",
     "bailingmoe3 deepseek2 deepseek32 dots3note glm-dsa hy_v4 kimi-k3 kimi-linear minicpm3 "
     "mistral4 plm"},
    {"attention.kv_lora_rank_swa", "dots3note"},
    {"attention.layer_norm_epsilon",
     "bert bloom codeshell cohere2 command-r dbrx falcon gpt2 gptneox jais jais2 jina-bert-v2 "
     "jina-bert-v3 modern-bert mpt nemotron nemotron_h nemotron_h_moe nomic-bert nomic-bert-moe "
     "olmo orion phi2 stablelm starcoder starcoder2 wavtokenizer-dec"},
    {"attention.output_group_count", "deepseek4"},
    {"attention.output_lora_rank", "deepseek4"},
    {"attention.relative_buckets_count", "t5 t5encoder"},
    {"attention.sliding_window",
     "cohere2 cohere2moe deepseek4 dots3note exaone-moe gemma-embedding gemma3n gemma4 gpt-oss "
     "granite_swa maple mimo2 muse-glimmer spark2_5 step35"},
    {"attention.sliding_window_pattern", "dots3note gemma4 granite_swa maple mimo2 spark2_5 step35"},
    {"attention.value_length_mla", "bailingmoe3 dots3note hy_v4 kimi-k3 kimi-linear"},
    {"attention.value_length_mla_swa", "dots3note"},
    {"attention.value_length_swa", "gemma4"},
    {"attention.value_residual_mix_lora_rank", "rwkv7"},
    {"attn_res.block_size", "kimi-k3"},
    {"xielu.beta", "apertus"},
    {"convnext.block_count", "wavtokenizer-dec"},
    {"convnext.embedding_length", "wavtokenizer-dec"},
    {"embedding_length_per_layer_input", "gemma4 qwen4exp"},
    {"xielu.eps", "apertus"},
    {"expert_feed_forward_length",
     "afmoe bailingmoe bailingmoe2 bailingmoe3 cohere2moe deepseek deepseek2 deepseek2-ocr "
     "deepseek32 deepseek4 dots1 dots3note ernie4_5-moe exaone-moe glm-dsa glm4moe gpt-oss "
     "grovemoe hunyuan-moe hy_v3 hy_v4 kimi-k3 kimi-linear laguna lfm2moe llama4 maple mellum "
     "mimo2 minimax-m2 minimax-m3 mistral4 step35"},
    {"expert_gating_func",
     "bailingmoe2 bailingmoe3 deepseek32 deepseek4 dots3note exaone-moe kimi-k3 kimi-linear "
     "lfm2moe minimax-m3"},
    {"expert_group_scale", "grovemoe"},
    {"expert_shared_count",
     "afmoe bailingmoe bailingmoe2 bailingmoe3 deepseek deepseek2 deepseek2-ocr deepseek32 "
     "deepseek4 dots1 dots3note glm-dsa glm4moe hy_v4 kimi-k3 kimi-linear minimax-m3 mistral4"},
    {"expert_weights_norm", "deepseek4"},
    {"expert_weights_scale", "deepseek4"},
    {"experts_per_group", "grovemoe"},
    {"features_length", "wavtokenizer-dec"},
    {"hash_layer_count", "deepseek4"},
    {"hrm.h_cycles", "hrm_text"},
    {"hrm.l_cycles", "hrm_text"},
    {"hrm.layers_per_stack", "hrm_text"},
    {"hyper_connection.count", "deepseek4 hy_v4 qwen4exp"},
    {"hyper_connection.epsilon", "deepseek4 hy_v4"},
    {"hyper_connection.low_rank", "qwen4exp"},
    {"hyper_connection.magnitude", "hy_v4"},
    {"hyper_connection.sinkhorn_iterations", "deepseek4"},
    {"interleave_moe_layer_step", "ernie4_5-moe llama4"},
    {"kda.gate_lower_bound", "bailingmoe3"},
    {"kda.head_dim", "bailingmoe3 kimi-k3 kimi-linear"},
    {"leading_dense_block_count", "bailingmoe3 cohere2moe dots3note laguna"},
    {"logit_scale", "cohere2 cohere2moe granite granite_swa granitemoe muse-glimmer talkie"},
    {"ple.conv_kernel", "qwen4exp"},
    {"ple.eos_token_id", "qwen4exp"},
    {"ple.head_offsets", "qwen4exp"},
    {"ple.head_vocab_sizes", "qwen4exp"},
    {"ple.heads_per_ngram", "qwen4exp"},
    {"ple.layer_multipliers", "qwen4exp"},
    {"ple.ngram_size", "qwen4exp"},
    {"posnet.block_count", "wavtokenizer-dec"},
    {"posnet.embedding_length", "wavtokenizer-dec"},
    {"residual_scale", "minimax-01"},
    {"rope.dimension_sections", "qwen2vl qwen35 qwen35moe qwen3tts qwen3vl qwen3vlmoe qwen4exp"},
    {"rope.freq_base_swa", "dots3note"},
    {"shortconv.l_cache", "lfm2 lfm2moe"},
    {"ssm.conv_kernel",
     "bailingmoe3 falcon-h1 granitehybrid jamba kimi-k3 kimi-linear mamba mamba2 nemotron_h "
     "nemotron_h_moe plamo2 qwen35 qwen35moe qwen3next qwen4exp"},
    {"ssm.group_count",
     "falcon-h1 granitehybrid mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 qwen35moe qwen3next "
     "qwen4exp"},
    {"ssm.inner_size",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 "
     "qwen35moe qwen3next qwen4exp"},
    {"ssm.state_size",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 "
     "qwen35moe qwen3next qwen4exp"},
    {"ssm.time_step_rank",
     "falcon-h1 granitehybrid jamba mamba mamba2 nemotron_h nemotron_h_moe plamo2 qwen35 "
     "qwen35moe qwen3next qwen4exp"},
    {"swiglu_clamp_exp", "deepseek4 maple"},
    {"time_decay_extra_dim", "rwkv6 rwkv6qwen2"},
    {"time_mix_extra_dim", "rwkv6 rwkv6qwen2"},
    {"use_parallel_residual", "gptneox"},
    {"wkv.head_size", "rwkv6 rwkv6qwen2 rwkv7"},
});

// All others require it.
constexpr std::string_view kWithoutRmsEpsilon =
    "bert bloom codeshell cohere2 cohere2moe command-r dbrx falcon gpt2 gptneox jais jais2 "
    "jina-bert-v2 jina-bert-v3 modern-bert mpt nemotron nemotron_h nemotron_h_moe nomic-bert "
    "nomic-bert-moe olmo orion phi2 qwen2vl rwkv6 rwkv6qwen2 rwkv7 stablelm starcoder starcoder2 "
    "wavtokenizer-dec";

}  // namespace

std::vector<std::string_view> required_keys(std::string_view architecture) {
    std::vector<std::string_view> keys = {"context_length", "embedding_length", "block_count"};
    if (!lists(kWithoutRmsEpsilon, architecture)) keys.push_back("attention.layer_norm_rms_epsilon");
    for (const auto& [key, architectures] : kRequired)
        if (lists(architectures, architecture)) keys.push_back(key);
    return keys;
}

}  // namespace splitscope
