// SPDX-License-Identifier: MIT
// Gated delta rules with a decay per element in most blocks, latent attention in the others.
#include <cmath>

#include <fmt/format.h>

#include "engine/models/decoder.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {
namespace {

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
        const Heads parts = projected(x);
        Heads heads{third(convolved(parts.q, 0, "ssm_conv1d_q.weight"), "kda_q_conv"),
                    third(convolved(parts.k, 1, "ssm_conv1d_k.weight"), "kda_k_conv"),
                    third(convolved(parts.v, 2, "ssm_conv1d_v.weight"), "kda_v_conv")};
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
        return b_.unscaled_product(g_.cont(gated, {inner, b_.tokens(), 1, 1}), layer_, "attn_output",
                                   b_.width(), "kda_out");
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

    /// Rows of queries, keys and values; only Kimi Linear's graph reads fused weights.
    Heads projected(TensorId x) {
        const std::int64_t inner = head_ * heads_;
        if (names_ != Names::kimi_linear || !b_.block_has(layer_, "attn_qkv.weight"))
            return {b_.product(x, layer_, "attn_q", inner), b_.product(x, layer_, "attn_k", inner),
                    b_.product(x, layer_, "attn_v", inner)};
        const TensorId all = b_.product(x, layer_, "attn_qkv", 3 * inner);
        return {b_.part_rows(all, 0, inner), b_.part_rows(all, inner, inner),
                b_.part_rows(all, 2 * inner, inner)};
    }

