// SPDX-License-Identifier: MIT
// MiniCPM.
#include <span>

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
                 .loader = {.optional = {kBiases, kExperts, kRopeFactors},
                            .expert_width = ExpertWidth::dense,
                            .expert_blocks = ExpertBlocks::all,
                            .rotates_whole_heads = true}},
    Architecture{
        .name = "minicpm3",
        .graph = graphs::minicpm3,
        .scaled = "attn_output output",
        .loader = {.keys = "attention.kv_lora_rank",
                   .optional = {kMla, kQueryRank,
                                "blk.attn_kv_b.weight rope_factors_long.weight rope_factors_short.weight"},
                   .absent = {kSeparateQkv, "blk.attn_qkv.weight"},
                   .qkv_biases = false,
                   .fused_qkv_bias = false}},
};

}  // namespace

std::span<const Architecture> minicpm() {
    return kMinicpmRows;
}

}  // namespace splitscope::families
