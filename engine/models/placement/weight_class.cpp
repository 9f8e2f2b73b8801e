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

/// The number behind "blk.", if there is one.
std::int32_t block_number(std::string_view name) {
    const std::size_t at = name.find("blk.");
    if (at == std::string_view::npos || (at > 0 && name[at - 1] != '.')) return -1;
    std::int32_t number = -1;
    const char* first = name.data() + at + 4;
    const auto [end, error] = std::from_chars(first, name.data() + name.size(), number);
    return error == std::errc() && end != first && number >= 0 ? number : -1;
}

Op probe_of(std::string_view name, bool input, bool experts) {
    if (name.ends_with(".bias")) return experts ? Op::add_id : Op::add;
    if (input) return Op::get_rows;
    if (experts) return Op::mul_mat_id;
    if (contains(name, "rope_f")) return Op::rope;
    if (contains(name, "ssm_conv1d")) return Op::ssm_conv;
    if (contains(name, "ssm_a")) return Op::ssm_scan;
    if (contains(name, "ssm_d") && !contains(name, "ssm_dt")) return Op::mul;
    if (contains(name, "norm") || contains(name, "attn_sinks") || contains(name, "scale")) return Op::mul;
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

WeightRole weight_role(std::string_view name) {
    constexpr std::array<std::string_view, 8> inputs = {
        "token_embd.weight",           "position_embd.weight",      "token_types.weight",
        "per_layer_token_embd.weight", "token_embd_norm.weight",    "token_embd_norm.bias",
        "per_layer_model_proj.weight", "per_layer_proj_norm.weight"};
    // Each costs an entry per block: only what loaders ask for.
    constexpr std::array<std::string_view, 3> in_every_block = {
        "rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"};
    WeightRole role;
    role.block = block_number(name);
    role.experts = contains(name, "_exps.") || contains(name, "_chexps.");
    bool looked_up = false;
    if (role.block >= 0) {
        role.kind = WeightClass::block;
    } else if (const auto found = std::ranges::find(inputs, name); found != inputs.end()) {
        // The first four are looked up by index; norms behind them are not.
        looked_up = found - inputs.begin() < 4;
        role.kind = WeightClass::input;
    } else if (std::ranges::find(in_every_block, name) != in_every_block.end()) {
        role.kind = WeightClass::block;
        role.in_every_block = true;
    }
    role.probe = probe_of(name, looked_up, role.experts);
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
