// SPDX-License-Identifier: MIT
// OLMo.
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
                 .loader = {.epsilon_key = kLayerEpsilon}},
    Architecture{.name = "olmo2",
                 .graph = graphs::olmo2,
                 .window = {.kind = WindowKind::standard,
                            .period = 4,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::plain},
                 .loader = {.required = "output.weight", .optional = {kQkNorms, kPostNorms}}},
    Architecture{.name = "olmoe",
                 .graph = graphs::olmoe,
                 .loader = {.required = "blk.ffn_gate_exps.weight output.weight",
                            .optional = kQkNorms,
                            .expert_width = ExpertWidth::dense}},
};

}  // namespace

std::span<const Architecture> olmo() {
    return kOlmoRows;
}

}  // namespace splitscope::families
