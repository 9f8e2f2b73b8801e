// SPDX-License-Identifier: MIT
// Gated delta rules in most blocks, attention in the others.
#include <cmath>

#include <fmt/format.h>

#include "engine/models/decoder.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::pages {
namespace {

/// Rows of length 1.
TensorId unit_rows(ModelBuilder& b, TensorId x) {
    GraphBuilder& g = b.graph();
    const auto width = static_cast<float>(g[x].ne[0]);
    return g.scale(g.rms_norm(x, b.hyperparameters().rms_epsilon / width), 1.0F / std::sqrt(width));
}

/// Results [head, heads, tokens, sequences] of the delta rule. The new states become those of the layer.
TensorId delta_rule(RecurrentStates& states, const Heads& heads, TensorId gate, TensorId beta, TensorId state,
                    TensorId all_states, std::int32_t layer, bool contiguous = false) {
    ModelBuilder& b = states.builder();
    GraphBuilder& g = b.graph();
    const Shape ne = g[heads.v].ne;
    const TensorId result = g.gated_delta_net(heads.q, heads.k, heads.v, gate, beta, state);
    const std::int64_t head = ne[0] * kFloat;
    TensorId output = g.view(result, ne, {kFloat, head, head * ne[1], head * ne[1] * ne[2]}, 0);
    if (contiguous) output = g.cont(output);
    const TensorId next =
        g.view(result, {ne[0], ne[0], ne[1], ne[3]}, {kFloat, head, head * ne[0], head * ne[0] * ne[1]},
               head * ne[1] * ne[2] * ne[3]);
    b.named(output, "attn_output", layer);
    b.named(next, "new_state", layer);
    states.write(next, all_states);
    return output;
}

/// The linear attention of Qwen 3.5 and Qwen 3 Next.
class QwenDelta {
 public:
    QwenDelta(RecurrentStates& states, std::int32_t layer, bool joint_gates)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          joint_gates_(joint_gates),
          inner_(b_.hyperparameters().ssm_inner),
          key_(b_.hyperparameters().ssm_state),
          heads_(b_.hyperparameters().ssm_dt_rank),
          key_heads_(b_.keys().required("ssm.group_count")),
          value_(inner_ / heads_) {}

    TensorId build(TensorId x) {
        x_ = x;
        const std::int64_t channels = inner_ + 2 * key_heads_ * key_;
        const TensorId mixed = convolve(channels);
        const TensorId states = s_.tensor(layer_, "s", key_ * inner_);
        const TensorId state =
            named(g_.reshape(s_.read(states), {value_, value_, heads_, s_.sequences()}), "state_predelta");
        const TensorId sums = g_.ssm_conv(mixed, weight("ssm_conv1d.weight", {taps(), channels, 1, 1}));
        named(sums, "conv_output_raw");
        const TensorId all = named(g_.unary(UnaryKind::silu, sums), "conv_output_silu");
        Heads heads{part(all, 0, key_, key_heads_, "q_conv"),
                    part(all, key_ * key_heads_, key_, key_heads_, "k_conv"),
                    part(all, 2 * key_ * key_heads_, value_, heads_, "v_conv")};
        heads.q = named(spread(unit_rows(b_, heads.q)), "q_conv_predelta");
        heads.k = named(spread(unit_rows(b_, heads.k)), "k_conv_predelta");
        named(heads.v, "v_conv_predelta");
        if (joint_gates_) {
            split_gates();
        } else {
            project_gates();
        }
        const TensorId output = delta_rule(s_, heads, gate_, beta_, state, states, layer_);
        const TensorId normed = b_.rms_norm(output, weight("ssm_norm.weight", {value_, 1, 1, 1}), {}, layer_);
        const TensorId z = b_.project(x_, layer_, "attn_gate", inner_, "z", {});
        const TensorId open =
            g_.unary(UnaryKind::silu, g_.reshape(z, {value_, heads_, tokens(), s_.sequences()}));
        const TensorId gated = g_.reshape(g_.mul(normed, open), {inner_, tokens(), s_.sequences(), 1});
        named(gated, "final_output");
        return s_.joined(b_.project(gated, layer_, "ssm_out", b_.width(), "linear_attn_out", {}));
    }

 private:
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }
    TensorId weight(std::string_view name, const Shape& ne) { return b_.block_weight(layer_, name, ne); }
    std::int64_t taps() const { return b_.hyperparameters().ssm_kernel; }
    std::int64_t tokens() const { return s_.tokens_per_sequence(); }

