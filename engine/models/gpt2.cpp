// SPDX-License-Identifier: MIT
// Learned positions, layer norms with biases, one product for queries, keys and values, GELU.
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t q_row = std::int64_t{h.head_dim_k} * h.heads[l];
    const TensorId fused = b.project(x, layer, "attn_qkv", q_row + h.k_row(l) + h.v_row(l), "wqkv", "wqkv_b");
    const TensorId q = b.part_heads(fused, 0, h.head_dim_k, h.heads[l], "Qcur", layer);
    const TensorId k = b.part_heads(fused, q_row, h.head_dim_k, h.kv_heads[l], "Kcur", layer);
    const TensorId v = b.part_values(fused, q_row + h.k_row(l), h.head_dim_v, h.kv_heads[l], "Vcur", layer);
    const TensorId mixed = b.attend(q, k, v, layer, 1.0F / std::sqrt(static_cast<float>(h.head_dim_k)));
    return b.project(mixed, layer, "attn_output", b.width(), {}, {});
}

TensorId norm(ModelBuilder& b, TensorId x, std::string_view name, std::int32_t layer) {
    const std::string part(name);
    return b.layer_norm(x, b.block_vector(layer, part + ".weight"), b.block_vector(layer, part + ".bias"),
                        name, layer);
}

TensorId feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const TensorId up =
        b.project(x, layer, "ffn_up", b.block_rows(layer, "ffn_up.weight"), "ffn_up", "ffn_up_b");
    const TensorId active = b.named(b.graph().unary(UnaryKind::gelu, up), "ffn_gelu", layer);
    return b.project(active, layer, "ffn_down", b.width(), "ffn_down", "ffn_out");
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    TensorId attended = attention(b, norm(b, x, "attn_norm", layer), layer);
    if (layer + 1 == b.layers()) {
        attended = b.keep_outputs(attended);
        x = b.keep_outputs(x);
    }
    const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
    const TensorId output = feed_forward(b, norm(b, input, "ffn_norm", layer), layer);
    return b.named(g.add(output, input), "l_out", layer);
}

}  // namespace

ModelGraph build_gpt2(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                      const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    x = b.named(b.graph().add(x, b.embed_positions()), "inpL");
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish_with_logits(x);
}

}  // namespace splitscope