    /// One of the three convolutions, whose states are concatenated.
    TensorId convolved(TensorId x, std::int64_t which, std::string_view kernel) {
        const std::int64_t inner = head_ * heads_;
        const std::int64_t size = (taps_ - 1) * inner * kFloat;
        const std::int64_t column = (taps_ - 1) * kFloat;
        const TensorId before =
            g_.view_3d(inputs_, taps_ - 1, inner, s_.sequences(), column, 3 * size, which * size);
        const TensorId projected = s_.by_sequence(x);
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

/// The heads of latent attention in one layer. Queries [own + shared, count, tokens] have a part of their own
/// and one that multiplies the key part shared by all heads; compressed rows are [rank + shared, tokens].
struct LatentHeads {
    LatentHeads(ModelBuilder& builder, std::int32_t in_layer, std::int64_t shared_width)
        : b(builder),
          g(builder.graph()),
          layer(in_layer),
          count(builder.hyperparameters().heads[static_cast<std::size_t>(in_layer)]),
          width(builder.keys().required("attention.key_length_mla")),
          value(builder.keys().required("attention.value_length_mla")),
          rank(builder.keys().required("attention.kv_lora_rank")),
          shared(shared_width),
          own(width - shared) {}

    TensorId own_query(TensorId q) const { return query_part(q, own, 0); }
    TensorId shared_query(TensorId q) const { return query_part(q, shared, own); }
    TensorId compressed(TensorId x) const {
        return b.project(x, layer, "attn_kv_a_mqa", rank + shared, {}, {});
    }
    TensorId latent_row(TensorId both) const {
        return g.view_2d(both, rank, b.tokens(), (rank + shared) * kFloat, 0);
    }
    TensorId shared_key(TensorId both) const {
        const std::int64_t row = (rank + shared) * kFloat;
        return g.view_3d(both, shared, 1, b.tokens(), row, row, rank * kFloat);
    }
    TensorId normalised(TensorId latent) const {
        return b.rms_norm(latent, b.block_weight(layer, "attn_kv_a_norm.weight", {rank, 1, 1, 1}), {}, layer);
    }
    /// The own parts of queries, heads outside, in the space of the compressed rows.
    TensorId absorbed(TensorId outside) const {
        return g.mul_mat(b.block_weight(layer, "attn_k_b.weight", {own, rank, count, 1}), outside);
    }
    AttendOptions options() const {
        AttendOptions options;
        options.scale = 1.0F / std::sqrt(static_cast<float>(width));
        options.widen = b.block_weight(layer, "attn_v_b.weight", {rank, value, count, 1});
        return options;
    }

    ModelBuilder& b;
    GraphBuilder& g;
    std::int32_t layer;
    std::int64_t count;
    std::int64_t width;  ///< of a query
    std::int64_t value;  ///< width of a value
    std::int64_t rank;   ///< width of a compressed row, without the shared key
    std::int64_t shared;
    std::int64_t own;

 private:
    TensorId query_part(TensorId q, std::int64_t part, std::int64_t first) const {
        const std::int64_t row = width * kFloat;
        return g.view_3d(q, part, count, b.tokens(), row, row * count, first * kFloat);
    }
};

/// Latent attention without rotary positions: heads of queries meet the latent keys directly.
TensorId kimi_attention(ModelBuilder& b, TensorId x, std::int32_t layer) {
    GraphBuilder& g = b.graph();
    const LatentHeads heads(b, layer, b.keys().required("rope.dimension_count"));
    const TensorId q = b.product(x, layer, "attn_q", heads.width * heads.count);
    const TensorId both = heads.compressed(x);
    const TensorId latent_row = heads.latent_row(both);
    const TensorId shared_key = heads.shared_key(both);
    TensorId latent = heads.normalised(latent_row);
    const TensorId own_query = b.named(heads.own_query(q), "q_nope", layer);
    const TensorId shared_query = b.named(heads.shared_query(q), "q_pe", layer);
    const TensorId outside = b.named(g.permute(own_query, {0, 2, 1, 3}), "q_nope_perm", layer);
    const TensorId absorbed = b.named(heads.absorbed(outside), "q_nope_absorbed", layer);
    const TensorId inside = b.named(g.permute(absorbed, {0, 2, 1, 3}), "q_nope_absorbed_perm", layer);
    const TensorId query = b.named(g.concat(inside, shared_query, 0), "Qcur", layer);
    latent = g.reshape(latent, {heads.rank, 1, b.tokens(), 1});
    const TensorId key = b.named(g.concat(latent, shared_key, 0), "Kcur", layer);
    b.named(latent, "Vcur", layer);
    return project_out(b, b.attend_latent({query, key, latent}, layer, heads.options()), layer, "mla_out");
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
    const LatentHeads heads(b, layer, b.hyperparameters().rope.dims);
    TensorId q = x;
    if (b.block_has(layer, "attn_q_a.weight")) {
        q = b.project(q, layer, "attn_q_a", b.block_rows(layer, "attn_q_a.weight"), "q_a", {});
        q = b.block_rms_norm(q, layer, "attn_q_a_norm", "q_a_norm");
        q = b.project(q, layer, "attn_q_b", heads.width * heads.count, "q_b", {});
    } else {
        q = b.product(q, layer, "attn_q", heads.width * heads.count);
    }
    const TensorId own_query = heads.own_query(q);
    const TensorId shared_query = heads.shared_query(q);
    const TensorId both = heads.compressed(x);
    const TensorId shared_key = heads.shared_key(both);
    const TensorId latent =
        g.reshape(heads.normalised(heads.latent_row(both)), {heads.rank, 1, b.tokens(), 1});
    const TensorId absorbed = heads.absorbed(g.permute(own_query, kHeadsOutside));
    const TensorId query =
        g.concat(g.permute(absorbed, kHeadsOutside), b.rope(shared_query, layer, kUnnamed), 0);
    const TensorId key = g.concat(latent, b.rope(shared_key, layer, kUnnamed), 0);
    const TensorId mixed = b.attend_latent({query, key, latent}, layer, heads.options());
    const TensorId gate =
        g.reshape(b.project(x, layer, "attn_gate", heads.count, {}, {}), {1, heads.count, b.tokens(), 1});
    const TensorId gated =
        g.mul(g.reshape(mixed, {heads.value, heads.count, b.tokens(), 1}), g.unary(UnaryKind::sigmoid, gate));
    return project_out(b, g.cont(gated, {heads.value * heads.count, b.tokens(), 1, 1}), layer, "mla_out");
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
    return b.finish_with_named_logits(
        b.lm_head(b.keep_embeddings(b.named(b.keep_outputs(all), "result_norm"))));
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
    const LatentHeads heads(b, layer, b.keys().required("rope.dimension_count"));
    TensorId low = x;
    const bool two_steps = b.block_has(layer, "attn_q_a.weight");
    if (two_steps) {
        low = b.project(low, layer, "attn_q_a", b.block_rows(layer, "attn_q_a.weight"), {}, {});
        low = b.block_rms_norm(low, layer, "attn_q_a_norm", kUnnamed);
    }
    const TensorId q = b.product(low, layer, two_steps ? "attn_q_b" : "attn_q", heads.width * heads.count);
    const TensorId absorbed = heads.absorbed(g.permute(heads.own_query(q), kHeadsOutside));
    const TensorId query = g.concat(g.permute(absorbed, kHeadsOutside), heads.shared_query(q), 0);
    const TensorId both = heads.compressed(x);
    const TensorId latent =
        g.reshape(heads.normalised(heads.latent_row(both)), {heads.rank, 1, b.tokens(), 1});
    const TensorId key = g.concat(latent, heads.shared_key(both), 0);
    TensorId mixed = b.attend_latent({query, key, latent}, layer, heads.options());
    if (b.block_has(layer, "attn_gate.weight")) {
        const TensorId gate = b.project(x, layer, "attn_gate", heads.value * heads.count, {}, {});
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
    mixture.logits = router_logits(b, x, layer);
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

}  // namespace splitscope::graphs