    /// Inputs of the convolution, those of the batch before first.
    TensorId convolve(std::int64_t channels) {
        const TensorId all = s_.tensor(layer_, "r", (taps() - 1) * channels);
        const TensorId states = named(s_.read(all), "conv_states");
        const TensorId before = g_.reshape(states, {taps() - 1, channels, s_.sequences(), 1});
        named(before, "conv_states_reshaped");
        const TensorId projected = g_.mul_mat(weight("attn_qkv.weight", {b_.width(), channels, 1, 1}), x_);
        const TensorId mixed = named(s_.by_sequence(projected), "linear_attn_qkv_mixed");
        const TensorId columns = named(g_.transpose(mixed), "qkv_mixed_transposed");
        const TensorId window = named(g_.concat(before, columns, 0), "conv_input");
        const Tensor t = g_[window];
        const TensorId last =
            g_.view_3d(window, taps() - 1, channels, s_.sequences(), t.nb[1], t.nb[2], tokens() * kFloat);
        named(last, "conv_state_last");
        const Tensor rows = g_[all];
        const TensorId target = g_.view_2d(all, rows.ne[0], s_.sequences(), rows.nb[1], 0);
        named(target, "conv_state_update");
        g_.expand(g_.cpy(last, target));
        return window;
    }

    TensorId part(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                  std::string_view name) {
        const Tensor t = g_[x];
        return named(g_.view(x, {dim, count, t.ne[1], t.ne[2]}, {kFloat, dim * kFloat, t.nb[1], t.nb[2]},
                             first * kFloat),
                     name);
    }

    /// Repeats each head of keys for the heads of values that share it, where the operation cannot.
    TensorId spread(TensorId x) {
        if (!joint_gates_ || key_heads_ == heads_) return x;
        const std::int64_t all = tokens() * s_.sequences();
        const TensorId one = g_.reshape(x, {key_, 1, key_heads_, all});
        const TensorId many = g_.repeat(one, {key_, heads_ / key_heads_, key_heads_, all});
        return g_.reshape(many, {key_, heads_, tokens(), s_.sequences()});
    }

    TensorId decay(TensorId alpha) {
        const TensorId biased = g_.add(alpha, weight("ssm_dt.bias", {heads_, 1, 1, 1}));
        const TensorId soft = named(g_.unary(UnaryKind::softplus, biased), "a_softplus");
        const TensorId gate = named(g_.mul(soft, weight("ssm_a", {heads_, 1, 1, 1})), "gate");
        return g_.reshape(gate, {1, heads_, tokens(), s_.sequences()});
    }

    void project_gates() {
        const Shape spread{1, heads_, tokens(), s_.sequences()};
        const TensorId beta = g_.reshape(b_.project(x_, layer_, "ssm_beta", heads_, {}, {}), spread);
        beta_ = named(g_.unary(UnaryKind::sigmoid, named(beta, "beta")), "beta_sigmoid");
        const TensorId alpha = s_.by_sequence(b_.project(x_, layer_, "ssm_alpha", heads_, {}, {}));
        gate_ = decay(named(alpha, "alpha"));
    }

    void split_gates() {
        const std::int64_t each = heads_ / key_heads_;
        const TensorId both = b_.project(x_, layer_, "ssm_ba", 2 * heads_, "linear_attn_mixed_ba", {});
        const TensorId grouped = g_.reshape(both, {2 * each, key_heads_, tokens(), s_.sequences()});
        const Tensor t = g_[grouped];
        const Shape ne{each, key_heads_, tokens(), s_.sequences()};
        const TensorId beta = named(g_.view(grouped, ne, t.nb, 0), "b");
        const TensorId alpha = named(g_.view(grouped, ne, t.nb, each * kFloat), "a");
        beta_ =
            g_.reshape(g_.unary(UnaryKind::sigmoid, g_.cont(beta)), {1, heads_, tokens(), s_.sequences()});
        gate_ = decay(g_.cont(alpha, {heads_, tokens(), s_.sequences(), 1}));
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    bool joint_gates_;
    std::int64_t inner_;
    std::int64_t key_;
    std::int64_t heads_;
    std::int64_t key_heads_;
    std::int64_t value_;
    TensorId x_;
    TensorId gate_;
    TensorId beta_;
};

/// Attention with a gated result; the gate is stored beside each head of queries.
TensorId gated_attention(ModelBuilder& b, TensorId x, std::int32_t layer, bool next) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t head = h.head_dim_k;
    const std::int64_t count = h.heads[l];
    TensorId both = b.project(x, layer, "attn_q", 2 * head * count, "Qcur_full", {});
    if (next) both = g.reshape(both, {2 * head, count, b.tokens(), 1});
    const auto half = [&](std::int64_t first) {
        return g.view_3d(both, head, count, b.tokens(), 2 * head * kFloat, 2 * head * count * kFloat,
                         first * kFloat);
    };
    TensorId q = b.named(half(0), next ? "Qcur_view" : "Qcur_reshaped", layer);
    TensorId gate = half(head);
    if (next) b.named(gate, "gate", layer);
    q = b.head_norm(q, layer, "attn_q_norm", "Qcur_normed");
    TensorId k = b.project(x, layer, "attn_k", head * h.kv_heads[l], "Kcur", "Kcur");
    TensorId v = b.project(x, layer, "attn_v", head * h.kv_heads[l], "Vcur", "Vcur");
    k = b.head_norm(g.reshape(k, {head, h.kv_heads[l], b.tokens(), 1}), layer, "attn_k_norm", "Kcur_normed");
    v = b.named(g.reshape(v, {head, h.kv_heads[l], b.tokens(), 1}), "Vcur", layer);
    q = b.rope(q, layer, "Qcur");
    k = b.rope(k, layer, "Kcur");
    const float given = b.keys().decimal("attention.scale", 0.0F);
    const float scale = given != 0.0F ? given : b.score_scale(layer);
    const TensorId mixed = b.named(b.attend(q, k, v, layer, scale), "attn_pregate", layer);
    gate = g.cont(gate, {head * count, b.tokens(), 1, 1});
    if (!next) b.named(gate, "gate_reshaped", layer);
    const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "gate_sigmoid", layer);
    const TensorId gated = b.named(g.mul(mixed, open), "attn_gated", layer);
    return project_out(b, gated, layer, "attn_output");
}

