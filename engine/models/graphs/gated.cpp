// SPDX-License-Identifier: MIT
// Decoders that multiply the result of attention by a gate computed from its input, and related ones.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::graphs {
namespace {

/// Heads without names of their own.
Heads plain_heads(ModelBuilder& b, TensorId in, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const Heads rows = b.qkv_rows(in, layer, h.q_row(l), h.k_row(l), h.v_row(l));
    return {g.reshape(rows.q, {h.head_k(l), h.heads[l], b.tokens(), 1}),
            g.reshape(rows.k, {h.head_k(l), h.kv_heads[l], b.tokens(), 1}),
            g.reshape(rows.v, {h.head_v(l), h.kv_heads[l], b.tokens(), 1})};
}

/// As plain_heads(), without biases; heads of a fused product are views of it.
Heads unbiased_heads(ModelBuilder& b, TensorId in, std::int32_t layer) {
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    if (b.block_has(layer, "attn_qkv.weight")) {
        const std::int64_t q_row = h.q_row(l);
        const std::int64_t k_row = h.k_row(l);
        const TensorId all = b.product(in, layer, "attn_qkv", q_row + k_row + h.v_row(l), "wqkv");
        return {b.part_heads(all, 0, h.head_k(l), h.heads[l], {}, layer),
                b.part_heads(all, q_row, h.head_k(l), h.kv_heads[l], {}, layer),
                b.part_heads(all, q_row + k_row, h.head_v(l), h.kv_heads[l], {}, layer)};
    }
    const auto part = [&](std::string_view weight, std::int64_t dim, std::int64_t count,
                          std::string_view name) {
        return b.graph().reshape(b.product(in, layer, weight, dim * count, name),
                                 {dim, count, b.tokens(), 1});
    };
    return {part("attn_q", h.head_k(l), h.heads[l], "Qcur"),
            part("attn_k", h.head_k(l), h.kv_heads[l], "Kcur"),
            part("attn_v", h.head_v(l), h.kv_heads[l], "Vcur")};
}

/// One factor per head multiplies its elements.
TensorId multiply_heads(ModelBuilder& b, TensorId mixed, TensorId gate, std::int64_t heads) {
    GraphBuilder& g = b.graph();
    const Shape flat = g[mixed].ne;
    const TensorId by_head = g.reshape(mixed, {flat[0] / heads, heads, b.tokens(), 1});
    return g.reshape(g.mul(by_head, g.reshape(gate, {1, heads, b.tokens(), 1})), flat);
}

}  // namespace

ModelGraph afmoe(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const auto attend = [&](TensorId in, std::int32_t layer) {
        SelfAttention options{.head_norms = true, .q_rope_name = "Qcur_rope", .k_rope_name = "Kcur_rope"};
        if ((layer + 1) % 4 == 0) {
            options.rope = false;
            options.q_rope_name = options.k_rope_name = kUnnamed;
        }
        const auto rows = b.block_rows(layer, "attn_gate.weight");
        const TensorId gate = b.project(in, layer, "attn_gate", rows, "attn_gate_proj", {});
        const Heads heads = rotated_heads(b, in, layer, options);
        const TensorId mixed =
            b.named(b.attend(heads, layer, {.scale = b.score_scale(layer)}), "attn_out", layer);
        const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "attn_gate_sig", layer);
        return project_out(b, b.named(g.mul(mixed, open), "attn_gated", layer), layer, "attn_o_proj");
    };
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b, Routing::sigmoid),
                                   .shared = b.keys().number_or("expert_shared_count", 0) > 0};
    const float scale = std::sqrt(static_cast<float>(b.width()));
    const TensorId x =
        decoder(b, b.named(g.scale(b.embed_tokens(), scale), "inp_embd_scaled"), attend,
                [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, sparse); },
                {.attention_post_norm = "post_attention_norm",
                 .ffn_post_norm = "post_ffw_norm",
                 .outputs_after_norm = true});
    return b.finish_with_logits(x);
}

