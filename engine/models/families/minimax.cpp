// SPDX-License-Identifier: MIT
// MiniMax.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction minimax_01, minimax_m2, minimax_m3;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kMinimaxRows = {
    Architecture{.name = "minimax-01",
                 .graph = graphs::minimax_01,
                 .caches = CacheKinds::hybrid,
                 .scaled = "attn_q attn_k attn_v attn_output output",
                 .loader = {.keys = "residual_scale",
                            .optional = {kExperts, "blk.attn_gate.weight blk.attn_norm_2.weight"},
                            .absent = {kDenseFfn, "blk.attn_gate.input_scale blk.attn_gate.scale"},
                            .recurrent_only = "blk.attn_gate.weight blk.attn_norm_2.weight",
                            .attention_only = {kSeparateQkv, kSeparateQkvBiases},
                            .fused_qkv_bias = false,
                            .expert_width = ExpertWidth::dense},
                 .memory = {.scheme = CacheScheme::by_interval, .state = StateKind::linear, .interval = 8}},
    Architecture{.name = "minimax-m2",
                 .graph = graphs::minimax_m2,
                 .loader = {.keys = "expert_feed_forward_length",
                            .optional_keys = "expert_gating_func",
                            .required = "blk.exp_probs_b.bias output.weight",
                            .optional = {kQkNorms, kExperts},
                            .absent = kDenseFfn,
                            .expert_width = ExpertWidth::dense,
                            .requires_routing = true}},
    Architecture{
        .name = "minimax-m3",
        .graph = graphs::minimax_m3,
        .loader = {.keys =
                       "attention.indexer.block_size attention.indexer.head_count "
                       "attention.indexer.key_length attention.indexer.local_blocks attention.indexer.top_k "
                       "expert_feed_forward_length expert_gating_func expert_shared_count",
                   .optional_keys = {kRoutingKeys, "leading_dense_block_count"},
                   .required = {kQkNorms, "blk.exp_probs_b.bias output.weight"},
                   .optional = {kSharedExperts, kExperts,
                                "blk.indexer.k_norm.weight blk.indexer.k_proj.weight "
                                "blk.indexer.q_norm.weight blk.indexer.q_proj.weight"},
                   .requires_routing = true,
                   .counts_shared = true},
        .memory = {.indexer = IndexerBlocks::after_dense, .caches_mtp = true}},
};

}  // namespace

std::span<const Architecture> minimax() {
    return kMinimaxRows;
}

}  // namespace splitscope::families
