// SPDX-License-Identifier: MIT
// Recent decoders that gate the result of attention.
#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"

namespace splitscope::graphs {
namespace {

/// One factor per head, or one per element, multiplies the result of attention.
TensorId gated(ModelBuilder& b, TensorId mixed, TensorId open, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const auto heads = std::int64_t{b.hyperparameters().heads[static_cast<std::size_t>(layer)]};
    if (g[open].ne[0] != heads) return b.named(g.mul(mixed, open), "attn_gated", layer);
    const Shape flat = g[mixed].ne;
    const TensorId by_head = g.reshape(mixed, {flat[0] / heads, heads, b.tokens(), 1});
    const TensorId product = g.mul(by_head, g.reshape(open, {1, heads, b.tokens(), 1}));
    return b.named(g.reshape(product, flat), "attn_gated", layer);
}

TensorId sigmoid_gate(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view product,
                      std::string_view name) {
    const std::int64_t rows = b.block_rows(layer, "attn_gate.weight");
    const TensorId gate = b.project(x, layer, "attn_gate", rows, product, product);
    return b.named(b.graph().unary(UnaryKind::sigmoid, gate), name, layer);
}

}  // namespace

ModelGraph spark2_5(ModelBuilder& b) {
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const Heads heads =
            rotated_heads(b, in, layer, {.q_rope_name = "Qcur_rope", .k_rope_name = "Kcur_rope"});
        const TensorId mixed =
            b.named(b.attend(heads, layer, {.scale = b.score_scale(layer)}), "attn_out", layer);
        const TensorId open = sigmoid_gate(b, in, layer, {}, "attn_gate");
        return project_out(b, gated(b, mixed, open, layer), layer, "attn_out_proj");
    };
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return feed_forward(b, in, l, {.activation = Activation::gelu});
    });
    return b.finish_with_logits(x);
}

ModelGraph muse_glimmer(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto attend = [&](TensorId in, std::int32_t layer) {
        SelfAttention options{.head_norms = true, .q_rope_name = "Qcur_rope", .k_rope_name = "Kcur_rope"};
        if (!h.slides(static_cast<std::size_t>(layer))) {
            options.rope = false;
            options.q_rope_name = options.k_rope_name = kUnnamed;
        }
        const Heads heads = rotated_heads(b, in, layer, options);
        const TensorId mixed =
            b.named(b.attend(heads, layer, {.scale = b.score_scale(layer)}), "attn_out", layer);
        const TensorId open = sigmoid_gate(b, in, layer, "attn_gate_proj", "attn_gate_sig");
        return project_out(b, gated(b, mixed, open, layer), layer, "attn_o_proj");
    };
    // The first step of the norms after the sublayers is unnamed.
    const auto post_norm = [&](TensorId x, std::int32_t layer, std::string_view part, std::string_view name) {
        return b.named(g.mul(g.rms_norm(x, h.rms_epsilon), b.block_vector(layer, part)), name, layer);
    };
    TensorId x = b.normalise(NormKind::plain_rms, b.embed_tokens(), {}, {}, "embd_norm", -1);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId attended = attend(b.block_rms_norm(x, layer, "attn_norm"), layer);
        attended = post_norm(attended, layer, "post_attention_norm.weight", "attn_post_norm");
        b.keep_outputs_of_last(layer, attended, x);
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        const TensorId out = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        const TensorId after = post_norm(out, layer, "post_ffw_norm.weight", "ffn_post_norm");
        x = b.named(g.add(after, input), "l_out", layer);
    }
    const TensorId logits = b.lm_head(b.final_norm(x));
    return b.finish_with_named_logits(b.cap_output(g.scale(logits, b.keys().decimal("logit_scale", 1.0F))));
}

ModelGraph hrm_text(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const auto per_stack = static_cast<std::int32_t>(b.keys().required("hrm.layers_per_stack", kMaxLayers));
    const auto high_cycles = b.keys().required("hrm.h_cycles", kMaxLayers);
    const auto low_cycles = b.keys().required("hrm.l_cycles", kMaxLayers);
    if (std::uint64_t{high_cycles} * (low_cycles + 1) * static_cast<std::uint32_t>(per_stack) !=
        static_cast<std::uint32_t>(b.layers()))
        b.keys().refuse("hrm.layers_per_stack", msg::kCyclesDoNotFit);
    // Two stacks of blocks are repeated, with a separate cache for each repetition.
    std::int32_t layer = 0;
    const auto stack = [&](TensorId x, std::int32_t first) {
        for (std::int32_t block = first; block < first + per_stack; ++block, ++layer) {
            b.set_block_shift(layer - block);
            const TensorId normed = b.normalise(NormKind::plain_rms, x, {}, {}, "attn_norm", layer);
            const Heads heads = rotated_heads(b, normed, layer);
            const AttendOptions options{.scale = b.score_scale(layer)};
            const TensorId mixed = b.named(b.attend(heads, layer, options), "attn_pregate", layer);
            const TensorId open = sigmoid_gate(b, normed, layer, "attn_gate_proj", "attn_gate_sigmoid");
            const TensorId attended = project_out(b, gated(b, mixed, open, layer), layer, "attn_out");
            const TensorId input = b.named(g.add(attended, x), "attn_add", layer);
            const TensorId ready = b.normalise(NormKind::plain_rms, input, {}, {}, "ffn_norm", layer);
            x = b.named(g.add(feed_forward(b, ready, layer), input), "l_out", layer);
        }
        return b.normalise(NormKind::plain_rms, x, {}, {}, "stack_norm", layer - 1);
    };
    TensorId high = b.embed_tokens(b.keys().decimal("embedding_scale", 0.0F));
    TensorId low = b.input_weight("hrm.z_l_init", {b.width(), 1, 1, 1});
    for (std::uint32_t h = 0; h < high_cycles; ++h) {
        for (std::uint32_t l = 0; l < low_cycles; ++l) low = stack(g.add(high, low), 0);
        high = stack(g.add(high, low), per_stack);
    }
    const TensorId last = b.named(b.keep_outputs(high), "result_norm");
    b.keep_embeddings(last);
    return b.finish_with_named_logits(b.lm_head(last));
}

}  // namespace splitscope::graphs