ModelGraph laguna(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        // One for each head, or for each of its elements.
        const std::int64_t elements = h.heads[l] * std::int64_t{h.head_v(l)};
        const auto rows = b.block_rows(layer, "attn_gate.weight") == h.heads[l] ? h.heads[l] : elements;
        const TensorId gate = b.project(in, layer, "attn_gate", rows, "attn_gate_proj", {});
        Heads heads = rotated_heads(
            b, in, layer,
            {.rope = false, .head_norms = true, .q_rope_name = kUnnamed, .k_rope_name = kUnnamed});
        RopeParameters rope = b.rope_parameters(layer);
        if (h.slides(l)) {
            // Layers that slide are never stretched.
            rope.beta_fast = rope.beta_slow = 0.0F;
            rope.original_context = static_cast<std::int32_t>(h.shape.context);
        }
        heads.q = b.rope_with(rope, heads.q, layer, "Qcur_rope");
        heads.k = b.rope_with(rope, heads.k, layer, "Kcur_rope");
        TensorId mixed = b.named(b.attend(heads, layer, {.scale = b.score_scale(layer)}), "attn_out", layer);
        const TensorId open = b.named(g.unary(UnaryKind::softplus, gate), "attn_gate_softplus", layer);
        mixed = rows == h.heads[l] ? multiply_heads(b, mixed, open, rows) : g.mul(mixed, open);
        return project_out(b, b.named(mixed, "attn_gated", layer), layer, "attn_o_proj");
    };
    const SparseFeedForward sparse{.mixture = mixture_of_keys(b, Routing::sigmoid)};
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

ModelGraph step35(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        Heads heads = plain_heads(b, in, layer);
        heads.q = b.head_norm(heads.q, layer, "attn_q_norm", "Qcur_normed");
        heads.k = b.head_norm(heads.k, layer, "attn_k_norm", "Kcur_normed");
        RopeParameters rope = b.rope_parameters(layer);
        // Other layers rotate half as many elements as sliding-window layers.
        if (!h.slides(l)) rope.dims /= 2;
        const TensorId factors = h.slides(l) ? TensorId{} : b.frequency_factors_of(layer, rope.dims);
        heads.q = b.rope_with(rope, heads.q, layer, "Qcur_pos", factors);
        heads.k = b.rope_with(rope, heads.k, layer, "Kcur_pos", factors);
        TensorId mixed = b.named(b.attend(heads, layer, {.scale = b.score_scale(layer)}), "attn_out", layer);
        if (b.block_has(layer, "attn_gate.weight")) {
            const TensorId gate = b.project(in, layer, "attn_gate", h.heads[l], "attn_gate", {});
            const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "attn_gate_sigmoid", layer);
            const TensorId by_head =
                b.named(g.reshape(open, {1, h.heads[l], b.tokens(), 1}), "attn_gate_3d", layer);
            const TensorId split = g.reshape(mixed, {h.head_v(l), h.heads[l], b.tokens(), 1});
            const TensorId gated = b.named(g.mul(split, by_head), "attn_gated_3d", layer);
            mixed = b.named(g.reshape(gated, g[mixed].ne), "attn_gated", layer);
        }
        return project_out(b, mixed, layer, "attn_proj");
    };
    const auto feed = [&](TensorId in, std::int32_t layer) {
        SparseFeedForward sparse{.mixture = mixture_of_keys(b, Routing::sigmoid), .by_router = true};
        sparse.beside.name = "ffn_shared_out";
        sparse.dense.optional = true;
        sparse.beside.optional = true;
        sparse.mixture.limits = {"swiglu_clamp_exp"};
        sparse.beside.limits = sparse.dense.limits = {"swiglu_clamp_shexp"};
        return sparse_feed_forward(b, in, layer, sparse);
    };
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer)
        x = decoder_block(b, b.named(x, "attn_norm_in", layer), layer, attend, feed,
                          {.keeps_all_rows = true});
    b.keep_for_drafts(x);
    return b.finish_with_logits(b.keep_outputs(x));
}

