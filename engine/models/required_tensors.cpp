// SPDX-License-Identifier: MIT
#include "engine/models/required_tensors.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/models/known_tensors.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/trunk_blocks.hpp"

namespace splitscope {
namespace {

/// Both are kinds, without the number of a block, and belong to the same block.
struct RequiredTensor {
    std::string_view kind;
    std::string_view beside;  ///< where this one is
};
constexpr auto kRequiredTensors = std::to_array<RequiredTensor>({
    {"blk.attn_k.weight", "blk.attn_q.weight"},
    {"blk.attn_k_norm.weight", "blk.attn_output.weight"},
    {"blk.attn_norm.bias", "blk.attn_norm.weight"},
    {"blk.attn_norm_2.bias", "blk.attn_norm_2.weight"},
    {"blk.attn_output.bias", "blk.attn_output.weight"},
    {"blk.attn_output_norm.bias", "blk.attn_output_norm.weight"},
    {"blk.attn_q_norm.weight", "blk.attn_output.weight"},
    {"blk.attn_q.weight", "blk.attn_output.weight"},
    {"blk.attn_qkv.weight", "blk.attn_output.weight"},
    {"blk.attn_res_score.weight", "blk.attn_norm.weight"},
    {"blk.attn_qkv.bias", "blk.attn_qkv.weight"},
    {"blk.attn_sinks.weight", "blk.attn_output.weight"},
    {"blk.attn_v.weight", "blk.attn_q.weight"},
    {"blk.exp_probs_b.bias", "blk.ffn_down_exps.weight"},
    {"blk.ffn_down.bias", "blk.ffn_down.weight"},
    {"blk.ffn_down_exps.bias", "blk.ffn_down_exps.weight"},
    {"blk.ffn_down_exps.weight", "blk.ffn_gate_inp.weight"},
    {"blk.ffn_down.weight", "blk.ffn_up.weight"},
    {"blk.ffn_gate.weight", "blk.ffn_down.weight"},
    {"blk.ffn_up.weight", "blk.ffn_gate.weight"},
    {"blk.ffn_gate.bias", "blk.ffn_gate.weight"},
    {"blk.ffn_gate_exps.bias", "blk.ffn_gate_exps.weight"},
    {"blk.ffn_gate_exps.weight", "blk.ffn_down_exps.weight"},
    {"blk.ffn_gate_inp.weight", "blk.ffn_up_exps.weight"},
    {"blk.ffn_up_exps.weight", "blk.ffn_gate_inp.weight"},
    {"blk.ffn_gate_inp_shexp.weight", "blk.ffn_gate_inp.weight"},
    {"blk.ffn_gate_inp.bias", "blk.ffn_gate_inp.weight"},
    {"blk.ffn_norm.bias", "blk.ffn_norm.weight"},
    {"blk.ffn_up.bias", "blk.ffn_up.weight"},
    {"blk.ffn_up_exps.bias", "blk.ffn_up_exps.weight"},
    {"blk.ffn_up_shexp.weight", "blk.ffn_down_shexp.weight"},
    {"blk.indexer.k_norm.bias", "blk.indexer.k_norm.weight"},
    {"blk.ssm_b_norm.weight", "blk.ssm_out.weight"},
    {"blk.ssm_c_norm.weight", "blk.ssm_out.weight"},
    {"blk.ssm_dt.bias", "blk.ssm_dt.weight"},
    {"blk.ssm_dt_norm.weight", "blk.ssm_out.weight"},
    {"blk.ssm_f_b.weight", "blk.ssm_f_a.weight"},
    {"blk.ssm_g_b.weight", "blk.ssm_g_a.weight"},
    {"blk.ssm_norm.weight", "blk.ssm_out.weight"},
    {"blk.time_mix_first.weight", "blk.time_mix_key.weight"},
    {"blk.time_mix_ln.weight", "blk.time_mix_key.weight"},
    {"blk.vis_attn_output.weight", "blk.attn_norm.weight"},
    {"blk.vis_attn_qkv.weight", "blk.attn_norm.weight"},
    {"blk.vis_down.weight", "blk.attn_norm.weight"},
    {"blk.vis_gate.weight", "blk.attn_norm.weight"},
    {"blk.vis_up.weight", "blk.attn_norm.weight"},
    {"output.bias", "output.weight"},
    {"output.weight", "token_embd.weight"},
    {"output_norm.bias", "output_norm.weight"},
    {"per_layer_token_embd.weight", "per_layer_model_proj.weight"},
    {"token_types.weight", "token_embd.weight"},
});

/// "blk.3." of "blk.3.attn_q.weight".
std::string_view block_prefix_of(std::string_view name) {
    constexpr std::string_view kBlock = "blk.";
    if (!name.starts_with(kBlock)) return {};
    return name.substr(0, name.find('.', kBlock.size()) + 1);
}

}  // namespace

bool can_be_required(std::string_view kind) {
    return std::ranges::find(kRequiredTensors, kind, &RequiredTensor::kind) != kRequiredTensors.end();
}

std::optional<std::string> missing_tensor(const GgufFile& file, const LoaderRules& rules) {
    constexpr std::string_view kBlock = "blk.";
    const std::uint64_t trunk = trunk_blocks(file);
    const auto is_predicting = [&](std::string_view name) {
        const auto block = block_number(name);
        return block && *block >= trunk;
    };
    for (const RequiredTensor& required : kRequiredTensors) {
        if (!lists(rules.required, required.kind)) continue;
        for (const GgufTensor& tensor : file.tensors()) {
            if (kind_of_tensor(tensor.name) != required.beside || is_predicting(tensor.name)) continue;
            const std::string_view part =
                required.kind.starts_with(kBlock) ? required.kind.substr(kBlock.size()) : required.kind;
            std::string wanted = std::string(block_prefix_of(tensor.name)).append(part);
            if (!file.find_tensor(wanted)) return wanted;
        }
    }
    return std::nullopt;
}

}  // namespace splitscope
