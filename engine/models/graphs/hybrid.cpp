// SPDX-License-Identifier: MIT
// Attention in some blocks and recurrent states in the others, or both in each.
#include <algorithm>

#include "engine/models/decoder.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {
namespace {

bool is_recurrent(const ModelBuilder& b, std::int32_t layer) {
    return b.hyperparameters().kv_heads[static_cast<std::size_t>(layer)] == 0;
}

}  // namespace

ModelGraph jamba(ModelBuilder& b) {
    const TensorId embedded = b.embed_tokens();
    RecurrentStates states(b);
    const SelfAttention attention{.rope = false};
    const SparseFeedForward feed{.mixture = {.normalise = false}, .shared = false, .by_router = true};
    const TensorId x = decoder(
        b, embedded,
        [&](TensorId in, std::int32_t l) {
            return is_recurrent(b, l) ? mamba_layer(states, in, l) : self_attention(b, in, l, attention);
        },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); },
        {.sum_name = {}, .attended_name = "ffn_inp", .input_first = true, .sum_first = true});
    return b.finish_with_logits(x);
}

ModelGraph falcon_h1(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    RecurrentStates states(b);
    const SelfAttention attention{.q_rope_name = "Qcur-post-rope",
                                  .k_rope_name = "Kcur-post-rope",
                                  .v_name = "Vcur-post-rope",
                                  .name = "attn_out"};
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId attended =
            self_attention(b, b.block_rms_norm(x, layer, "attn_norm"), layer, attention);
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm", "ssm_in");
        const TensorId scanned = b.named(mamba2_layer(states, ready, layer), "ssm_out", layer);
        const TensorId both = b.named(g.add(attended, scanned), "layer_out", layer);
        TensorId input = g.add(both, x);
        if (b.is_last(layer)) input = b.keep_outputs(input);
        b.named(input, "ffn_inp", layer);
        const TensorId out = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        x = b.named(g.add(out, input), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

ModelGraph granite_hybrid(ModelBuilder& b) {
    const TensorId embedded = b.embed_tokens(b.keys().decimal("embedding_scale", 0.0F));
    RecurrentStates states(b);
    const SelfAttention attention{.rope = b.keys().flag("rope.scaling.finetuned", true),
                                  .rope_factors = true,
                                  .scale = b.keys().decimal("attention.scale", 0.0F),
                                  .name = "attn_out"};
    const SparseFeedForward feed{.mixture = {.optional_gate = true},
                                 .shared = b.keys().number_or("expert_shared_feed_forward_length", 0) > 0,
                                 .by_router = true};
    const TensorId x = decoder(
        b, embedded,
        [&](TensorId in, std::int32_t l) {
            return is_recurrent(b, l) ? mamba2_layer(states, in, l) : self_attention(b, in, l, attention);
        },
        [&](TensorId in, std::int32_t l) { return sparse_feed_forward(b, in, l, feed); },
        {.residual_scale = b.keys().decimal("residual_scale", 0.0F)});
    TensorId logits = b.lm_head(b.final_norm(x));
    const float scale = b.keys().decimal("logit_scale", 0.0F);
    if (scale != 0.0F) logits = b.graph().scale(logits, 1.0F / scale);
    return b.finish_with_named_logits(logits);
}

namespace {

/// Experts between two projections ("ffn_latent_*"); the router and the shared expert read the full width.
TensorId projected_experts(ModelBuilder& b, TensorId x, std::int32_t layer, const SparseFeedForward& feed) {
    GraphBuilder& g = b.graph();
    const std::string down = "ffn_latent_down.weight";
    const std::int64_t width = b.block_rows(layer, down);
    const TensorId narrow = g.mul_mat(b.block_weight(layer, down, {b.width(), width, 1, 1}), x);
    Mixture mixture = feed.mixture;
    mixture.logits = router_logits(b, x, layer);
    const TensorId mixed = mixture_of_experts(b, narrow, layer, mixture);
    const TensorId wide =
        g.mul_mat(b.block_weight(layer, "ffn_latent_up.weight", {width, b.width(), 1, 1}), mixed);
    return g.add(wide, feed_forward(b, x, layer, feed.beside));
}

}  // namespace

ModelGraph nemotron_h(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const auto layers = static_cast<std::uint32_t>(b.hyperparameters().shape.layers);
    const auto hidden =
        b.keys().per_layer("feed_forward_length", layers, std::vector<std::uint32_t>(layers, 0));
    const SelfAttention attention{.rope = false, .name = "attn_out"};
    Mixture mixture = mixture_of_keys(b, Routing::sigmoid);
    mixture.activation = Activation::relu_squared;
    mixture.gated = false;
    FeedForward beside = shared_expert(Activation::relu_squared);
    beside.gated = false;
    const SparseFeedForward feed{.mixture = mixture,
                                 .beside = beside,
                                 .dense = {.activation = Activation::relu_squared, .gated = false},
                                 .by_router = true};
    TensorId x = b.embed_tokens();
    g.expand(x);
    RecurrentStates states(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm");
        const bool feeds = hidden[static_cast<std::size_t>(layer)] > 0;
        TensorId out;
        if (feeds) {
            const bool projected = b.block_has(layer, "ffn_latent_down.weight");
            out = projected ? projected_experts(b, ready, layer, feed)
                            : sparse_feed_forward(b, ready, layer, feed);
            b.named(out, "l_out", layer);
        } else {
            out = is_recurrent(b, layer) ? mamba2_layer(states, ready, layer)
                                         : self_attention(b, ready, layer, attention);
        }
        x = b.named(g.add(out, x), "nemotron_h_block_out", layer);
    }
    const TensorId all = b.final_norm(x);
    b.keep_for_drafts(all);
    return b.finish_with_named_logits(
        b.lm_head(b.keep_embeddings(b.named(b.keep_outputs(all), "result_norm"))));
}

namespace {

/// A convolution over the last few tokens between two gates.
TensorId short_convolution(RecurrentStates& states, TensorId x, std::int32_t layer) {
    ModelBuilder& b = states.builder();
    GraphBuilder& g = b.graph();
    const std::int64_t taps = b.keys().required("shortconv.l_cache");
    const std::int64_t width = b.width();
    const TensorId all = b.project(states.by_sequence(x), layer, "shortconv.in_proj", 3 * width,
                                   "model.layers.{}.conv.in_proj", {});
    const Tensor t = g[all];
    const auto part = [&](std::int64_t i) {
        return g.view_3d(all, width, t.ne[1], t.ne[2], t.nb[1], t.nb[2], i * width * kFloat);
    };
    const TensorId first = part(0);
    const TensorId second = part(1);
    const TensorId gated = g.mul(first, part(2));
    const TensorId history = states.tensor(layer, "r", width * (taps - 1));
    const TensorId window =
        states.with_last_inputs(gated, states.read(history), history, taps, {}, -1, !b.causal());
    const TensorId sums =
        g.ssm_conv(window, b.block_weight(layer, "shortconv.conv.weight", {taps, width, 1, 1}));
    b.named(sums, "model.layers.{}.conv.conv", layer);
    const TensorId out = b.project(g.mul(second, sums), layer, "shortconv.out_proj", width,
                                   "model.layers.{}.conv.out_proj", {});
    return states.joined(out);
}

}  // namespace

ModelGraph lfm2(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.named(b.embed_tokens(), "model.embed_tokens");
    g.expand(x);
    RecurrentStates states(b);
    const SelfAttention attention{.head_norms = true,
                                  .q_norm_name = "model.layers.{}.self_attn.q_layernorm",
                                  .k_norm_name = "model.layers.{}.self_attn.k_layernorm",
                                  .q_rope_name = {},
                                  .k_rope_name = {},
                                  .name = "model.layers.{}.self_attn.out_proj"};
    const FeedForward dense{.name = {}};
    const SparseFeedForward sparse{
        .mixture = mixture_of_keys(b, Routing::softmax, true), .shared = false, .dense = dense};
    const bool experts = b.hyperparameters().experts > 0;
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm", "model.layers.{}.operator_norm");
        TensorId out = is_recurrent(b, layer) ? short_convolution(states, ready, layer)
                                              : self_attention(b, ready, layer, attention);
        b.keep_outputs_of_last(layer, out, x);
        const TensorId input = g.add(x, out);
        const TensorId normed = b.block_rms_norm(input, layer, "ffn_norm", "model.layers.{}.ffn_norm");
        const TensorId fed =
            experts ? sparse_feed_forward(b, normed, layer, sparse) : feed_forward(b, normed, layer, dense);
        // The reference names the norm once more where it means the result.
        b.named(normed, "model.layers.{}.ffn_out", layer);
        x = b.named(g.add(input, fed), "l_out", layer);
    }
    const TensorId norm = b.output_weight("token_embd_norm.weight", {b.width(), 1, 1, 1});
    const TensorId last = b.keep_embeddings(b.rms_norm(x, norm, "result_norm", -1));
    // Embeddings replace the logits.
    if (b.options().embeddings) return b.finish(last);
    return b.finish_with_named_logits(b.lm_head(last));
}

namespace {

/// The state space of PLaMo 2: heads of gate and input side by side, and norms of the selection parameters.
class Plamo2Mamba {
 public:
    Plamo2Mamba(RecurrentStates& states, std::int32_t layer)
        : s_(states), b_(states.builder()), g_(states.builder().graph()), layer_(layer) {}

    TensorId build(TensorId in) {
        const Hyperparameters& h = b_.hyperparameters();
        const std::int64_t taps = h.ssm_kernel;
        const std::int64_t inner = h.ssm_inner;
        const std::int64_t state = h.ssm_state;
        const std::int64_t heads = h.ssm_dt_rank;
        const std::int64_t head = inner / heads;
        const std::int64_t tokens = s_.tokens_per_sequence();
        const std::int64_t sequences = s_.sequences();
        const TensorId inputs = named(s_.tensor(layer_, "r", (taps - 1) * inner), "mamba_conv1d_state");
        const TensorId before = s_.read(inputs);
        TensorId both = b_.project(s_.by_sequence(in), layer_, "ssm_in", 2 * inner, "mamba_in_proj", {});
        both = g_.cont(g_.permute(both, {0, 2, 1, 3}), {2 * head, heads, tokens, sequences});
        named(both, "mamba_in_proj_out");
        const Tensor t = g_[both];
        TensorId x = g_.cont(g_.view(both, {head, heads, tokens, sequences}, t.nb, head * kFloat),
                             {inner, tokens, sequences, 1});
        named(x, "mamba_x_split");
        const TensorId gate =
            named(g_.view(both, {head, heads, tokens, sequences}, t.nb, 0), "mamba_z_split");

        const TensorId window = s_.with_last_inputs(x, before, inputs, taps, "mamba_conv1d_input", layer_);
        x = named(g_.ssm_conv(window, weight("ssm_conv1d.weight", {taps, inner, 1, 1})), "mamba_conv1d");
        x = named(g_.unary(UnaryKind::silu, x), "mamba_conv1d_silu");

        const std::int64_t low = std::max<std::int64_t>(64, b_.width() / 16);
        const TensorId parts = b_.project(x, layer_, "ssm_x", 2 * state + low, "mamba_bcdt_proj", {});
        const Tensor p = g_[parts];
        const auto part = [&](std::int64_t first, std::int64_t width, std::string_view name) {
            return named(g_.view_3d(parts, width, tokens, sequences, p.nb[1], p.nb[2], first * kFloat), name);
        };
        TensorId b = part(0, state, "mamba_B_raw");
        TensorId c = part(state, state, "mamba_C_raw");
        TensorId dt = part(2 * state, low, "mamba_dt_raw");
        b = normalised(b, "ssm_b_norm", "mamba_B_normed");
        c = normalised(c, "ssm_c_norm", "mamba_C_normed");
        dt = normalised(dt, "ssm_dt_norm", "mamba_dt_normed");
        dt = b_.project(dt, layer_, "ssm_dt", heads, {}, "mamba_dt_proj");
        const TensorId a = named(g_.reshape(weight("ssm_a", {heads, 1, 1, 1}), {1, heads, 1, 1}), "mamba_A");

        const std::int64_t row = head * kFloat;
        const Shape by_head{kFloat, row, heads * row, heads * row * tokens};
        x = g_.view(x, {head, heads, tokens, sequences}, by_head, 0);
        b = one_group(b, state);
        c = one_group(c, state);
        const TensorId states = named(s_.tensor(layer_, "s", state * inner), "mamba_ssm_states");
        const TensorId result = s_.read(states, [&](TensorId rows, TensorId wanted) {
            return g_.ssm_scan(g_.reshape(rows, {state, head, heads, b_.states()}), x, dt, a, b, c, wanted);
        });
        named(result, "mamba_ssm_scan");
        s_.write(g_.view_1d(result, inner * state * sequences, inner * tokens * sequences * kFloat), states);
        TensorId y = named(g_.view(result, {head, heads, tokens, sequences}, by_head, 0), "mamba_y_view");
        const TensorId d = g_.reshape(weight("ssm_d", {heads, 1, 1, 1}), {1, heads, 1, 1});
        y = named(g_.add(y, g_.mul(x, d)), "mamba_y_add_d");
        y = named(g_.glu(GluKind::swiglu, g_.cont(gate), y), "mamba_y_swiglu_z");
        const Tensor rows = g_[y];
        y = g_.view_3d(y, inner, tokens, sequences, rows.nb[2], rows.nb[3], 0);
        const TensorId out = b_.project(y, layer_, "ssm_out", b_.width(), "mamba_out_proj", {});
        return named(s_.joined(out), "mamba_out");
    }

 private:
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }
    TensorId weight(std::string_view name, const Shape& ne) { return b_.block_weight(layer_, name, ne); }
    TensorId normalised(TensorId x, std::string_view part, std::string_view name) {
        return b_.rms_norm(x, weight(part, {g_[x].ne[0], 1, 1, 1}), name, layer_);
    }
    TensorId one_group(TensorId x, std::int64_t state) {
        const Tensor t = g_[x];
        return g_.view(x, {state, 1, t.ne[1], t.ne[2]}, {t.nb[0], state * t.nb[0], t.nb[1], t.nb[2]}, 0);
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
};

}  // namespace

ModelGraph plamo2(ModelBuilder& b) {
    const TensorId embedded = b.named(b.embed_tokens(), "embedding_output");
    RecurrentStates states(b);
    const SelfAttention attention{.head_norms = true,
                                  .norm_per_head = true,
                                  .q_rope_name = {},
                                  .k_rope_name = {},
                                  .product_name = "wqkv",
                                  .name = "attn_out"};
    GraphBuilder& g = b.graph();
    TensorId x = embedded;
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.rms_norm(x, b.block_vector(layer, "attn_norm.weight"), {}, layer);
        TensorId out = is_recurrent(b, layer) ? Plamo2Mamba(states, layer).build(ready)
                                              : self_attention(b, ready, layer, attention);
        b.keep_outputs_of_last(layer, out, x);
        out = b.rms_norm(out, b.block_vector(layer, "post_attention_norm"), "attn_post_norm", layer);
        x = b.named(g.add(out, x), "attn_residual", layer);
        const TensorId normed = b.block_rms_norm(x, layer, "ffn_norm", "ffn_pre_norm");
        TensorId fed = feed_forward(b, normed, layer, {.halves = true});
        fed = b.rms_norm(fed, b.block_vector(layer, "post_ffw_norm"), "ffn_post_norm", layer);
        x = b.named(g.add(fed, x), "ffn_residual", layer);
    }
    return b.finish_with_logits(x);
}

}  // namespace splitscope::graphs