ModelGraph mimo2(ModelBuilder& b) {
    const Hyperparameters& h = b.hyperparameters();
    const float value_scale = b.keys().decimal("attention.value_scale", 0.0F);
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        Heads heads = unbiased_heads(b, in, layer);
        heads.q = b.rope(heads.q, layer, "Qcur");
        heads.k = b.rope(heads.k, layer, "Kcur");
        b.named(heads.v, "Vcur", layer);
        const TensorId sinks = b.optional_weight(layer, "attn_sinks.weight", {h.heads[l], 1, 1, 1});
        const AttendOptions options{.scale = b.score_scale(layer), .sinks = sinks};
        const TensorId out = project_out(b, b.attend(heads, layer, options), layer, "attn_out");
        if (value_scale == 0.0F || value_scale == 1.0F) return out;
        return b.named(b.graph().scale(out, value_scale), "attn_out_scaled", layer);
    };
    const SparseFeedForward sparse{.mixture = {.routing = Routing::sigmoid},
                                   .shared = false,
                                   .dense = {.optional = true},
                                   .by_router = true};
    const TensorId x = decoder(b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) {
        return sparse_feed_forward(b, in, l, sparse);
    });
    return b.finish_with_logits(x);
}

ModelGraph hy_v3(ModelBuilder& b) {
    SparseFeedForward sparse{.mixture = mixture_of_keys(b, Routing::sigmoid), .by_router = true};
    sparse.beside.name = "ffn_shared_out";
    sparse.dense.name = "ffn_dense_out";
    sparse.dense.optional = true;
    sparse.mixture.selection_bias = "exp_probs_b";
    sparse.beside.optional = true;
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) {
            return self_attention(b, in, l,
                                  {.rope_factors = true,
                                   .head_norms = true,
                                   .q_norm_name = kUnnamed,
                                   .k_norm_name = kUnnamed,
                                   .q_rope_name = kUnnamed,
                                   .k_rope_name = kUnnamed,
                                   .name = "attn_out"});
        },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, sparse); },
        {.keeps_all_rows = true});
    TensorId last = b.final_norm(x);
    b.keep_for_drafts(last);
    last = b.named(b.keep_outputs(last), "result_norm");
    b.keep_embeddings(last);
    return b.finish_with_named_logits(b.lm_head(last));
}

ModelGraph cohere2moe(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const NormKind norm = b.keys().decimal("attention.layer_norm_rms_epsilon", 0.0F) == 0.0F
                              ? NormKind::plain_layer
                              : NormKind::rms;
    const NormKind kind = norm == NormKind::rms ? norm : NormKind::layer;
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId normed = b.block_norm(kind, x, layer, "attn_norm");
        const bool rotates =
            h.slides(static_cast<std::size_t>(layer)) || layer < static_cast<std::int32_t>(h.leading_dense);
        const TensorId attended = self_attention(b, normed, layer, {.rope = rotates, .rope_factors = true});
        TensorId out;
        if (!b.block_has(layer, "ffn_gate_inp.weight")) {
            out = feed_forward(b, normed, layer);
        } else {
            out = mixture_of_experts(b, normed, layer, mixture_of_keys(b, Routing::sigmoid));
            if (b.block_has(layer, "ffn_up_shexp.weight")) {
                out = g.scale(g.add(out, feed_forward(b, normed, layer, shared_expert())), 0.5F);
                b.named(out, "ffn_out", layer);
            }
        }
        x = b.named(g.add(g.add(out, x), attended), "l_out", layer);
    }
    TensorId last = b.final_norm(x, kind);
    b.keep_for_drafts(last);
    last = b.named(b.keep_outputs(last), "result_norm");
    b.keep_embeddings(last);
    TensorId logits = b.lm_head(last);
    const float scale = b.keys().decimal("logit_scale", 0.0F);
    if (scale != 0.0F) logits = g.scale(logits, scale);
    return b.finish_with_named_logits(logits);
}

