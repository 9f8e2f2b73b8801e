// SPDX-License-Identifier: MIT
// Decoders with parallel attention and feed-forward, which read the same input.
#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

/// Keeps the rows that become outputs, of three tensors.
void keep_three(ModelBuilder& b, std::int32_t layer, TensorId& attended, TensorId& x, TensorId& normed) {
    if (!b.is_last(layer)) return;
    attended = b.keep_outputs(attended);
    x = b.keep_outputs(x);
    normed = b.keep_outputs(normed);
}

/// Attention and feed-forward of the block's norm, added up.
struct SideBySide {
    NormKind norm = NormKind::layer;
    SelfAttention attention = {};
    FeedForward feed = {};
    bool feed_before_input = true;  ///< the sum: (feed + input) + attention, or (attention + feed) + input
};

TensorId side_by_side(ModelBuilder& b, TensorId x, std::int32_t layer, const SideBySide& options) {
    GraphBuilder& g = b.graph();
    TensorId normed = b.block_norm(options.norm, x, layer, "attn_norm");
    TensorId attended = self_attention(b, normed, layer, options.attention);
    keep_three(b, layer, attended, x, normed);
    const TensorId out = feed_forward(b, normed, layer, options.feed);
    const TensorId sum =
        options.feed_before_input ? g.add(g.add(out, x), attended) : g.add(g.add(attended, out), x);
    return b.named(sum, "l_out", layer);
}

ModelGraph finish_scaled(ModelBuilder& b, TensorId x, NormKind norm) {
    TensorId logits = b.lm_head(b.final_norm(x, norm));
    const float scale = b.keys().decimal("logit_scale", 0.0F);
    if (scale != 0.0F) logits = b.graph().scale(logits, scale);
    return b.finish_with_named_logits(logits);
}

}  // namespace

ModelGraph command_r(ModelBuilder& b) {
    const SelfAttention attention{
        .head_norms = true, .head_norm_kind = NormKind::layer, .q_norm_name = "Qcur", .k_norm_name = "Kcur"};
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer)
        x = side_by_side(b, x, layer, {.attention = attention});
    return finish_scaled(b, x, NormKind::layer);
}

ModelGraph cohere2(ModelBuilder& b) {
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const bool slides = b.hyperparameters().slides(static_cast<std::size_t>(layer));
        x = side_by_side(b, x, layer, {.attention = {.rope = slides, .rope_factors = true}});
    }
    return finish_scaled(b, x, NormKind::layer);
}

ModelGraph falcon(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId normed = b.block_norm(NormKind::layer, x, layer, "attn_norm");
        const bool second = b.block_has(layer, "attn_norm_2.weight");
        const TensorId in = second ? b.block_norm(NormKind::layer, x, layer, "attn_norm_2") : normed;
        TensorId attended = self_attention(b, in, layer);
        keep_three(b, layer, attended, x, normed);
        const TensorId out = feed_forward(b, normed, layer, kGelu);
        x = b.named(g.add(g.add(out, attended), x), "l_out", layer);
    }
    return b.finish_with_logits(x, NormKind::layer);
}

ModelGraph gptneox(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const bool parallel = b.keys().flag("use_parallel_residual", true);
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended = self_attention(b, b.block_norm(NormKind::layer, x, layer, "attn_norm"), layer);
        b.keep_outputs_of_last(layer, attended, x);
        const TensorId in = parallel ? x : b.named(g.add(attended, x), "ffn_inp", layer);
        const TensorId out =
            feed_forward(b, b.block_norm(NormKind::layer, in, layer, "ffn_norm"), layer, kGelu);
        const TensorId sum = g.add(out, in);
        x = b.named(parallel ? g.add(b.named(sum, "ffn_out", layer), attended) : sum, "l_out", layer);
    }
    return b.finish_with_logits(x, NormKind::layer);
}

ModelGraph phi2(ModelBuilder& b) {
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer)
        x = side_by_side(b, x, layer,
                         {.attention = {.scales_query = true, .scaled_name = {}},
                          .feed = kGelu,
                          .feed_before_input = false});
    return b.finish_with_named_logits(
        b.lm_head_with_bias(b.final_norm(x, NormKind::layer), "result_output_no_bias"));
}

ModelGraph plamo(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId normed = b.block_rms_norm(x, layer, "attn_norm");
        TensorId attended = self_attention(b, normed, layer);
        keep_three(b, layer, attended, normed, x);
        const TensorId out = feed_forward(b, normed, layer);
        x = b.named(g.add(g.add(out, attended), x), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

ModelGraph stablelm(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const SelfAttention attention{.head_norms = true,
                                  .head_norm_kind = NormKind::layer,
                                  .norm_per_head = true,
                                  .q_norm_name = "Qcur",
                                  .k_norm_name = "Kcur"};
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId normed = b.block_norm(NormKind::layer, x, layer, "attn_norm");
        TensorId attended = self_attention(b, normed, layer, attention);
        keep_three(b, layer, attended, x, normed);
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        // Parallel residual if there is no second norm.
        const bool second = b.block_has(layer, "ffn_norm.weight");
        const TensorId in = second ? b.block_norm(NormKind::layer, input, layer, "ffn_norm") : normed;
        x = b.named(g.add(feed_forward(b, in, layer), input), "l_out", layer);
    }
    return b.finish_with_logits(x, NormKind::layer);
}

}  // namespace splitscope::graphs
