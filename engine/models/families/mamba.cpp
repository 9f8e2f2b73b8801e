// SPDX-License-Identifier: MIT
// Mamba and Jamba.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction jamba, mamba, mamba2;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::string_view kMambaKeys = "ssm.conv_kernel ssm.inner_size ssm.state_size ssm.time_step_rank";
constexpr std::string_view kMamba =
    "blk.ssm_a blk.ssm_conv1d.bias blk.ssm_conv1d.weight blk.ssm_d blk.ssm_dt.weight blk.ssm_in.weight "
    "blk.ssm_out.weight blk.ssm_x.weight";

constexpr std::array kMambaRows = {
    Architecture{
        .name = "jamba",
        .graph = graphs::jamba,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kMambaScales},
        .loader = {.keys = kMambaKeys,
                   .required =
                       "blk.ssm_b_norm.weight blk.ssm_c_norm.weight blk.ssm_dt.bias blk.ssm_dt_norm.weight",
                   .optional = {kMamba, kExperts},
                   .recurrent_only = {kMamba,
                                      "blk.ssm_b_norm.weight blk.ssm_c_norm.weight blk.ssm_dt.bias "
                                      "blk.ssm_dt_norm.weight"},
                   .attention_only = {kSeparateQkv, kSeparateQkvBiases, kFusedQkv},
                   .expert_width = ExpertWidth::dense,
                   .square_attention = true},
        .memory = {.scheme = CacheScheme::without_heads, .caches_mtp = true, .scans_state = true}},
    Architecture{.name = "mamba",
                 .graph = graphs::mamba,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::recurrent,
                 .scaled = {kUsualScales, kMambaScales},
                 .loader = {.keys = kMambaKeys,
                            .required = "blk.ssm_dt.bias",
                            .optional = kMamba,
                            .absent = {kSeparateQkv, kDenseFfn,
                                       "blk.attn_output.weight blk.attn_qkv.weight blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false},
                 .memory = {.scheme = CacheScheme::recurrent, .scans_state = true}},
    Architecture{.name = "mamba2",
                 .graph = graphs::mamba2,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::recurrent,
                 .scaled = {kUsualScales, kMambaScales},
                 .loader = {.keys = kMamba2Keys,
                            .required = "blk.ssm_norm.weight",
                            .optional = kMamba2,
                            .absent = {kSeparateQkv, kDenseFfn,
                                       "blk.attn_output.weight blk.attn_qkv.weight blk.ffn_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false},
                 .memory = {.scheme = CacheScheme::recurrent, .scans_state = true}},
};

}  // namespace

std::span<const Architecture> mamba() {
    return kMambaRows;
}

}  // namespace splitscope::families