ModelGraph talkie(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.normalise(NormKind::plain_rms, b.embed_tokens(), {}, {}, "inp_norm", -1);
    TensorId skip = x;
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const auto count = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
        const TensorId normed = b.normalise(NormKind::plain_rms, x, {}, {}, "attn_norm", layer);
        Heads heads = b.heads(normed, layer);
        heads.q = b.rope(heads.q, layer, {});
        heads.k = b.rope(heads.k, layer, {});
        heads.q = b.rms_norm(heads.q, b.block_weight(layer, "attn_q_norm.weight", {1, count, 1, 1}),
                             "Qcur_norm", layer);
        heads.k = b.normalise(NormKind::plain_rms, heads.k, {}, {}, "Kcur_norm", layer);
        TensorId attended =
            project_out(b, b.attend(heads, layer, {.scale = b.score_scale(layer)}), layer, "attn_out");
        if (b.is_last(layer)) {
            attended = b.keep_outputs(attended);
            x = b.keep_outputs(x);
            skip = b.keep_outputs(skip);
        }
        const TensorId input = b.named(g.add(attended, x), "ffn_inp", layer);
        const TensorId ready = b.normalise(NormKind::plain_rms, input, {}, {}, "ffn_norm", layer);
        const TensorId out = g.add(feed_forward(b, ready, layer), input);
        // The embeddings come back in every block.
        const TensorId again = g.mul(skip, b.block_weight(layer, "layer_output_scale.weight", {1, 1, 1, 1}));
        x = b.named(g.add(out, b.named(again, "embd_skip", layer)), "l_out", layer);
    }
    const TensorId logits = b.lm_head(b.final_norm(x, NormKind::plain_rms));
    return b.finish_with_named_logits(g.scale(logits, b.keys().decimal("logit_scale", 1.0F)));
}

ModelGraph chameleon(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const bool norms_after = b.keys().flag("swin_norm", false);
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const Hyperparameters& h = b.hyperparameters();
        Heads heads = b.heads(in, layer);
        const auto normalised = [&](TensorId x, std::string_view part, std::uint32_t count,
                                    std::string_view name) {
            const std::string weight = fmt::format("{}.weight", part);
            if (!b.block_has(layer, weight)) return x;
            const Shape ne{h.head_k(l), count, 1, 1};
            return b.layer_norm(x, b.block_weight(layer, weight, ne),
                                b.optional_weight(layer, fmt::format("{}.bias", part), ne), name, layer);
        };
        heads.q = normalised(heads.q, "attn_q_norm", h.heads[l], "Qcur");
        heads.k = normalised(heads.k, "attn_k_norm", h.kv_heads[l], "Kcur");
        heads.q = b.rope(heads.q, layer, "Qcur");
        heads.k = b.rope(heads.k, layer, "Kcur");
        return project_out(b, b.attend(heads, layer, {.scale = b.score_scale(layer)}), layer);
    };
    Decoder options;
    if (norms_after)
        options = {.attention_norm = {},
                   .ffn_norm = {},
                   .attention_post_norm = "attn_norm",
                   .attention_post_name = kUnnamed,
                   .ffn_post_norm = "ffn_norm",
                   .ffn_post_name = kUnnamed};
    const TensorId x = decoder(
        b, b.embed_tokens(), attend, [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l); },
        options);
    const TensorId logits = b.named(b.lm_head(b.final_norm(x)), "result_output_with_img_logits");
    // Tokens of images are never chosen.
    constexpr std::int64_t kFirst = 4;
    constexpr std::int64_t kEnd = 8196;
    constexpr float kLowest = std::numeric_limits<float>::lowest();
    const TensorId hidden = g.new_tensor(ElementType::f32, {kEnd - kFirst, 1, 1, 1});
    const TensorId lowest = b.named(g.clamp(hidden, kLowest, kLowest), "img_logits");
    return b.finish_with_named_logits(
        g.set_1d(logits, lowest, kFirst * static_cast<std::int64_t>(sizeof(float))));
}

ModelGraph deci(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto hidden = b.keys().per_layer("feed_forward_length", h.shape.layers, {});
    const SelfAttention attention{.rope_factors = true};
    TensorId x = b.embed_tokens();
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const auto l = static_cast<std::size_t>(layer);
        // Blocks may have no attention, only its last product, or no feed-forward.
        TensorId attended = x;
        TensorId residual = x;
        if (h.heads[l] > 0) attended = b.block_rms_norm(x, layer, "attn_norm");
        if (h.heads[l] > 0 && h.kv_heads[l] == 0)
            attended = b.unscaled_product(attended, layer, "attn_output", b.width(), "wo");
        else if (h.heads[l] > 0)
            attended = self_attention(b, attended, layer, attention);
        b.keep_outputs_of_last(layer, attended, residual);
        if (l < hidden.size() && hidden[l] == 0) continue;
        TensorId input = attended;
        if (h.heads[l] > 0) input = b.named(g.add(attended, residual), "ffn_inp", layer);
        const TensorId out = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        x = b.named(g.add(out, input), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

ModelGraph cogvlm(ModelBuilder& b) {
    const Hyperparameters& h = b.hyperparameters();
    RopeParameters rope{.dims = static_cast<std::int32_t>(h.head_dim_k), .mode = h.rope.mode};
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const std::int64_t rows = 3 * std::int64_t{h.q_row(l)};
        const TensorId all = b.project(in, layer, "attn_qkv", rows, {}, {});
        const auto part = [&](std::int64_t first, std::int64_t count) {
            return b.part_heads(all, first, h.head_dim_k, count, {}, layer);
        };
        const std::int64_t width = b.width();
        Heads heads{part(0, h.heads[l]), part(width, h.kv_heads[l]), part(2 * width, h.kv_heads[l])};
        heads.q = b.rope_with(rope, heads.q, layer, {});
        heads.k = b.rope_with(rope, heads.k, layer, {});
        return project_out(b, b.attend(heads, layer, {.scale = b.score_scale(layer)}), layer, "attn_out");
    };
    const TensorId x =
        decoder(b, b.embed_tokens(), attend,
                [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l, {.name = kUnnamed}); },
                {.attention_norm_name = kUnnamed, .keeps_all_rows = true});
    return b.finish_with_logits(x);
}

