// SPDX-License-Identifier: MIT
// OLMo.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction olmo, olmo2, olmoe;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kOlmoRows = {
    Architecture{.name = "olmo",
                 .graph = graphs::olmo,
                 .rope = RopeKind::pairs,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight output_norm.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "olmo2",
                 .graph = graphs::olmo2,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::plain},
                 .loader = {.required = "output.weight",
                            .optional = {kQkNorms, kPostNorms},
                            .absent = "blk.attn_norm.weight blk.ffn_norm.weight",
                            .square_attention = true,
                            .rotates_whole_heads = true}},
    Architecture{.name = "olmoe",
                 .graph = graphs::olmoe,
                 .loader = {.required = "blk.ffn_gate_exps.weight output.weight",
                            .optional = {kQkNorms, kExperts},
                            .absent = kDenseFfn,
                            .expert_width = ExpertWidth::dense,
                            .square_attention = true,
                            .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> olmo() {
    return kOlmoRows;
}

}  // namespace splitscope::families