TensorId qwen_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    if (!b.block_has(layer, "ffn_gate_inp.weight")) return feed_forward(b, x, layer);
    const TensorId routed = mixture_of_experts(b, x, layer, mixture_of_keys(b, Routing::softmax, true));
    if (!b.block_has(layer, "ffn_up_shexp.weight")) return routed;
    const TensorId beside = feed_forward(b, x, layer, shared_expert());
    const TensorId gate =
        g.mul_mat(b.block_weight(layer, "ffn_gate_inp_shexp.weight", {b.width(), 1, 1, 1}), x);
    b.named(gate, "shared_expert_gate", layer);
    const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "shared_expert_gate_sigmoid", layer);
    const TensorId gated = b.named(g.mul(beside, open), "ffn_shexp_gated", layer);
    return b.named(g.add(routed, gated), "ffn_out", layer);
}

ModelGraph qwen_delta(ModelBuilder& b, bool next) {
    GraphBuilder& g = b.graph();
    TensorId x = b.named(b.embed_tokens(), next ? "model.embed_tokens" : "model.input_embed");
    RecurrentStates states(b);
    const auto interval = static_cast<std::int32_t>(b.keys().number_or("full_attention_interval", 4));
    const auto layers = b.hyperparameters().shape.layers;
    const auto listed = b.keys().per_layer("attention.recurrent_layers", layers, {});
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm");
        g.expand(ready);
        const bool recurrent = listed.empty() ? interval == 0 || (layer + 1) % interval != 0
                                              : listed[static_cast<std::size_t>(layer)] != 0;
        const TensorId mixed =
            recurrent ? QwenDelta(states, layer, next).build(ready) : gated_attention(b, ready, layer, next);
        const TensorId input = b.named(g.add(mixed, x), "attn_residual", layer);
        const TensorId normed = b.block_rms_norm(input, layer, "post_attention_norm", "attn_post_norm");
        const TensorId fed = b.named(qwen_feed_forward(b, normed, layer), "ffn_out", layer);
        x = b.named(g.add(fed, input), "l_out", layer);
    }
    const TensorId all = b.final_norm(x);
    b.keep_for_drafts(all);
    return b.finish_with_named_logits(b.head(b.named(b.keep_outputs(all), "result_norm")));
}

/// The delta rule of Kimi: queries, keys and values have convolutions of their own, and each element decays
/// by itself.
class KimiDelta {
 public:
    /// Whose names the steps have.
    enum class Names : std::uint8_t { kimi_linear, kimi_k3, bailing };

    KimiDelta(RecurrentStates& states, std::int32_t layer, Names names)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          head_(b_.keys().required("kda.head_dim")),
          heads_(b_.hyperparameters().shape.heads),
          taps_(b_.hyperparameters().ssm_kernel),
          names_(names) {}

