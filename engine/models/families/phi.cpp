// SPDX-License-Identifier: MIT
// Phi.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction phi2, phi3, phimoe;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kPhiRows = {
    Architecture{.name = "phi2",
                 .graph = graphs::phi2,
                 .loader = {.epsilon_key = kLayerEpsilon,
                            .required = {kUngatedBiases,
                                         "blk.attn_norm.bias output.bias output.weight output_norm.bias"},
                            .absent = "blk.ffn_gate.weight blk.ffn_norm.weight",
                            .square_attention = true}},
    Architecture{.name = "phi3",
                 .graph = graphs::phi3,
                 .window = {.ignored = true},
                 .older_forms = true,
                 .loader = {.optional = "rope_factors_long.weight rope_factors_short.weight",
                            .absent = "blk.ffn_gate.weight",
                            .square_attention = true}},
    Architecture{
        .name = "phimoe",
        .graph = graphs::phimoe,
        .loader = {.required = {kNormBiases,
                                "blk.attn_output.bias blk.ffn_gate_exps.weight output.bias output.weight"},
                   .optional = {kExperts, "rope_factors_long.weight rope_factors_short.weight"},
                   .absent = kDenseFfn,
                   .expert_width = ExpertWidth::dense,
                   .square_attention = true}},
};

}  // namespace

std::span<const Architecture> phi() {
    return kPhiRows;
}

}  // namespace splitscope::families