ModelGraph openelm(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const auto l = static_cast<std::size_t>(layer);
        const std::int64_t all = h.heads[l] + 2 * std::int64_t{h.kv_heads[l]};
        const std::int64_t dim = h.head_k(l);
        const TensorId rows = b.project(in, layer, "attn_qkv", all * dim, "wqkv", "wqkv");
        const TensorId split = g.reshape(rows, {dim, all, b.tokens(), 1});
        const Shape nb = g[split].nb;
        const auto part = [&](std::int64_t first, std::int64_t count, std::string_view name) {
            return b.named(g.view_3d(split, dim, count, b.tokens(), nb[1], nb[2], first * nb[1]), name,
                           layer);
        };
        TensorId q = part(0, h.heads[l], "Qcur");
        TensorId k = part(h.heads[l], h.kv_heads[l], "Kcur");
        const TensorId v = part(h.heads[l] + std::int64_t{h.kv_heads[l]}, h.kv_heads[l], "Vcur");
        // llama.cpp names the rotated queries "Vcur".
        q = b.rope(b.head_norm(q, layer, "attn_q_norm", "Qcur"), layer, "Vcur");
        k = b.rope(b.head_norm(k, layer, "attn_k_norm", "Kcur"), layer, "Kcur");
        return project_out(b, b.attend({q, k, v}, layer, {.scale = b.score_scale(layer)}), layer);
    };
    const TensorId x =
        decoder(b, b.embed_tokens(), attend,
                [&](TensorId in, std::int32_t l) { return feed_forward(b, in, l); }, {.input_first = true});
    return b.finish_with_logits(x);
}

ModelGraph grovemoe(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const float scale = b.keys().decimal("expert_group_scale", 1.0F);
    const auto group = b.keys().required("experts_per_group");
    const auto feed = [&](TensorId in, std::int32_t layer) {
        Mixture mixture{.logits = router_logits(b, in, layer)};
        mixture.chooses_by_sigmoid = true;
        const TensorId large = mixture_of_experts(b, in, layer, mixture);
        mixture.up = "ffn_up_chexps";
        mixture.gate = "ffn_gate_chexps";
        mixture.down = "ffn_down_chexps";
        mixture.gate_up = {};
        mixture.name = "ffn_adj_moe_out";
        mixture.experts_per_group = group;
        const TensorId small = mixture_of_experts(b, large, layer, mixture);
        return b.named(g.add(large, g.scale(small, scale)), "ffn_final_moe_out", layer);
    };
    const TensorId x = decoder(
        b, b.embed_tokens(),
        [&](TensorId in, std::int32_t l) { return self_attention(b, in, l, {.head_norms = true}); }, feed);
    return b.finish_with_logits(x);
}

ModelGraph nanbeige(ModelBuilder& b) {
    // The blocks of the file may be repeated in a loop; only a single pass is supported.
    if (b.keys().number_or("num_loops", 1) > 1) b.keys().refuse("num_loops", msg::kOnlyOneLoop);
    const SelfAttention attention{.rope_factors = true, .name = "attn_out"};
    return dense_model(b, attention);
}

}  // namespace splitscope::graphs
