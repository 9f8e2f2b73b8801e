// SPDX-License-Identifier: MIT
#include "engine/models/known_tensors.hpp"

#include <algorithm>
#include <cctype>

#include "engine/models/name_list.hpp"

namespace splitscope {
namespace {

/// Whether they are known depends on the hyperparameters. Those of prediction blocks belong to many
/// architectures.
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

/// Weights whose scales are known, without ".weight".
constexpr std::string_view kScaledWeights =
    "blk.attn_q blk.attn_k blk.attn_v blk.attn_output blk.attn_qkv blk.attn_gate blk.ffn_gate blk.ffn_down "
    "blk.ffn_up blk.ffn_gate_shexp blk.ffn_down_shexp blk.ffn_up_shexp blk.ffn_gate_exps blk.ffn_down_exps "
    "blk.ffn_up_exps blk.ssm_in blk.ssm_out blk.ssm_alpha blk.ssm_beta output";

constexpr std::string_view kSeparateBiases = "blk.attn_q.bias blk.attn_k.bias blk.attn_v.bias";

bool is_usual(std::string_view kind) {
    return lists(kUsualTensors, kind) ||
           (kind.find("nextn.") != std::string_view::npos && !kind.ends_with("scale"));
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

std::optional<std::string> scaled_weight(std::string_view tensor) {
    for (const std::string_view suffix : {".scale", ".input_scale"}) {
        if (!tensor.ends_with(suffix)) continue;
        tensor.remove_suffix(suffix.size());
        if (lists(kScaledWeights, kind_of_tensor(tensor))) return std::string(tensor) + ".weight";
        break;
    }
    return std::nullopt;
}

bool loader_knows(const Architecture& architecture, std::string_view tensor) {
    const LoaderRules& rules = architecture.loader;
    const std::string kind = kind_of_tensor(tensor);
    if (lists(kSeparateBiases, kind)) return rules.qkv_biases;
    if (kind == "blk.attn_qkv.bias") return rules.fused_qkv_bias;
    if (const auto weight = scaled_weight(tensor))
        return rules.gate_scale || kind_of_tensor(*weight) != "blk.attn_gate.weight";
    if (kind == "output.weight") {
        const OutputWeight output = architecture.memory.output;
        if (output == OutputWeight::none) return lists(rules.required, kind);
        return output == OutputWeight::tied || output == OutputWeight::duplicated;
    }
    return is_usual(kind) || lists(rules.required, kind) || lists(rules.optional, kind);
}

}  // namespace splitscope
