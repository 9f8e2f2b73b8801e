// SPDX-License-Identifier: MIT
// ERNIE and PaddleOCR.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction ernie4_5_moe, plain;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kErnieRows = {
    Architecture{
        .name = "ernie4_5",
        .graph = graphs::plain,
        .rope = RopeKind::pairs,
        .loader = {.optional = {kSharedExperts, kExperts, "blk.attn_output.bias blk.exp_probs_b.bias"},
                   .unused = "blk.attn_output.bias",
                   .expert_width = ExpertWidth::dense,
                   .rotates_whole_heads = true}},
    Architecture{
        .name = "ernie4_5-moe",
        .graph = graphs::ernie4_5_moe,
        .rope = RopeKind::pairs,
        .loader = {.keys = "expert_feed_forward_length interleave_moe_layer_step",
                   .optional_keys = "leading_dense_block_count",
                   .required = "blk.ffn_down_exps.weight blk.ffn_down.weight blk.ffn_gate.weight "
                               "blk.ffn_up.weight blk.ffn_gate_inp.weight blk.ffn_up_exps.weight",
                   .optional = {kSharedExperts, kExperts, "blk.attn_output.bias blk.exp_probs_b.bias"},
                   .unused = "blk.attn_output.bias",
                   .extents = kExpertRows,
                   .expert_blocks = ExpertBlocks::after_dense,
                   .rotates_whole_heads = true}},
    Architecture{
        .name = "paddleocr",
        .graph = graphs::plain,
        .rope = RopeKind::sections,
        .loader = {.optional = {kSharedExperts, kExperts, "blk.attn_output.bias blk.exp_probs_b.bias"},
                   .expert_width = ExpertWidth::dense,
                   .rotates_whole_heads = true}},
};

}  // namespace

std::span<const Architecture> ernie() {
    return kErnieRows;
}

}  // namespace splitscope::families
