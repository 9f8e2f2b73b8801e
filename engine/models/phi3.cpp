// SPDX-License-Identifier: MIT
// Like llama, with queries, keys and values in one product and gate and up in another.
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/feed_forward.hpp"

namespace splitscope {
namespace {

/// Frequencies for contexts longer or shorter than the original training, where the file has them.
TensorId frequency_factors(ModelBuilder& b, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const bool is_long = b.options().context > static_cast<std::uint32_t>(h.rope.original_context);
    const std::string name = is_long ? "rope_factors_long.weight" : "rope_factors_short.weight";
    return b.has(name) ? b.weight(layer, name, {h.rope.dims / 2, 1, 1, 1}) : TensorId{};
}

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t q_row = std::int64_t{h.head_dim_k} * h.heads[l];
    const TensorId fused = b.project(x, layer, "attn_qkv", q_row + h.k_row(l) + h.v_row(l), "wqkv", "wqkv_b");
    TensorId q = b.part_heads(fused, 0, h.head_dim_k, h.heads[l], "Qcur", layer);
    TensorId k = b.part_heads(fused, q_row, h.head_dim_k, h.kv_heads[l], "Kcur", layer);
    const TensorId v = b.part_values(fused, q_row + h.k_row(l), h.head_dim_v, h.kv_heads[l], "Vcur", layer);
    const TensorId frequencies = frequency_factors(b, layer);
    q = b.rope(q, layer, "Qcur", frequencies);
    k = b.rope(k, layer, "Kcur", frequencies);
    q = b.named(g.scale(q, 1.0F / std::sqrt(static_cast<float>(h.head_dim_k))), "Qcur", layer);
    return b.project(b.attend(q, k, v, layer, 1.0F), layer, "attn_output", b.width(), {}, {});
}

TensorId feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const TensorId both =
        b.project(x, layer, "ffn_up", b.block_rows(layer, "ffn_up.weight"), "ffn_up", "ffn_up_b");
    const TensorId gated = b.gate_halves(GluKind::swiglu, both, "ffn", layer);
    return b.project(gated, layer, "ffn_down", b.width(), "ffn_out", "ffn_out");
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const TensorId normed = b.rms_norm(x, b.block_vector(layer, "attn_norm.weight"), "attn_norm", layer);
    TensorId attended = attention(b, normed, layer);
    if (layer + 1 == b.layers()) {
        attended = b.keep_outputs(attended);
        x = b.keep_outputs(x);
    }
    const TensorId input = g.add(attended, x);
    const TensorId ready = b.rms_norm(input, b.block_vector(layer, "ffn_norm.weight"), "ffn_norm", layer);
    return b.named(g.add(input, feed_forward(b, ready, layer)), "l_out", layer);
}

}  // namespace

ModelGraph build_phi3(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                      const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish_with_logits(x);
}

}  // namespace splitscope