    TensorId build(TensorId x) {
        const std::int64_t inner = head_ * heads_;
        const Shape spread{head_, heads_, s_.tokens_per_sequence(), s_.sequences()};
        all_inputs_ = linear(s_.tensor(layer_, "r", 3 * (taps_ - 1) * inner), "conv_states_all");
        inputs_ = s_.read(all_inputs_);
        Heads heads{third(convolved(x, 0, "attn_q", "ssm_conv1d_q.weight"), "kda_q_conv"),
                    third(convolved(x, 1, "attn_k", "ssm_conv1d_k.weight"), "kda_k_conv"),
                    third(convolved(x, 2, "attn_v", "ssm_conv1d_v.weight"), "kda_v_conv")};
        const TensorId gate = decay(x);
        const TensorId logits = b_.project(x, layer_, "ssm_beta", heads_, {}, {});
        const Shape one{1, heads_, spread[2], spread[3]};
        const TensorId beta =
            third(g_.unary(UnaryKind::sigmoid, linear(g_.reshape(logits, one), "kda_beta")), "kda_beta");
        const bool of_kimi = names_ != Names::bailing;
        const TensorId rows = of_kimi ? s_.by_sequence(x) : x;
        const TensorId states = s_.tensor(layer_, "s", head_ * inner);
        const TensorId state = g_.reshape(s_.read(states), {head_, head_, heads_, s_.sequences()});
        heads.q = unit_rows(b_, heads.q);
        heads.k = unit_rows(b_, heads.k);
        const bool contiguous = names_ == Names::kimi_linear;
        TensorId output = delta_rule(s_, heads, gate, beta, state, states, layer_, contiguous);
        if (!contiguous) output = third(g_.cont(output), "kda_scan_out");
        const Shape flat{head_, heads_, b_.tokens(), 1};
        const TensorId gates = third(g_.reshape(gate_rows(of_kimi ? s_.joined(rows) : rows), flat), "kda_g2");
        const TensorId normed = b_.rms_norm(g_.reshape(output, flat),
                                            b_.block_weight(layer_, "ssm_norm.weight", {head_, 1, 1, 1}),
                                            of_kimi ? "kda_normed" : kUnnamed, layer_);
        const TensorId gated = g_.mul(normed, g_.unary(UnaryKind::sigmoid, gates));
        return project_out(b_, g_.cont(gated, {inner, b_.tokens(), 1, 1}), layer_, "kda_out");
    }

 private:
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }

    TensorId linear(TensorId id, std::string_view name) {
        return names_ == Names::kimi_linear ? named(id, name) : id;
    }
    TensorId third(TensorId id, std::string_view name) {
        return names_ == Names::kimi_k3 ? named(id, name) : id;
    }

    TensorId gate_rows(TensorId x) {
        const std::int64_t inner = head_ * heads_;
        if (b_.block_has(layer_, "ssm_g.weight")) return b_.project(x, layer_, "ssm_g", inner, {}, {});
        x = b_.project(x, layer_, "ssm_g_a", rank("ssm_g_b.weight"), {}, {});
        if (!b_.block_has(layer_, "ssm_g_b.weight")) return x;
        return b_.project(x, layer_, "ssm_g_b", inner, "g2 g_b(g_a(cur_2d))", {});
    }

    /// Width between two products; the full width if there is only one.
    std::int64_t rank(std::string_view second) const {
        return b_.block_has(layer_, second) ? head_ : head_ * heads_;
    }

    /// One of the three convolutions, whose states are concatenated.
    TensorId convolved(TensorId x, std::int64_t which, std::string_view part, std::string_view kernel) {
        const std::int64_t inner = head_ * heads_;
        const std::int64_t size = (taps_ - 1) * inner * kFloat;
        const std::int64_t column = (taps_ - 1) * kFloat;
        const TensorId before =
            g_.view_3d(inputs_, taps_ - 1, inner, s_.sequences(), column, 3 * size, which * size);
        const TensorId projected = s_.by_sequence(b_.project(x, layer_, part, inner, {}, {}));
        const TensorId window = g_.concat(before, g_.transpose(projected), 0);
        const Tensor t = g_[window];
        const TensorId last = g_.view_3d(window, taps_ - 1, inner, s_.sequences(), t.nb[1], t.nb[2],
                                         s_.tokens_per_sequence() * kFloat);
        g_.expand(g_.cpy(
            last, g_.view_3d(all_inputs_, taps_ - 1, inner, s_.sequences(), column, 3 * size, which * size)));
        const TensorId weights = b_.block_weight(layer_, kernel, {taps_, 1, inner, 1});
        const TensorId sums = g_.ssm_conv(window, g_.reshape(weights, {taps_, inner, 1, 1}));
        const TensorId open = g_.unary(UnaryKind::silu, g_.reshape(sums, {inner, b_.tokens(), 1, 1}));
        return g_.reshape(open, {head_, heads_, s_.tokens_per_sequence(), s_.sequences()});
    }

    TensorId decay(TensorId x) {
        TensorId gate = b_.project(x, layer_, "ssm_f_a", rank("ssm_f_b.weight"), {}, {});
        if (b_.block_has(layer_, "ssm_f_b.weight"))
            gate = b_.project(gate, layer_, "ssm_f_b", head_ * heads_,
                              names_ == Names::kimi_k3 ? "" : "g1 f_b(f_a(cur))", {});
        gate = g_.add(gate, b_.block_weight(layer_, "ssm_dt.bias", {head_ * heads_, 1, 1, 1}));
        const Shape spread{head_, heads_, s_.tokens_per_sequence(), s_.sequences()};
        if (b_.keys().has("kda.gate_lower_bound")) {
            gate = g_.reshape(gate, {head_, heads_, b_.tokens(), 1});
            gate = g_.mul(gate, g_.reshape(b_.stored_weight(layer_, "ssm_a"), {1, heads_, 1, 1}));
            if (names_ == Names::kimi_k3) gate = g_.scale(gate, -1.0F);
            gate =
                g_.scale(g_.unary(UnaryKind::sigmoid, gate), b_.keys().decimal("kda.gate_lower_bound", 0.0F));
            if (names_ == Names::kimi_k3) return g_.reshape(named(gate, "kda_g1"), spread);
            return named(g_.reshape(gate, spread), "kda_gate");
        }
        gate = g_.reshape(g_.unary(UnaryKind::softplus, gate), {head_, heads_, b_.tokens(), 1});
        const TensorId a = b_.stored_weight(layer_, "ssm_a");
        gate = named(g_.mul(gate, g_.reshape(a, {1, heads_, 1, 1})), "kda_g1");
        return g_.reshape(gate, spread);
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t head_;
    std::int64_t heads_;
    std::int64_t taps_;
    Names names_;
    TensorId all_inputs_;
    TensorId inputs_;
};

