// SPDX-License-Identifier: MIT
// Diffusion language models, which keep no cache.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction llada, llada_moe, mellum, plain;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::array kDiffusionRows = {
    Architecture{.name = "dream",
                 .graph = graphs::plain,
                 .caches = CacheKinds::none,
                 .never_causal = true,
                 .loader = {.optional = "output.bias", .square_attention = true, .rotates_whole_heads = true},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{.name = "llada",
                 .graph = graphs::llada,
                 .rope = RopeKind::pairs,
                 .caches = CacheKinds::none,
                 .never_causal = true,
                 .loader = {.optional = {kBiases, "rope_freqs.weight"},
                            .unused = "blk.ffn_down.bias blk.ffn_gate.bias blk.ffn_up.bias rope_freqs.weight",
                            .rotates_whole_heads = true},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{.name = "llada-moe",
                 .graph = graphs::llada_moe,
                 .caches = CacheKinds::none,
                 .never_causal = true,
                 .loader = {.required = {kQkNorms, "blk.ffn_gate_exps.weight output.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn,
                            .square_attention = true,
                            .rotates_whole_heads = true},
                 .memory = {.scheme = CacheScheme::none}},
    Architecture{.name = "rnd1",
                 .graph = graphs::mellum,
                 .caches = CacheKinds::none,
                 .never_causal = true,
                 .loader = {.required = {kQkNorms, "blk.ffn_gate_exps.weight"},
                            .optional = kExperts,
                            .absent = kDenseFfn,
                            .rotates_whole_heads = true},
                 .memory = {.scheme = CacheScheme::none}},
};

}  // namespace

std::span<const Architecture> diffusion() {
    return kDiffusionRows;
}

}  // namespace splitscope::families
