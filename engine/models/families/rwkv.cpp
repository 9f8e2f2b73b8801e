// SPDX-License-Identifier: MIT
// RWKV.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction arwkv7, rwkv6, rwkv6qwen2, rwkv7;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::string_view kTimeMixKeys = "time_decay_extra_dim time_mix_extra_dim wkv.head_size";
/// Time mix of RWKV 6.
constexpr std::string_view kTimeMix =
    "blk.time_mix_decay.weight blk.time_mix_decay_w1.weight blk.time_mix_decay_w2.weight "
    "blk.time_mix_gate.weight blk.time_mix_key.weight blk.time_mix_lerp_fused.weight "
    "blk.time_mix_lerp_x.weight blk.time_mix_output.weight blk.time_mix_receptance.weight "
    "blk.time_mix_value.weight blk.time_mix_w1.weight blk.time_mix_w2.weight";
/// Time mix of RWKV 7.
constexpr std::string_view kTimeMix7 =
    "blk.time_mix_a0.weight blk.time_mix_a1.weight blk.time_mix_a2.weight blk.time_mix_g1.weight "
    "blk.time_mix_g2.weight blk.time_mix_k_a.weight blk.time_mix_k_k.weight blk.time_mix_key.weight "
    "blk.time_mix_lerp_fused.weight blk.time_mix_ln.bias blk.time_mix_output.weight "
    "blk.time_mix_r_k.weight blk.time_mix_receptance.weight blk.time_mix_v0.weight blk.time_mix_v1.weight "
    "blk.time_mix_v2.weight blk.time_mix_value.weight blk.time_mix_w0.weight blk.time_mix_w1.weight "
    "blk.time_mix_w2.weight";
constexpr std::string_view kChannelMix =
    "blk.attn_norm_2.weight blk.channel_mix_key.weight blk.channel_mix_lerp_k.weight "
    "blk.channel_mix_value.weight";
constexpr std::string_view kLayerNormBiases = "blk.attn_norm.bias blk.attn_norm_2.bias output_norm.bias";
constexpr std::string_view kRwkv7Keys =
    "attention.decay_lora_rank attention.iclr_lora_rank attention.value_residual_mix_lora_rank wkv.head_size";
/// Without the count, llama.cpp assumes two token shifts and aborts.
constexpr std::string_view kArwkv7Keys =
    "attention.decay_lora_rank attention.iclr_lora_rank attention.value_residual_mix_lora_rank "
    "token_shift_count wkv.head_size";
/// Ranks of the low-rank products (LoRA): of RWKV 6, and of RWKV 7.
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

constexpr std::array kRwkvRows = {
    Architecture{.name = "arwkv7",
                 .graph = graphs::arwkv7,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::recurrent,
                 .loader = {.keys = kArwkv7Keys,
                            .epsilon_key = "",
                            .fixed_key = {"token_shift_count", 1},
                            .required = "output.weight",
                            .optional = {kTimeMix7, "blk.time_mix_ln.weight"},
                            .absent = {kSeparateQkv, "blk.attn_output.weight blk.attn_qkv.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .extents = kLoraRanks},
                 .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv, .token_shifts = 1}},
    Architecture{
        .name = "rwkv6",
        .graph = graphs::rwkv6,
        .rope = RopeKind::none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = kTimeMixKeys,
                   .epsilon_key = "",
                   .required = {kLayerNormBiases, "blk.time_mix_first.weight output.weight"},
                   .optional = {kTimeMix, kChannelMix, kTokenNorm,
                                "blk.channel_mix_lerp_r.weight blk.channel_mix_receptance.weight "
                                "blk.time_mix_lerp_g.weight blk.time_mix_lerp_k.weight "
                                "blk.time_mix_lerp_r.weight blk.time_mix_lerp_v.weight "
                                "blk.time_mix_lerp_w.weight blk.time_mix_ln.bias blk.time_mix_ln.weight"},
                   .absent = {kSeparateQkv, kDenseFfn,
                              "blk.attn_output.weight blk.attn_qkv.weight blk.ffn_norm.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .extents = kTimeMixRanks},
        .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv}},
    Architecture{
        .name = "rwkv6qwen2",
        .graph = graphs::rwkv6qwen2,
        .rope = RopeKind::none,
        .caches = CacheKinds::recurrent,
        .loader = {.keys = kTimeMixKeys,
                   .epsilon_key = "",
                   .fixed_key = {"token_shift_count", 1},
                   .required = "output.weight",
                   .optional = {kTimeMix,
                                "blk.time_mix_first.weight blk.time_mix_key.bias "
                                "blk.time_mix_receptance.bias blk.time_mix_value.bias output_norm.bias"},
                   .absent = {kSeparateQkv, "blk.attn_output.weight blk.attn_qkv.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false,
                   .extents = kTimeMixRanks},
        .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv, .token_shifts = 1}},
    Architecture{.name = "rwkv7",
                 .graph = graphs::rwkv7,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::recurrent,
                 .loader = {.keys = kRwkv7Keys,
                            .epsilon_key = "",
                            .required = {kLayerNormBiases, "blk.time_mix_ln.weight output.weight"},
                            .optional = {kTimeMix7, kChannelMix, kTokenNorm},
                            .absent = {kSeparateQkv, kDenseFfn,
                                       "blk.attn_output.weight blk.attn_qkv.weight blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .extents = kLoraRanks},
                 .memory = {.scheme = CacheScheme::recurrent, .state = StateKind::rwkv}},
};

}  // namespace

std::span<const Architecture> rwkv() {
    return kRwkvRows;
}

}  // namespace splitscope::families