/// Latent attention without rotary positions: heads of queries meet the latent keys directly.
TensorId kimi_attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
    const std::int64_t whole = b.keys().required("attention.key_length_mla");
    const std::int64_t value = b.keys().required("attention.value_length_mla");
    const std::int64_t rank = b.keys().required("attention.kv_lora_rank");
    const std::int64_t shared = b.keys().required("rope.dimension_count");
    const std::int64_t own = whole - shared;
    const std::int64_t tokens = b.tokens();
    const std::int64_t row = whole * kFloat;
    const TensorId q = b.project(x, layer, "attn_q", whole * heads, {}, {});
    const TensorId both = b.project(x, layer, "attn_kv_a_mqa", rank + shared, {}, {});
    const std::int64_t both_row = (rank + shared) * kFloat;
    const TensorId latent_raw = g.view_2d(both, rank, tokens, both_row, 0);
    const TensorId shared_key = g.view_3d(both, shared, 1, tokens, both_row, both_row, rank * kFloat);
    TensorId latent =
        b.rms_norm(latent_raw, b.block_weight(layer, "attn_kv_a_norm.weight", {rank, 1, 1, 1}), {}, layer);
    const TensorId own_query =
        b.named(g.view_3d(q, own, heads, tokens, row, row * heads, 0), "q_nope", layer);
    const TensorId shared_query =
        b.named(g.view_3d(q, shared, heads, tokens, row, row * heads, own * kFloat), "q_pe", layer);
    const TensorId outside = b.named(g.permute(own_query, {0, 2, 1, 3}), "q_nope_perm", layer);
    const TensorId absorbed =
        b.named(g.mul_mat(b.block_weight(layer, "attn_k_b.weight", {own, rank, heads, 1}), outside),
                "q_nope_absorbed", layer);
    const TensorId inside = b.named(g.permute(absorbed, {0, 2, 1, 3}), "q_nope_absorbed_perm", layer);
    const TensorId query = b.named(g.concat(inside, shared_query, 0), "Qcur", layer);
    latent = g.reshape(latent, {rank, 1, tokens, 1});
    const TensorId key = b.named(g.concat(latent, shared_key, 0), "Kcur", layer);
    b.named(latent, "Vcur", layer);
    AttendOptions options;
    options.scale = 1.0F / std::sqrt(static_cast<float>(whole));
    options.widen = b.block_weight(layer, "attn_v_b.weight", {rank, value, heads, 1});
    return project_out(b, b.attend_latent({query, key, latent}, layer, options), layer, "mla_out");
}

