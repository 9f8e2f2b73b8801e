// SPDX-License-Identifier: MIT
// T5.
#include <span>

#include "engine/models/families/family.hpp"

namespace splitscope::graphs {

GraphFunction t5, t5encoder;

}  // namespace splitscope::graphs

namespace splitscope::families {
namespace {

constexpr std::string_view kEncoderTensors =
    "enc.blk.attn_k.weight enc.blk.attn_norm.weight enc.blk.attn_o.weight enc.blk.attn_q.weight "
    "enc.blk.attn_rel_b.weight enc.blk.attn_v.weight enc.blk.ffn_down.weight enc.blk.ffn_gate.weight "
    "enc.blk.ffn_norm.weight enc.blk.ffn_up.weight enc.output_norm.weight";

constexpr std::array kT5Rows = {
    Architecture{
        .name = "t5",
        .graph = graphs::t5,
        .rope = RopeKind::none,
        .reads_encoder = true,
        .scaled = "output",
        .loader =
            {.keys = "attention.relative_buckets_count",
             .optional =
                 {kEncoderTensors,
                  "dec.blk.attn_k.weight dec.blk.attn_norm.weight dec.blk.attn_o.weight "
                  "dec.blk.attn_q.weight dec.blk.attn_rel_b.weight dec.blk.attn_v.weight "
                  "dec.blk.cross_attn_k.weight dec.blk.cross_attn_norm.weight dec.blk.cross_attn_o.weight "
                  "dec.blk.cross_attn_q.weight dec.blk.cross_attn_rel_b.weight dec.blk.cross_attn_v.weight "
                  "dec.blk.ffn_down.weight dec.blk.ffn_gate.weight dec.blk.ffn_norm.weight "
                  "dec.blk.ffn_up.weight dec.output_norm.weight"},
             .absent = {kSeparateQkv, kDenseFfn,
                        "blk.attn_norm.weight blk.attn_output.weight blk.attn_qkv.weight blk.ffn_norm.weight "
                        "output_norm.weight"},
             .qkv_biases = false,
             .fused_qkv_bias = false},
        .memory = {.scheme = CacheScheme::every_block}},
    Architecture{.name = "t5encoder",
                 .graph = graphs::t5encoder,
                 .rope = RopeKind::none,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .scaled = "output",
                 .loader = {.keys = "attention.relative_buckets_count",
                            .optional = kEncoderTensors,
                            .absent = {kSeparateQkv, kDenseFfn,
                                       "blk.attn_norm.weight blk.attn_output.weight blk.attn_qkv.weight "
                                       "blk.ffn_norm.weight output_norm.weight"},
                            .qkv_biases = false,
                            .fused_qkv_bias = false},
                 .memory = {.scheme = CacheScheme::every_block}},
};

}  // namespace

std::span<const Architecture> t5() {
    return kT5Rows;
}

}  // namespace splitscope::families
