// SPDX-License-Identifier: MIT
// Like llama, with biases of the projections (qwen2) or norms of the heads (qwen3, qwen3moe).
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/feed_forward.hpp"

namespace splitscope {
namespace {

TensorId head_norm(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view part,
                   std::string_view name) {
    if (!b.has(b.block_name(layer, part))) return x;
    const TensorId weight = b.block_weight(layer, part, {b.hyperparameters().head_dim_k, 1, 1, 1});
    return b.rms_norm(x, weight, name, layer);
}

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    TensorId q = b.project_heads(x, layer, "attn_q", h.head_dim_k, h.heads[l], "Qcur");
    TensorId k = b.project_heads(x, layer, "attn_k", h.head_dim_k, h.kv_heads[l], "Kcur");
    const TensorId v = b.project_values(x, layer, "attn_v", h.head_dim_v, h.kv_heads[l], "Vcur");
    q = b.rope(head_norm(b, q, layer, "attn_q_norm.weight", "Qcur_normed"), layer, "Qcur");
    k = b.rope(head_norm(b, k, layer, "attn_k_norm.weight", "Kcur_normed"), layer, "Kcur");
    const TensorId mixed = b.attend(q, k, v, layer, 1.0F / std::sqrt(static_cast<float>(h.head_dim_k)));
    return b.project(mixed, layer, "attn_output", b.width(), {}, {});
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const TensorId normed = b.rms_norm(x, b.block_vector(layer, "attn_norm.weight"), "attn_norm", layer);
    TensorId attended = attention(b, normed, layer);
    if (layer + 1 == b.layers()) {
        attended = b.keep_outputs(attended);
        x = b.keep_outputs(x);
    }
    const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
    const TensorId ready = b.rms_norm(input, b.block_vector(layer, "ffn_norm.weight"), "ffn_norm", layer);
    const TensorId output = b.hyperparameters().experts > 0
                                ? mixture_of_experts(b, ready, layer, {})
                                : gated_feed_forward(b, ready, layer, GluKind::swiglu);
    return b.named(g.add(output, input), "l_out", layer);
}

}  // namespace

ModelGraph build_qwen(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                      const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish_with_logits(x);
}

}  // namespace splitscope
