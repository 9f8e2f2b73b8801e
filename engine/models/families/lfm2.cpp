// SPDX-License-Identifier: MIT
// LFM2.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction lfm2;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::string_view kShortConvolution =
    "blk.shortconv.conv.weight blk.shortconv.in_proj.weight blk.shortconv.out_proj.weight";

/// Behind the pooling of embeddings.
constexpr std::string_view kDenseOutput = "dense_2.bias dense_2.weight";

constexpr std::array kLfm2Rows = {
    Architecture{.name = "lfm2",
                 .graph = graphs::lfm2,
                 .caches = CacheKinds::hybrid,
                 .window = {.kind = WindowKind::standard,
                            .base = WindowBase::shared,
                            .scaling = WindowScaling::shared,
                            .all = true},
                 .loader = {.keys = "shortconv.l_cache",
                            .required = kQkNorms,
                            .optional = {kShortConvolution, kExperts, kDenseOutput,
                                         "blk.exp_probs_b.bias token_embd_norm.weight"},
                            .absent = "output_norm.weight",
                            .recurrent_only = kShortConvolution,
                            .attention_only = {kSeparateQkv, kSeparateQkvBiases, kFusedQkv, kQkNorms},
                            .square_attention = true},
                 .memory = {.scheme = CacheScheme::without_heads,
                            .state = StateKind::convolution,
                            .caches_mtp = true,
                            .final_norm = "token_embd_norm.weight"}},
    Architecture{.name = "lfm2moe",
                 .graph = graphs::lfm2,
                 .caches = CacheKinds::hybrid,
                 .window = {.ignored = true},
                 .loader = {.keys = "expert_feed_forward_length expert_gating_func shortconv.l_cache",
                            .optional_keys = "leading_dense_block_count",
                            .required = {kQkNorms, "blk.exp_probs_b.bias"},
                            .optional = {kShortConvolution, kExperts, kDenseOutput, "token_embd_norm.weight"},
                            .absent = "output_norm.weight",
                            .recurrent_only = kShortConvolution,
                            .attention_only = {kSeparateQkv, kSeparateQkvBiases, kFusedQkv, kQkNorms},
                            .square_attention = true,
                            .requires_routing = true},
                 .memory = {.scheme = CacheScheme::without_heads,
                            .state = StateKind::convolution,
                            .caches_mtp = true,
                            .final_norm = "token_embd_norm.weight"}},
};

}  // namespace

std::span<const Architecture> lfm2() {
    return kLfm2Rows;
}

}  // namespace splitscope::families
