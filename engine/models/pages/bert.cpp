// SPDX-License-Identifier: MIT
// Encoders: every token sees every other one, norms after the halves of a block, and the rows of the last
// block are the result.
#include "engine/models/pages/pages.hpp"

namespace splitscope::pages {
namespace {

TensorId embed(ModelBuilder& b, bool learned_positions) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    if (b.has("token_types.weight")) {
        // Every token is of the first kind.
        const std::int64_t kinds = b.rows_of("token_types.weight");
        const TensorId types = b.input_weight("token_types.weight", {b.width(), kinds, 1, 1});
        x = g.add(x, g.view_1d(types, b.width(), 0));
    }
    if (learned_positions) {
        const TensorId table =
            b.input_weight("position_embd.weight", {b.width(), b.rows_of("position_embd.weight"), 1, 1});
        x = g.add(g.get_rows(table, b.positions()), x);
    }
    b.named(x, "inp_embd");
    const Shape vector{b.width(), 1, 1, 1};
    return b.layer_norm(x, b.input_weight("token_embd_norm.weight", vector),
                        b.input_weight("token_embd_norm.bias", vector), "inp_norm", 0);
}

ModelGraph encoder(ModelBuilder& b, bool learned_positions, const SelfAttention& attention,
                   const Half& feed) {
    GraphBuilder& g = b.graph();
    TensorId x = embed(b, learned_positions);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended = self_attention(b, x, layer, attention);
        if (!b.is_2025_02()) b.keep_outputs_of_last(layer, attended, x);
        TensorId ready =
            b.block_norm(NormKind::layer, g.add(attended, x), layer, "attn_output_norm", "ffn_inp");
        if (b.block_has(layer, "attn_norm_2.weight"))
            ready = b.block_norm(NormKind::layer, g.add(ready, x), layer, "attn_norm_2", "ffn_inp");
        const TensorId sum = g.add(feed(ready, layer), ready);
        const std::string bias = "layer_output_norm.bias";
        x = b.layer_norm(sum, b.block_vector(layer, "layer_output_norm.weight"), b.block_vector(layer, bias),
                         {}, layer);
    }
    return b.finish_with_embeddings(x);
}

}  // namespace

ModelGraph bert(ModelBuilder& b) {
    return encoder(b, true,
                   {.rope = false,
                    .head_norms = true,
                    .head_norm_kind = NormKind::layer,
                    .whole_row_norms = true,
                    .name = "kqv_out"},
                   [&](TensorId in, std::int32_t l) {
                       return feed_forward(b, in, l, {.activation = Activation::gelu, .gated = false});
                   });
}

}  // namespace splitscope::pages
