// SPDX-License-Identifier: MIT
// Granite.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction granite, granite_hybrid;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kGraniteRows = {
    Architecture{.name = "granite",
                 .graph = graphs::granite,
                 .rope = RopeKind::pairs,
                 .loader = {.keys = "logit_scale",
                            .optional_keys = "attention.scale",
                            .optional = {kBiases, kSharedExperts, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "granite_swa",
        .graph = graphs::granite,
        .rope = RopeKind::pairs,
        .window = {.kind = WindowKind::standard,
                   .period = 0,
                   .kept_at_zero = true,
                   .base = WindowBase::shared,
                   .scaling = WindowScaling::shared},
        .loader =
            {.keys = "attention.sliding_window attention.sliding_window_pattern logit_scale",
             .optional_keys = "attention.scale",
             .required = "blk.attn_sinks.weight",
             .optional = {kBiases, kExperts, kRopeFactors,
                          "blk.ffn_down_shexp.weight blk.ffn_gate_up_exps.weight blk.ffn_up_shexp.weight"},
             .expert_width = ExpertWidth::dense,
             .rotates_whole_heads = true}},
    Architecture{.name = "granitehybrid",
                 .graph = graphs::granite_hybrid,
                 .rope = RopeKind::pairs,
                 .caches = CacheKinds::hybrid,
                 .scaled = {kUsualScales, kMambaScales},
                 .loader = {.keys = kMamba2Keys,
                            .optional_keys = "attention.scale",
                            .required = "blk.ssm_norm.weight",
                            .optional = {kMamba2, kBiases, kSharedExperts, kExperts, "rope_freqs.weight"},
                            .recurrent_only = {kMamba2, "blk.ssm_norm.weight"},
                            .attention_only = {kSeparateQkv, kSeparateQkvBiases, kFusedQkv},
                            .expert_width = ExpertWidth::dense},
                 .memory = {.scheme = CacheScheme::without_heads, .caches_mtp = true, .scans_state = true}},
    Architecture{.name = "granitemoe",
                 .graph = graphs::granite,
                 .rope = RopeKind::pairs,
                 .loader = {.keys = "logit_scale",
                            .optional_keys = "attention.scale",
                            .optional = {kBiases, kSharedExperts, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> granite() {
    return kGraniteRows;
}

}  // namespace splitscope::families
