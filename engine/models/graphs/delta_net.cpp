// SPDX-License-Identifier: MIT
// Gated delta rules in most blocks, gated attention in the others.

#include "engine/models/graphs/delta_net.hpp"

#include "engine/models/decoder.hpp"

namespace splitscope::graphs {
namespace {

/// The linear attention of Qwen 3.5 and Qwen 3 Next.
class QwenDelta {
 public:
    QwenDelta(RecurrentStates& states, std::int32_t layer, DeltaForm form)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          form_(form),
          joint_gates_(form == DeltaForm::qwen3next),
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
        const TensorId open = g_.unary(form_ == DeltaForm::qwen4exp ? UnaryKind::sigmoid : UnaryKind::silu,
                                       g_.reshape(z, {value_, heads_, tokens(), s_.sequences()}));
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
        if (form_ == DeltaForm::qwen4exp) {
            const TensorId x = b_.product(x_, layer_, "attn_qkv", channels);
            const TensorId rows = named(s_.by_sequence(x), "linear_attn_qkv_mixed");
            return s_.window(rows, all, taps() - 1, layer_);
        }
        const TensorId states = named(s_.read(all), "conv_states");
        const TensorId before = g_.reshape(states, {taps() - 1, channels, s_.sequences(), 1});
        named(before, "conv_states_reshaped");
        const TensorId projected = b_.product(x_, layer_, "attn_qkv", channels);
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
    DeltaForm form_;
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

}  // namespace

TensorId delta_attention(RecurrentStates& states, TensorId x, std::int32_t layer, DeltaForm form) {
    return QwenDelta(states, layer, form).build(x);
}

TensorId gated_attention(ModelBuilder& b, TensorId x, std::int32_t layer, bool next, TensorId chosen) {
    GraphBuilder& g = b.graph();
    const Hyperparameters& h = b.hyperparameters();
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t head = h.head_dim_k;
    const std::int64_t count = h.heads[l];
    const std::int64_t kv_row = head * h.kv_heads[l];
    const Heads rows = b.qkv_rows(x, layer, 2 * head * count, kv_row, kv_row, "Qcur_full");
    TensorId both = rows.q;
    if (next) both = g.reshape(both, {2 * head, count, b.tokens(), 1});
    const auto half = [&](std::int64_t first) {
        return g.view_3d(both, head, count, b.tokens(), 2 * head * kFloat, 2 * head * count * kFloat,
                         first * kFloat);
    };
    TensorId q = b.named(half(0), next ? "Qcur_view" : "Qcur_reshaped", layer);
    TensorId gate = half(head);
    if (next) b.named(gate, "gate", layer);
    q = b.head_norm(q, layer, "attn_q_norm", "Qcur_normed");
    TensorId k = b.head_norm(g.reshape(rows.k, {head, h.kv_heads[l], b.tokens(), 1}), layer, "attn_k_norm",
                             "Kcur_normed");
    const TensorId v = b.named(g.reshape(rows.v, {head, h.kv_heads[l], b.tokens(), 1}), "Vcur", layer);
    q = b.rope(q, layer, "Qcur");
    k = b.rope(k, layer, "Kcur");
    const TensorId mixed = b.named(
        b.attend({q, k, v}, layer, {.scale = b.score_scale(layer), .chosen = chosen}), "attn_pregate", layer);
    gate = g.cont(gate, {head * count, b.tokens(), 1, 1});
    if (!next) b.named(gate, "gate_reshaped", layer);
    const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "gate_sigmoid", layer);
    const TensorId gated = b.named(g.mul(mixed, open), "attn_gated", layer);
    return project_out(b, gated, layer, "attn_output");
}

TensorId gated_experts(ModelBuilder& b, TensorId x, std::int32_t layer, const Mixture& mixture) {
    GraphBuilder& g = b.graph();
    const TensorId routed = mixture_of_experts(b, x, layer, mixture);
    if (!b.block_has(layer, "ffn_up_shexp.weight")) return routed;
    const TensorId beside = feed_forward(b, x, layer, shared_expert());
    const TensorId gate =
        g.mul_mat(b.block_weight(layer, "ffn_gate_inp_shexp.weight", {b.width(), 1, 1, 1}), x);
    b.named(gate, "shared_expert_gate", layer);
    const TensorId open = b.named(g.unary(UnaryKind::sigmoid, gate), "shared_expert_gate_sigmoid", layer);
    const TensorId gated = b.named(g.mul(beside, open), "ffn_shexp_gated", layer);
    return b.named(g.add(routed, gated), "ffn_out", layer);
}

std::vector<bool> recurrent_blocks(const ModelBuilder& b) {
    const auto layers = b.hyperparameters().shape.layers;
    const std::uint32_t interval = b.keys().number_or("full_attention_interval", 4);
    const auto listed = b.keys().per_layer("attention.recurrent_layers", layers, {});
    std::vector<bool> recurrent;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        recurrent.push_back(listed.empty() ? interval == 0 || (layer + 1) % interval != 0
                                           : listed[layer] != 0);
    return recurrent;
}

namespace {

TensorId qwen_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer) {
    if (!b.block_has(layer, "ffn_gate_inp.weight")) return feed_forward(b, x, layer);
    return gated_experts(b, x, layer, {});
}

ModelGraph qwen_delta(ModelBuilder& b, bool next) {
    GraphBuilder& g = b.graph();
    TensorId x = b.named(b.embed_tokens(), next ? "model.embed_tokens" : "model.input_embed");
    RecurrentStates states(b);
    const std::vector<bool> recurrent = recurrent_blocks(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm");
        g.expand(ready);
        const TensorId mixed =
            recurrent[static_cast<std::size_t>(layer)]
                ? delta_attention(states, ready, layer, next ? DeltaForm::qwen3next : DeltaForm::qwen35)
                : gated_attention(b, ready, layer, next);
        const TensorId input = b.named(g.add(mixed, x), "attn_residual", layer);
        const TensorId normed = b.block_rms_norm(input, layer, "post_attention_norm", "attn_post_norm");
        const TensorId fed = b.named(qwen_feed_forward(b, normed, layer), "ffn_out", layer);
        x = b.named(g.add(fed, input), "l_out", layer);
    }
    const TensorId all = b.final_norm(x);
    b.keep_for_drafts(all);
    return b.finish_with_named_logits(
        b.lm_head(b.keep_embeddings(b.named(b.keep_outputs(all), "result_norm"))));
}

}  // namespace

ModelGraph qwen35(ModelBuilder& b) {
    return qwen_delta(b, false);
}

ModelGraph qwen3next(ModelBuilder& b) {
    return qwen_delta(b, true);
}

}  // namespace splitscope::graphs