TensorId kimi_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    if (layer < static_cast<std::int32_t>(b.hyperparameters().leading_dense))
        return feed_forward(b, x, layer);
    const TensorId routed = mixture_of_experts(b, x, layer, mixture_of_keys(b, Routing::softmax, true));
    TensorId beside;
    if (b.block_has(layer, "ffn_up_shexp.weight")) {
        beside = feed_forward(b, x, layer, shared_expert());
    } else {
        // Without weights only the activation is left.
        b.named(x, "ffn_up", layer);
        beside = b.named(g.unary(UnaryKind::silu, x), "ffn_shexp", layer);
    }
    return b.named(g.add(routed, beside), "ffn_out", layer);
}

}  // namespace

ModelGraph qwen35(ModelBuilder& b) {
    return qwen_delta(b, false);
}

ModelGraph qwen3next(ModelBuilder& b) {
    return qwen_delta(b, true);
}

ModelGraph kimi_linear(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.named(b.embed_tokens(), "model.embed_tokens");
    RecurrentStates states(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm");
        g.expand(ready);
        const bool recurrent = b.hyperparameters().kv_heads[static_cast<std::size_t>(layer)] == 0;
        TensorId mixed = recurrent ? KimiDelta(states, layer, KimiDelta::Names::kimi_linear).build(ready)
                                   : kimi_attention(b, ready, layer);
        b.keep_outputs_of_last(layer, mixed, x);
        const TensorId input = b.named(g.add(mixed, x), "ffn_inp", layer);
        const TensorId normed = b.block_rms_norm(input, layer, "ffn_norm");
        x = b.named(g.add(kimi_feed_forward(b, normed, layer), input), "l_out", layer);
    }
    ModelGraph graph = b.finish_with_logits(x);
    graph.reserves_one_sequence = true;
    return graph;
}

namespace {

/// Latent attention with rotary positions and a gate per head.
TensorId bailing_attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
    const std::int64_t whole = b.keys().required("attention.key_length_mla");
    const std::int64_t value = b.keys().required("attention.value_length_mla");
    const std::int64_t rank = b.keys().required("attention.kv_lora_rank");
    const std::int64_t turned = b.hyperparameters().rope.dims;
    const std::int64_t own = whole - turned;
    const std::int64_t tokens = b.tokens();
    TensorId q = x;
    if (b.block_has(layer, "attn_q_a.weight")) {
        q = b.project(q, layer, "attn_q_a", b.block_rows(layer, "attn_q_a.weight"), "q_a", {});
        q = b.block_rms_norm(q, layer, "attn_q_a_norm", "q_a_norm");
        q = b.project(q, layer, "attn_q_b", whole * heads, "q_b", {});
    } else {
        q = b.project(q, layer, "attn_q", whole * heads, {}, {});
    }
    const std::int64_t row = whole * kFloat;
    const TensorId own_query = g.view_3d(q, own, heads, tokens, row, row * heads, 0);
    const TensorId shared_query = g.view_3d(q, turned, heads, tokens, row, row * heads, own * kFloat);
    const TensorId both = b.project(x, layer, "attn_kv_a_mqa", rank + turned, {}, {});
    const std::int64_t both_row = (rank + turned) * kFloat;
    const TensorId shared_key = g.view_3d(both, turned, 1, tokens, both_row, both_row, rank * kFloat);
    const TensorId latent =
        g.reshape(b.rms_norm(g.view_2d(both, rank, tokens, both_row, 0),
                             b.block_weight(layer, "attn_kv_a_norm.weight", {rank, 1, 1, 1}), {}, layer),
                  {rank, 1, tokens, 1});
    const TensorId absorbed = g.mul_mat(b.block_weight(layer, "attn_k_b.weight", {own, rank, heads, 1}),
                                        g.permute(own_query, {0, 2, 1, 3}));
    const TensorId query =
        g.concat(g.permute(absorbed, {0, 2, 1, 3}), b.rope(shared_query, layer, kUnnamed), 0);
    const TensorId key = g.concat(latent, b.rope(shared_key, layer, kUnnamed), 0);
    AttendOptions options;
    options.scale = 1.0F / std::sqrt(static_cast<float>(whole));
    options.widen = b.block_weight(layer, "attn_v_b.weight", {rank, value, heads, 1});
    const TensorId mixed = b.attend_latent({query, key, latent}, layer, options);
    const TensorId gate = g.reshape(b.project(x, layer, "attn_gate", heads, {}, {}), {1, heads, tokens, 1});
    const TensorId gated =
        g.mul(g.reshape(mixed, {value, heads, tokens, 1}), g.unary(UnaryKind::sigmoid, gate));
    return project_out(b, g.cont(gated, {value * heads, tokens, 1, 1}), layer, "mla_out");
}

}  // namespace

