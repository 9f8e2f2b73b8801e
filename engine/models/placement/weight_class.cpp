// SPDX-License-Identifier: MIT
#include "engine/models/placement/weight_class.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace splitscope {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The number after "blk." or a similar prefix; empty if there is none.
std::int32_t number_of_block(std::string_view name) {
    for (const std::string_view word : {"blk.", "posnet.", "convnext."}) {
        const std::size_t at = name.find(word);
        if (at == std::string_view::npos || (at > 0 && name[at - 1] != '.')) continue;
        std::int32_t number = -1;
        const char* first = name.data() + at + word.size();
        const auto [end, error] = std::from_chars(first, name.data() + name.size(), number);
        if (error == std::errc() && end != first && number >= 0) return number;
    }
    return -1;
}

struct NamedOp {
    std::string_view part;
    Op op;
};
/// Name parts that determine the operation; the first match applies.
constexpr std::array kOpsByName = {NamedOp{"rope_f", Op::rope},
                                   NamedOp{"ssm_conv1d_", Op::mul},
                                   NamedOp{"ssm_conv1d", Op::ssm_conv},
                                   NamedOp{"shortconv.conv", Op::ssm_conv},
                                   NamedOp{"norm", Op::mul},
                                   NamedOp{"attn_sinks", Op::scale},
                                   NamedOp{"scale", Op::mul},
                                   NamedOp{"attn_rel_b", Op::get_rows},
                                   NamedOp{"compressor_ape", Op::get_rows},
                                   NamedOp{"tid2eid", Op::get_rows},
                                   NamedOp{"ffn.act", Op::div},
                                   NamedOp{"hc_attn_base", Op::add},
                                   NamedOp{"hc_ffn_base", Op::add},
                                   NamedOp{"hc_base", Op::add},
                                   NamedOp{"time_mix_first", Op::rwkv_wkv6},
                                   NamedOp{"time_mix_ln", Op::mul},
                                   NamedOp{"mix_lerp_", Op::mul},
                                   NamedOp{"time_mix_decay.", Op::add},
                                   NamedOp{"time_mix_w0", Op::add},
                                   NamedOp{"time_mix_a0", Op::add},
                                   NamedOp{"time_mix_v0", Op::add},
                                   NamedOp{"time_mix_k_k", Op::mul},
                                   NamedOp{"time_mix_k_a", Op::mul},
                                   NamedOp{"time_mix_r_k", Op::mul},
                                   NamedOp{".gamma", Op::mul},
                                   NamedOp{"posnet.", Op::none},
                                   NamedOp{"conv1d.weight", Op::im2col},
                                   NamedOp{".dw.weight", Op::im2col}};

Op probe_of(std::string_view name, bool input, bool experts, bool scans_state) {
    if (name.ends_with(".bias")) return experts ? Op::add_id : Op::add;
    if (input) return Op::get_rows;
    if (experts) return Op::mul_mat_id;
    if (name.ends_with(".ssm_a")) return scans_state ? Op::ssm_scan : Op::mul;
    if (name.ends_with(".ssm_d")) return Op::mul;
    for (const NamedOp& named : kOpsByName) {
        if (!contains(name, named.part)) continue;
        if (named.op != Op::none) return named.op;
        return contains(name, ".conv") ? Op::im2col : Op::mul_mat;
    }
    return Op::mul_mat;
}

constexpr std::array<std::string_view, 32> kBlockOrder = {
    "attn_norm.weight",     "attn_norm.bias",
    "attn_qkv.weight",      "attn_qkv.bias",
    "attn_q.weight",        "attn_k.weight",
    "attn_v.weight",        "attn_output.weight",
    "attn_sinks.weight",    "attn_q.bias",
    "attn_k.bias",          "attn_v.bias",
    "attn_output.bias",     "post_attention_norm.weight",
    "ffn_norm.weight",      "ffn_norm.bias",
    "rope_freqs.weight",    "ffn_gate_inp.weight",
    "ffn_gate_exps.weight", "ffn_down_exps.weight",
    "ffn_up_exps.weight",   "ffn_gate.weight",
    "ffn_down.weight",      "ffn_up.weight",
    "ffn_gate_inp.bias",    "ffn_gate_exps.bias",
    "ffn_down_exps.bias",   "ffn_up_exps.bias",
    "ffn_gate.bias",        "ffn_down.bias",
    "ffn_up.bias",          "post_ffw_norm.weight"};

}  // namespace

WeightRole weight_role(std::string_view name, const MemoryRules& rules) {
    constexpr std::array<std::string_view, 4> looked_up = {
        "token_embd.weight", "position_embd.weight", "token_types.weight", "per_layer_token_embd.weight"};
    // Input-layer tensors used in computations are loaded with the first block.
    constexpr std::array<std::string_view, 6> with_first = {
        "token_embd_norm.weight",     "token_embd_norm.bias", "per_layer_model_proj.weight",
        "per_layer_proj_norm.weight", "conv1d.weight",        "conv1d.bias"};
    // One entry per block, so only for tensors that loaders request.
    constexpr std::array<std::string_view, 3> in_every_block = {
        "rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"};
    const auto lists = [name](const auto& names) { return std::ranges::find(names, name) != names.end(); };
    WeightRole role;
    role.block = number_of_block(name);
    role.experts = contains(name, "_exps.") || contains(name, "_chexps.");
    const bool input = lists(looked_up);
    if (role.block >= 0) {
        role.kind = WeightClass::block;
    } else if (input || name == "hrm.z_l_init") {
        role.kind = WeightClass::input;
    } else if (lists(with_first) && name != rules.final_norm) {
        role.kind = WeightClass::block;
        role.block = 0;
    } else if (lists(in_every_block)) {
        role.kind = WeightClass::block;
        role.in_every_block = true;
    }
    role.probe = probe_of(name, input, role.experts, rules.scans_state);
    return role;
}

int creation_rank(std::string_view name) {
    const std::size_t at = name.find("blk.");
    if (at != std::string_view::npos) {
        const std::size_t dot = name.find('.', at + 4);
        if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
    }
    return static_cast<int>(std::ranges::find(kBlockOrder, name) - kBlockOrder.begin());
}

}  // namespace splitscope
