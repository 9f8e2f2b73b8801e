// SPDX-License-Identifier: MIT
// Norms before and after both halves of a block, scaled embeddings, GEGLU, sliding windows in most layers;
// soft caps (gemma2) or norms of the heads (gemma3).
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/feed_forward.hpp"

namespace splitscope {
namespace {

/// The 27B models, told by their layers, scale queries by the width per head instead of the head's size.
float query_scale(const Hyperparameters& h) {
    const bool largest = h.shape.layers == (h.shape.architecture == "gemma2" ? 46U : 62U);
    const std::uint32_t size = largest ? h.shape.embedding / h.shape.heads : h.head_dim_k;
    return 1.0F / std::sqrt(static_cast<float>(size));
}

TensorId head_norm(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view part,
                   std::string_view name) {
    if (b.hyperparameters().shape.architecture != "gemma3") return x;
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
    const TensorId mixed = b.attend(b.graph().scale(q, query_scale(h)), k, v, layer, 1.0F);
    return b.project(mixed, layer, "attn_output", b.width(), {}, {});
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const TensorId normed = b.rms_norm(x, b.block_vector(layer, "attn_norm.weight"), "attn_norm", layer);
    TensorId attended = attention(b, normed, layer);
    const bool last = layer + 1 == b.layers();
    if (last) attended = b.keep_outputs(attended);
    const TensorId after =
        b.rms_norm(attended, b.block_vector(layer, "post_attention_norm.weight"), "attn_post_norm", layer);
    if (last) x = b.keep_outputs(x);
    const TensorId input = b.named(g.add(after, x), "sa_out", layer);
    const TensorId ready = b.rms_norm(input, b.block_vector(layer, "ffn_norm.weight"), "ffn_norm", layer);
    const TensorId output = gated_feed_forward(b, ready, layer, GluKind::geglu);
    const TensorId done =
        b.rms_norm(output, b.block_vector(layer, "post_ffw_norm.weight"), "ffn_post_norm", -1);
    if (b.hyperparameters().shape.architecture == "gemma3") b.named(done, "ffn_post_norm", layer);
    return b.named(g.add(done, input), "l_out", layer);
}

}  // namespace

ModelGraph build_gemma(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                       const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    x = b.named(b.graph().scale(x, std::sqrt(static_cast<float>(b.width()))), "inp_scaled");
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    return b.finish_with_logits(x);
}

}  // namespace splitscope