ModelGraph bailingmoe3(ModelBuilder& b) {
    const TensorId embedded = b.named(b.embed_tokens(), "model.input_embed");
    RecurrentStates states(b);
    const auto attend = [&](TensorId in, std::int32_t layer) {
        const bool recurrent = b.hyperparameters().kv_heads[static_cast<std::size_t>(layer)] == 0;
        return recurrent ? KimiDelta(states, layer, KimiDelta::Names::bailing).build(in)
                         : bailing_attention(b, in, layer);
    };
    SparseFeedForward sparse{.mixture = mixture_of_keys(b), .sum_name = kUnnamed};
    sparse.mixture.limits = {"swiglu_clamp_exp"};
    sparse.beside.limits = sparse.dense.limits = {"swiglu_clamp_shexp"};
    sparse.beside.name = sparse.dense.name = kUnnamed;
    const TensorId x =
        decoder(b, embedded, attend,
                [&](TensorId in, std::int32_t layer) { return sparse_feed_forward(b, in, layer, sparse); },
                {.ffn_norm_name = kUnnamed, .sum_name = kUnnamed, .keeps_all_rows = true});
    const TensorId all = b.final_norm(x);
    b.keep_for_drafts(all);
    return b.finish_with_named_logits(b.head(b.named(b.keep_outputs(all), "result_norm")));
}

namespace {

/// Attention over residuals: each half reads a weighted sum of the results of earlier groups of blocks and
/// of the current group's sum.
class ResidualAttention {
 public:
    explicit ResidualAttention(ModelBuilder& b) : b_(b), g_(b.graph()) {}

    /// Ends a group with the sum `x` [width, tokens].
    void close_group(TensorId x) {
        const TensorId row = g_.reshape(x, {b_.width(), 1, b_.tokens(), 1});
        groups_ = groups_.valid() ? g_.concat(groups_, row, 1) : row;
    }

    /// The groups and the current sum, weighted by their scores.
    TensorId mix(TensorId x, TensorId weight, std::int32_t layer) {
        const std::int64_t count = g_[groups_].ne[1];
        const TensorId before = g_.reshape(score(groups_, weight), {count, b_.tokens(), 1, 1});
        const TensorId scores = g_.concat(before, score(x, weight), 0);
        const TensorId shares = b_.named(g_.soft_max(scores, {}, 1.0F), "res_probs", layer);
        const auto part = [&](std::int64_t first, std::int64_t rows) {
            return g_.cont(g_.view_2d(shares, rows, b_.tokens(), g_[shares].nb[1], first * kFloat));
        };
        const TensorId earlier = g_.hc_pre(groups_, part(0, count));
        return g_.add(earlier, g_.mul(x, part(count, 1)));
    }

 private:
    TensorId score(TensorId rows, TensorId weight) {
        return g_.sum_rows(g_.mul(g_.rms_norm(rows, b_.hyperparameters().rms_epsilon), weight));
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    TensorId groups_;
};

/// Latent attention without positions, with an optional gate.
TensorId latent_attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const std::int64_t heads = b.hyperparameters().heads[static_cast<std::size_t>(layer)];
    const std::int64_t whole = b.keys().required("attention.key_length_mla");
    const std::int64_t value = b.keys().required("attention.value_length_mla");
    const std::int64_t rank = b.keys().required("attention.kv_lora_rank");
    const std::int64_t shared = b.keys().required("rope.dimension_count");
    const std::int64_t own = whole - shared;
    const std::int64_t tokens = b.tokens();
    TensorId low = x;
    const bool two_steps = b.block_has(layer, "attn_q_a.weight");
    if (two_steps) {
        low = b.project(low, layer, "attn_q_a", b.block_rows(layer, "attn_q_a.weight"), {}, {});
        low = b.block_rms_norm(low, layer, "attn_q_a_norm", kUnnamed);
    }
    const TensorId q = b.project(low, layer, two_steps ? "attn_q_b" : "attn_q", whole * heads, {}, {});
    const std::int64_t row = whole * kFloat;
    const TensorId own_query = g.view_3d(q, own, heads, tokens, row, row * heads, 0);
    const TensorId absorbed = g.mul_mat(b.block_weight(layer, "attn_k_b.weight", {own, rank, heads, 1}),
                                        g.permute(own_query, kHeadsOutside));
    const TensorId query = g.concat(g.permute(absorbed, kHeadsOutside),
                                    g.view_3d(q, shared, heads, tokens, row, row * heads, own * kFloat), 0);
    const TensorId both = b.project(x, layer, "attn_kv_a_mqa", rank + shared, {}, {});
    const std::int64_t both_row = (rank + shared) * kFloat;
    const TensorId latent =
        g.reshape(b.rms_norm(g.view_2d(both, rank, tokens, both_row, 0),
                             b.block_weight(layer, "attn_kv_a_norm.weight", {rank, 1, 1, 1}), {}, layer),
                  {rank, 1, tokens, 1});
    const TensorId key =
        g.concat(latent, g.view_3d(both, shared, 1, tokens, both_row, both_row, rank * kFloat), 0);
    AttendOptions options;
    options.scale = 1.0F / std::sqrt(static_cast<float>(whole));
    options.widen = b.block_weight(layer, "attn_v_b.weight", {rank, value, heads, 1});
    TensorId mixed = b.attend_latent({query, key, latent}, layer, options);
    if (b.block_has(layer, "attn_gate.weight")) {
        const TensorId gate = b.project(x, layer, "attn_gate", value * heads, {}, {});
        mixed = b.named(g.mul(mixed, g.unary(UnaryKind::sigmoid, gate)), "mla_gated", layer);
    }
    return project_out(b, mixed, layer, "mla_out");
}

/// The activation of both factors is squashed.
TensorId squashed_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer, const std::string& suffix) {
    const std::int64_t hidden = b.block_rows(layer, fmt::format("ffn_up{}.weight", suffix));
    const TensorId gate = b.project(x, layer, "ffn_gate" + suffix, hidden, {}, {});
    const TensorId up = b.project(x, layer, "ffn_up" + suffix, hidden, {}, {});
    return b.project(situ(b, gate, up), layer, "ffn_down" + suffix, b.width(),
                     suffix.empty() ? "ffn_out" : "ffn_shexp", {});
}

