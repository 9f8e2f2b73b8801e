// SPDX-License-Identifier: MIT
// RMS norms, grouped-query attention with rotary positions, SwiGLU or a mixture of such experts.
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/feed_forward.hpp"

namespace splitscope {
namespace {

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    TensorId frequencies;
    if (b.has("rope_freqs.weight"))
        frequencies = b.weight(layer, "rope_freqs.weight", {h.rope.dims / 2, 1, 1, 1});
    TensorId q = b.project_heads(x, layer, "attn_q", h.head_dim_k, h.heads[l], "Qcur");
    TensorId k = b.project_heads(x, layer, "attn_k", h.head_dim_k, h.kv_heads[l], "Kcur");
    const TensorId v = b.project_values(x, layer, "attn_v", h.head_dim_v, h.kv_heads[l], "Vcur");
    q = b.rope(q, layer, "Qcur", frequencies);
    k = b.rope(k, layer, "Kcur", frequencies);
    const TensorId mixed = b.attend(q, k, v, layer, 1.0F / std::sqrt(static_cast<float>(h.head_dim_k)));
    const std::string_view name = b.is_2025_02() ? "kqv_out" : "attn_out";
    return b.project(mixed, layer, "attn_output", b.width(), name, name);
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

ModelGraph build_llama(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                       const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish_with_logits(x);
}

}  // namespace splitscope
