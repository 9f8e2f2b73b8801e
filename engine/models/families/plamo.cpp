// SPDX-License-Identifier: MIT
// PLaMo.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction plamo, plamo2, plamo3;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kPlamoRows = {
    Architecture{.name = "plamo",
                 .graph = graphs::plamo,
                 .loader = {.required = "output.weight",
                            .absent = "blk.ffn_norm.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "plamo2",
        .graph = graphs::plamo2,
        .caches = CacheKinds::hybrid,
        .scaled = "attn_output output",
        .loader = {.keys = kMamba2Keys,
                   .fixed_key = {"ssm.group_count", 0},
                   .required = {kQkNorms, "blk.attn_qkv.weight blk.ssm_dt.bias"},
                   .optional = "blk.post_attention_norm blk.post_ffw_norm blk.ssm_a blk.ssm_b_norm "
                               "blk.ssm_c_norm blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.weight "
                               "blk.ssm_dt_norm blk.ssm_in.weight blk.ssm_out.weight blk.ssm_x.weight",
                   .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                   .recurrent_only = "blk.ssm_a blk.ssm_b_norm blk.ssm_c_norm blk.ssm_conv1d.weight "
                                     "blk.ssm_d blk.ssm_dt.bias blk.ssm_dt.weight blk.ssm_dt_norm "
                                     "blk.ssm_in.weight blk.ssm_out.weight blk.ssm_x.weight",
                   .attention_only = {kQkNorms, "blk.attn_output.weight blk.attn_qkv.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false},
        .memory = {.scheme = CacheScheme::without_heads, .caches_mtp = true, .scans_state = true}},
    Architecture{.name = "plamo3",
                 .graph = graphs::plamo3,
                 .window = {.kind = WindowKind::standard,
                            .period = 8,
                            .base = WindowBase::own,
                            .scaling = WindowScaling::off},
                 .scaled = "attn_output output",
                 .loader = {.required = {kQkNorms, "blk.attn_qkv.weight"},
                            .optional = "blk.post_attention_norm blk.post_ffw_norm",
                            .absent = {kSeparateQkv, "blk.ffn_gate.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false}},
};

}  // namespace

std::span<const Architecture> plamo() {
    return kPlamoRows;
}

}  // namespace splitscope::families