/// Experts in a narrower space, beside a shared feed-forward.
TensorId narrow_experts(ModelBuilder& b, TensorId x, std::int32_t layer) {
    if (layer < static_cast<std::int32_t>(b.hyperparameters().leading_dense))
        return squashed_feed_forward(b, x, layer, "");
    GraphBuilder& g = b.graph();
    Mixture mixture = mixture_of_keys(b, Routing::sigmoid);
    mixture.activation = Activation::situ;
    mixture.logits = g.mul_mat(
        b.block_weight(layer, "ffn_gate_inp.weight", {b.width(), b.hyperparameters().experts, 1, 1}), x);
    b.named(mixture.logits, "ffn_moe_logits", layer);
    TensorId rows = x;
    const bool narrow = b.block_has(layer, "ffn_routed_down.weight");
    if (narrow) {
        const std::int64_t width = b.block_rows(layer, "ffn_routed_down.weight");
        rows = b.project(x, layer, "ffn_routed_down", width, {}, {});
    }
    TensorId routed = mixture_of_experts(b, rows, layer, mixture);
    if (b.block_has(layer, "ffn_routed_norm.weight"))
        routed = b.rms_norm(
            routed, b.block_weight(layer, "ffn_routed_norm.weight", {g[routed].ne[0], 1, 1, 1}), {}, layer);
    if (narrow) routed = b.project(routed, layer, "ffn_routed_up", b.width(), {}, {});
    if (b.block_has(layer, "ffn_up_shexp.weight"))
        routed = g.add(routed, squashed_feed_forward(b, x, layer, "_shexp"));
    return b.named(routed, "ffn_out", layer);
}

}  // namespace

ModelGraph kimi_k3(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.named(b.embed_tokens(), "inp_embd");
    RecurrentStates states(b);
    ResidualAttention residuals(b);
    const auto size = static_cast<std::int32_t>(b.keys().required("attn_res.block_size"));
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId in =
            layer == 0 ? x : residuals.mix(x, b.block_vector(layer, "attn_res_score.weight"), layer);
        const TensorId ready = b.block_rms_norm(in, layer, "attn_norm");
        g.expand(ready);
        const bool recurrent = b.hyperparameters().kv_heads[static_cast<std::size_t>(layer)] == 0;
        const TensorId attended = recurrent ? KimiDelta(states, layer, KimiDelta::Names::kimi_k3).build(ready)
                                            : latent_attention(b, ready, layer);
        const bool begins = layer % size == 0;
        if (begins) residuals.close_group(x);
        x = b.named(begins ? attended : g.add(x, attended), "prefix_sum_attn", layer);
        const TensorId mixed = residuals.mix(x, b.block_vector(layer, "ffn_res_score.weight"), layer);
        const TensorId normed = b.block_rms_norm(mixed, layer, "ffn_norm");
        x = b.named(g.add(x, narrow_experts(b, normed, layer)), "l_out", layer);
    }
    x = residuals.mix(x, b.output_weight("output_res_score.weight", {b.width(), 1, 1, 1}), -1);
    return b.finish_with_logits(b.keep_outputs(x));
}

}  // namespace splitscope::pages
