// SPDX-License-Identifier: MIT
// MiniCPM.
#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction minicpm, minicpm3;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kMinicpmRows = {
    Architecture{.name = "minicpm",
                 .graph = graphs::minicpm,
                 .rope = RopeKind::pairs,
                 .loader = {.optional = kBiases, .expert_width = ExpertWidth::dense}},
    Architecture{.name = "minicpm3",
                 .graph = graphs::minicpm3,
                 .scaled = "attn_output output",
                 .loader = {.keys = "attention.kv_lora_rank",
                            .optional = kMla,
                            .qkv_biases = false,
                            .fused_qkv_bias = false}},
};

}  // namespace

std::span<const Architecture> minicpm() {
    return kMinicpmRows;
}

}  // namespace splitscope::families
