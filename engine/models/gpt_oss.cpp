// SPDX-License-Identifier: MIT
// A mixture of experts with biases everywhere, attention sinks, and a sliding window in every second layer.
#include <cmath>

#include "engine/models/families.hpp"
#include "engine/models/feed_forward.hpp"

namespace splitscope {
namespace {

constexpr MixtureOptions kMixture{true, GluKind::swiglu_oai};

TensorId attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    TensorId q = b.project_heads(x, layer, "attn_q", h.head_dim_k, h.heads[l], "Qcur");
    TensorId k = b.project_heads(x, layer, "attn_k", h.head_dim_k, h.kv_heads[l], "Kcur");
    const TensorId v = b.project_values(x, layer, "attn_v", h.head_dim_v, h.kv_heads[l], "Vcur");
    q = b.rope(q, layer, "Qcur");
    k = b.rope(k, layer, "Kcur");
    const TensorId sinks = b.block_weight(layer, "attn_sinks.weight", {h.heads[l], 1, 1, 1});
    const TensorId mixed =
        b.attend(q, k, v, layer, 1.0F / std::sqrt(static_cast<float>(h.head_dim_k)), sinks);
    return b.project(mixed, layer, "attn_output", b.width(), {}, "attn_out");
}

TensorId block(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const TensorId normed = b.rms_norm(x, b.block_vector(layer, "attn_norm.weight"), "attn_norm", layer);
    const TensorId input = b.named(g.add(attention(b, normed, layer), x), "ffn_inp", layer);
    const TensorId ready =
        b.rms_norm(input, b.block_vector(layer, "post_attention_norm.weight"), "attn_post_norm", layer);
    return b.named(g.add(mixture_of_experts(b, ready, layer, kMixture), input), "l_out", layer);
}

}  // namespace

ModelGraph build_gpt_oss(const GgufFile& file, const Hyperparameters& h, const ModelGraphOptions& options,
                         const ModelPlacement& placement) {
    ModelBuilder b(file, h, options, placement);
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) x = block(b, x, layer);
    // Drafting models read it, so the reference keeps it.
    b.graph().add_flag(x, TensorFlags::output);
    return b.finish_with_logits(b.keep_outputs(x));
}

}  // namespace splitscope
