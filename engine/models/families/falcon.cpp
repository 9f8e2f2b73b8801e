// SPDX-License-Identifier: MIT
// Falcon.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction falcon, falcon_h1;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kFalconRows = {
    Architecture{.name = "falcon",
                 .graph = graphs::falcon,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = "blk.attn_norm.bias blk.attn_qkv.weight output_norm.bias",
                            .optional = "blk.attn_norm_2.bias blk.attn_norm_2.weight",
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "falcon-h1",
        .graph = graphs::falcon_h1,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kMambaScales},
        .loader = {.keys = kMamba2Keys,
                   .optional = {kMamba2, kBiases, "blk.ffn_norm blk.ssm_norm.weight rope_freqs.weight"},
                   .unused = "blk.attn_output.bias rope_freqs.weight",
                   .absent = "blk.ffn_norm.weight"},
        .memory = {.caches_mtp = true, .scans_state = true}},
};

}  // namespace

std::span<const Architecture> falcon() {
    return kFalconRows;
}

}  // namespace splitscope::families
