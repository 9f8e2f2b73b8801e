// SPDX-License-Identifier: MIT
// An encoder: every token sees every other one, norms after the halves of a block, and the rows of the last
// block are the result.
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

TensorId norm(ModelBuilder& b, TensorId x, std::string_view part, std::string_view name, std::int32_t layer) {
    const std::string prefix(part);
    return b.layer_norm(x, b.block_vector(layer, prefix + ".weight"), b.block_vector(layer, prefix + ".bias"),
                        name, layer);
}

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const TensorId q = b.project_heads(x, layer, "attn_q", h.head_dim_k, h.heads[l], "Qcur");
    const TensorId k = b.project_heads(x, layer, "attn_k", h.head_dim_k, h.kv_heads[l], "Kcur");
    const TensorId v = b.project_heads(x, layer, "attn_v", h.head_dim_v, h.kv_heads[l], "Vcur");
    const float scale = 1.0F / std::sqrt(static_cast<float>(h.head_dim_k));
    const TensorId mixed = b.attend_within_batch(q, k, v, layer, scale);
    return b.project(mixed, layer, "attn_output", b.width(), {}, "kqv_wo");
}

TensorId feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const TensorId up =
        b.project(x, layer, "ffn_up", b.block_rows(layer, "ffn_up.weight"), "ffn_up", "ffn_up_b");
    const TensorId active = b.named(b.graph().unary(UnaryKind::gelu, up), "ffn_gelu", layer);
    return b.project(active, layer, "ffn_down", b.width(), "ffn_down", "ffn_out");
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const TensorId input = g.add(attention(b, x, layer), x);
    const TensorId ready = norm(b, input, "attn_output_norm", "attn_out_norm", layer);
    const TensorId output = g.add(feed_forward(b, ready, layer), ready);
    return b.named(norm(b, output, "layer_output_norm", "layer_out_norm", layer), "l_out", layer);
}

TensorId embed(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    if (b.has("token_types.weight")) {
        // Every token is of the first kind.
        const std::int64_t kinds = b.rows_of("token_types.weight");
        const TensorId types = b.input_weight("token_types.weight", {b.width(), kinds, 1, 1});
        x = g.add(x, g.view_1d(types, b.width(), 0));
    }
    x = b.named(g.add(x, b.embed_positions()), "inp_embd");
    const Shape vector{b.width(), 1, 1, 1};
    return b.layer_norm(x, b.input_weight("token_embd_norm.weight", vector),
                        b.input_weight("token_embd_norm.bias", vector), "inp_norm", 0);
}

}  // namespace

ModelGraph build_bert(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                      const ModelPlacement& placement) {
    ModelGraphOptions all_rows = options;
    all_rows.outputs = options.tokens;
    ModelBuilder b(file, h, all_rows, placement);
    TensorId x = embed(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish(b.named(x, "result_embd"));
}

}  // namespace splitscope
