// SPDX-License-Identifier: MIT
#include "engine/models/required_tensors.hpp"

#include <array>
#include <string_view>

#include "engine/models/known_tensors.hpp"
#include "engine/models/name_list.hpp"

namespace splitscope {
namespace {

/// Both are kinds, without the number of a block, and belong to the same block.
struct RequiredTensor {
    std::string_view kind;
    std::string_view beside;         ///< where this one is
    std::string_view architectures;  ///< separated by spaces
};

// Found by removing each tensor from the golden headers and loading them with llama.cpp v0.5.0.
constexpr auto kRequiredTensors = std::to_array<RequiredTensor>({
    {"blk.attn_k.weight", "blk.attn_q.weight", "gemma3n"},
    {"blk.attn_k_norm.weight", "blk.attn_output.weight",
     "afmoe apertus bailingmoe2 chameleon dots1 dots3note exaone-moe exaone4 gemma-embedding gemma3 gemma3n "
     "gemma4 grovemoe hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 laguna lfm2 lfm2moe llada-moe maincoder "
     "maple mellum minimax-m3 muse-glimmer openelm plamo2 plamo3 qwen3 qwen35 qwen35moe qwen3moe qwen3next "
     "qwen3tts qwen3vl qwen3vlmoe rnd1"},
    {"blk.attn_norm.bias", "blk.attn_norm.weight",
     "bloom codeshell falcon gpt2 gptneox jais jais2 nemotron orion phi2 phimoe rwkv6 rwkv7 stablelm "
     "starcoder starcoder2"},
    {"blk.attn_norm_2.bias", "blk.attn_norm_2.weight", "rwkv6 rwkv7"},
    {"blk.attn_output.bias", "blk.attn_output.weight",
     "bloom codeshell gpt-oss gpt2 gptneox jais jais2 jina-bert-v2 pangu-embedded phi2 phimoe starcoder "
     "starcoder2"},
    {"blk.attn_output_norm.bias", "blk.attn_output_norm.weight",
     "bert jina-bert-v2 jina-bert-v3 nomic-bert nomic-bert-moe"},
    {"blk.attn_q_norm.weight", "blk.attn_output.weight",
     "afmoe apertus bailingmoe2 chameleon dots1 exaone-moe exaone4 gemma-embedding gemma3 gemma3n gemma4 "
     "grovemoe hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 laguna lfm2 lfm2moe llada-moe maincoder maple "
     "mellum minimax-m3 muse-glimmer openelm plamo2 plamo3 qwen3 qwen35 qwen35moe qwen3moe qwen3next "
     "qwen3tts qwen3vl qwen3vlmoe rnd1"},
    {"blk.attn_q.weight", "blk.attn_output.weight", "bitnet"},
    {"blk.attn_qkv.weight", "blk.attn_output.weight", "bailingmoe2 dbrx falcon modern-bert mpt neo-bert"},
    {"blk.attn_qkv.weight", "blk.attn_q_norm.weight", "plamo2 plamo3"},
    {"blk.attn_res_score.weight", "blk.attn_norm.weight", "kimi-k3"},
    {"blk.attn_qkv.bias", "blk.attn_qkv.weight", "bloom gpt2 gptneox jais qwen starcoder"},
    {"blk.attn_sinks.weight", "blk.attn_output.weight", "gpt-oss granite_swa hy_v4"},
    {"blk.attn_v.weight", "blk.attn_q.weight", "gemma3n"},
    {"blk.exp_probs_b.bias", "blk.ffn_down_exps.weight",
     "afmoe bailingmoe3 dots3note glm4moe kimi-k3 kimi-linear laguna lfm2moe minimax-m2 minimax-m3"},
    {"blk.ffn_down.bias", "blk.ffn_down.weight",
     "bloom codeshell gpt2 gptneox jais jais2 jina-bert-v2 phi2 starcoder starcoder2"},
    {"blk.ffn_down_exps.bias", "blk.ffn_down_exps.weight", "gpt-oss"},
    {"blk.ffn_down_exps.weight", "blk.ffn_gate_inp.weight", "ernie4_5-moe refact"},
    {"blk.ffn_down.weight", "blk.ffn_up.weight", "ernie4_5-moe"},
    {"blk.ffn_gate.weight", "blk.ffn_down.weight", "ernie4_5-moe"},
    {"blk.ffn_up.weight", "blk.ffn_gate.weight", "ernie4_5-moe"},
    {"blk.ffn_gate.bias", "blk.ffn_gate.weight", "jais"},
    {"blk.ffn_gate_exps.bias", "blk.ffn_gate_exps.weight", "gpt-oss"},
    {"blk.ffn_gate_exps.weight", "blk.ffn_down_exps.weight",
     "arctic dbrx deepseek hunyuan-moe llada-moe mellum olmoe phimoe qwen2moe qwen3moe qwen3vlmoe rnd1"},
    {"blk.ffn_gate_inp.weight", "blk.ffn_up_exps.weight", "ernie4_5-moe refact"},
    {"blk.ffn_up_exps.weight", "blk.ffn_gate_inp.weight", "ernie4_5-moe refact"},
    {"blk.ffn_gate_inp.bias", "blk.ffn_gate_inp.weight", "gpt-oss"},
    {"blk.ffn_norm.bias", "blk.ffn_norm.weight",
     "bloom codeshell gpt2 gptneox jais jais2 nemotron orion phimoe starcoder starcoder2"},
    {"blk.ffn_up.bias", "blk.ffn_up.weight",
     "bloom codeshell gpt2 gptneox jais jais2 phi2 starcoder starcoder2"},
    {"blk.ffn_up_exps.bias", "blk.ffn_up_exps.weight", "gpt-oss"},
    {"blk.ffn_up_shexp.weight", "blk.ffn_down_shexp.weight", "cohere2moe qwen35moe qwen3next"},
    {"blk.indexer.k_norm.bias", "blk.indexer.k_norm.weight", "deepseek32 dots3note hy_v4"},
    {"blk.ssm_b_norm.weight", "blk.ssm_out.weight", "jamba"},
    {"blk.ssm_c_norm.weight", "blk.ssm_out.weight", "jamba"},
    {"blk.ssm_dt.bias", "blk.ssm_dt.weight", "jamba mamba plamo2"},
    {"blk.ssm_dt_norm.weight", "blk.ssm_out.weight", "jamba"},
    {"blk.ssm_f_b.weight", "blk.ssm_f_a.weight", "kimi-k3 kimi-linear"},
    {"blk.ssm_g_b.weight", "blk.ssm_g_a.weight", "kimi-linear"},
    {"blk.ssm_norm.weight", "blk.ssm_out.weight", "granitehybrid mamba2 nemotron_h nemotron_h_moe"},
    {"blk.time_mix_first.weight", "blk.time_mix_key.weight", "rwkv6"},
    {"blk.time_mix_ln.weight", "blk.time_mix_key.weight", "rwkv7"},
    {"blk.vis_attn_output.weight", "blk.attn_norm.weight", "cogvlm"},
    {"blk.vis_attn_qkv.weight", "blk.attn_norm.weight", "cogvlm"},
    {"blk.vis_down.weight", "blk.attn_norm.weight", "cogvlm"},
    {"blk.vis_gate.weight", "blk.attn_norm.weight", "cogvlm"},
    {"blk.vis_up.weight", "blk.attn_norm.weight", "cogvlm"},
    {"output.bias", "output.weight", "phi2 phimoe"},
    {"output.weight", "token_embd.weight",
     "apertus baichuan bailingmoe bailingmoe2 dbrx dots1 exaone-moe gpt-oss gptneox hy_v4 internlm2 jais "
     "kimi-k3 kimi-linear llada-moe maple mellum mimo2 minimax-m2 minimax-m3 muse-glimmer nemotron olmo2 "
     "olmoe orion phi2 phimoe plamo qwen qwen2moe rwkv6 rwkv6qwen2 rwkv7 stablelm step35 talkie xverse"},
    {"output_norm.bias", "output_norm.weight",
     "bloom codeshell falcon gpt2 gptneox jais jais2 nemotron orion phi2 phimoe rwkv6 rwkv7 stablelm "
     "starcoder starcoder2"},
    {"per_layer_token_embd.weight", "per_layer_model_proj.weight", "gemma4"},
    {"token_types.weight", "token_embd.weight", "jina-bert-v2"},
});

/// "blk.3." of "blk.3.attn_q.weight".
std::string_view block_prefix_of(std::string_view name) {
    constexpr std::string_view kBlock = "blk.";
    if (!name.starts_with(kBlock)) return {};
    return name.substr(0, name.find('.', kBlock.size()) + 1);
}

}  // namespace

std::optional<std::string> missing_tensor(const GgufFile& file, const std::string& architecture) {
    constexpr std::string_view kBlock = "blk.";
    for (const RequiredTensor& required : kRequiredTensors) {
        if (!lists(required.architectures, architecture)) continue;
        for (const GgufTensor& tensor : file.tensors()) {
            if (kind_of_tensor(tensor.name) != required.beside) continue;
            const std::string_view part =
                required.kind.starts_with(kBlock) ? required.kind.substr(kBlock.size()) : required.kind;
            std::string wanted = std::string(block_prefix_of(tensor.name)).append(part);
            if (!file.find_tensor(wanted)) return wanted;
        }
    }
    return std::nullopt;
}

}  // namespace splitscope
