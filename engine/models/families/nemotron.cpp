// SPDX-License-Identifier: MIT
// Nemotron.
#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction nemotron, nemotron_h;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr LoaderRules kNemotronH = {.keys = kMamba2Keys,
                                    .optional_keys = "expert_weights_norm expert_weights_scale",
                                    .epsilon_key = kLayerEpsilon,
                                    .required = "blk.ssm_norm.weight",
                                    .optional = {kMamba2, kUngatedBiases}};

constexpr std::array kNemotronRows = {
    Architecture{.name = "nemotron",
                 .graph = graphs::nemotron,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kNormBiases, "output.weight"},
                            .optional = kUngatedBiases}},
    Architecture{
        .name = "nemotron_h",
        .graph = graphs::nemotron_h,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales, kSharedExpertScales, kMambaScales},
        .loader = kNemotronH,
        .memory = {.scans_state = true}},
    Architecture{
        .name = "nemotron_h_moe",
        .graph = graphs::nemotron_h,
        .rope = RopeKind::none,
        .caches = CacheKinds::hybrid,
        .scaled = {kUsualScales, kFeedForwardScales, kExpertScales, kSharedExpertScales, kMambaScales},
        .loader = kNemotronH,
        .memory = {.scans_state = true}},
};

}  // namespace

std::span<const Architecture> nemotron() {
    return kNemotronRows;
}

}  // namespace splitscope::families
