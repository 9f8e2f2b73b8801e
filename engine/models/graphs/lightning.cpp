// SPDX-License-Identifier: MIT
// Lightning attention: tokens of a batch attend to each other with weights that decay with distance; all
// earlier tokens are accumulated in one decaying state per head.
#include <algorithm>

#include "engine/models/decoder.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {
namespace {

class Lightning {
 public:
    Lightning(RecurrentStates& states, std::int32_t layer)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          head_(b_.hyperparameters().head_dim_k),
          heads_(b_.hyperparameters().heads[static_cast<std::size_t>(layer)]),
          tokens_(s_.tokens_per_sequence()) {
        // Has no inputs of earlier batches: this state is empty, but part of the graph.
        s_.read(s_.tensor(layer, "r", 0));
        all_ = s_.tensor(layer, "s", head_ * head_ * heads_);
        old_ = named(g_.reshape(s_.read(all_), {head_, head_, heads_, s_.sequences()}), "kv_old");
        g_.expand(old_);
        // Later layers decay more slowly.
        const auto last = static_cast<float>(b_.layers() - 1);
        rate_ = 1.0F - static_cast<float>(layer) / std::max(last, 1.0F) + 1e-5F;
    }

    TensorId build(TensorId x) {
        const std::int64_t inner = head_ * heads_;
        x = g_.reshape(x, {b_.width(), tokens_, 1, s_.sequences()});
        const TensorId product = b_.project(x, layer_, "attn_qkv", 3 * inner, "QKVcur", {});
        const TensorId open = named(g_.unary(UnaryKind::silu, product), "QKVcur_silu");
        const TensorId parts = g_.reshape(open, {3 * head_, heads_, tokens_, s_.sequences()});
        const TensorId q = part(parts, 0, "Qcur");
        const TensorId before = from_state(q);
        const TensorId values = named(g_.cont(g_.permute(part(parts, 2, "Vcur"), {1, 2, 0, 3})), "v_trans");
        const TensorId k = part(parts, 1, "Kcur");
        const TensorId mixed = named(g_.add(before, from_batch(q, k, values)), "qkv");
        g_.expand(mixed);
        update(k, values);
        const TensorId gate =
            named(g_.unary(UnaryKind::sigmoid, b_.project(x, layer_, "attn_gate", inner, "g", {})), "g_sigm");
        const TensorId rows = g_.reshape(named(g_.cont(g_.permute(mixed, kHeadsOutside)), "qkv_permuted"),
                                         {inner, tokens_, 1, s_.sequences()});
        const TensorId normed = b_.rms_norm(
            rows, b_.block_weight(layer_, "attn_norm_2.weight", {inner, 1, 1, 1}), "qkv_norm", layer_);
        const TensorId out =
            b_.unscaled_product(g_.mul(gate, normed), layer_, "attn_output", b_.width(), "attn_out");
        return named(s_.joined(out), "attn_out");
    }

 private:
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }

    TensorId part(TensorId parts, std::int64_t which, std::string_view name) {
        const Shape nb = g_[parts].nb;
        return named(g_.view(parts, {head_, heads_, tokens_, s_.sequences()}, nb, which * head_ * kFloat),
                     name);
    }
    TensorId decay(ModelInput kind, const Shape& ne, std::string_view input, std::string_view name) {
        const TensorId exponent = b_.input(kind, ElementType::f32, ne, std::string(input));
        return named(g_.unary(UnaryKind::exp, g_.scale(exponent, rate_)), name);
    }

    TensorId from_state(TensorId q) {
        const TensorId faded =
            decay(ModelInput::query_decays, {1, heads_, tokens_, s_.sequences()}, "q_decay_exp", "q_decay");
        const TensorId rows = g_.permute(named(g_.mul(q, faded), "q_s"), kHeadsOutside);
        return named(g_.mul_mat(old_, named(rows, "q_s_trans")), "qkv_none_diag");
    }

    TensorId from_batch(TensorId q, TensorId k, TensorId values) {
        const TensorId keys = named(g_.permute(k, kHeadsOutside), "k_trans");
        const TensorId scores = named(g_.mul_mat(keys, named(g_.permute(q, kHeadsOutside), "q_trans")), "qk");
        const TensorId faded = decay(ModelInput::mutual_decays, {tokens_, tokens_, heads_, s_.sequences()},
                                     "diag_decay_exp", "diag_decay");
        return named(g_.mul_mat(values, named(g_.mul(scores, faded), "qk_s")), "qkv_diag");
    }

    void update(TensorId k, TensorId values) {
        const TensorId slopes =
            b_.input(ModelInput::decay_slopes, ElementType::f32, {heads_, 1, 1, 1}, "slopes");
        const TensorId rates = named(g_.scale(slopes, rate_), "slope_rate");
        const TensorId exponents = named(g_.scale(rates, -static_cast<float>(tokens_)), "slopes_neg");
        const TensorId block = named(g_.unary(UnaryKind::exp, exponents), "block_decay");
        const TensorId by_head = named(g_.reshape(block, {1, 1, heads_, 1}), "block_decay_3d");
        const TensorId kept = named(g_.mul(old_, by_head), "kv_old_s");
        const TensorId faded =
            decay(ModelInput::key_decays, {1, heads_, tokens_, s_.sequences()}, "k_decay_exp", "k_decay");
        const TensorId keys = named(g_.mul(k, faded), "k_after_decay");
        const TensorId columns = named(g_.cont(g_.permute(keys, {1, 2, 0, 3})), "k_after_decay_trans");
        const TensorId added = named(g_.mul_mat(columns, values), "kv_cur");
        s_.write(named(g_.add(kept, added), "kv_new"), all_);
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t head_;
    std::int64_t heads_;
    std::int64_t tokens_;
    float rate_ = 1.0F;
    TensorId all_;
    TensorId old_;
};

}  // namespace

ModelGraph minimax_01(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    const auto interval = static_cast<std::int32_t>(b.keys().number_or("full_attention_interval", 8));
    if (!b.keys().has("residual_scale")) b.keys().refuse("residual_scale", msg::kMissingOrZero);
    const float residual = b.keys().decimal("residual_scale", 0.0F);
    const Mixture mixture{.optional_gate = true};
    TensorId x = b.embed_tokens();
    g.expand(x);
    RecurrentStates states(b);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId ready;
        TensorId mixed;
        if (interval == 0 || (layer + 1) % interval != 0) {
            Lightning lightning(states, layer);
            ready = b.block_rms_norm(x, layer, "attn_norm");
            mixed = lightning.build(ready);
        } else {
            ready = b.block_rms_norm(x, layer, "attn_norm");
            mixed = self_attention(b, ready, layer);
        }
        // The residual, to which the result is added, is normalised too.
        b.keep_outputs_of_last(layer, mixed, ready);
        const TensorId kept = b.named(g.scale(ready, residual), "residual_scaled_attn", layer);
        const TensorId normed =
            b.block_rms_norm(b.named(g.add(mixed, kept), "ffn_inp", layer), layer, "ffn_norm");
        const TensorId out = mixture_of_experts(b, normed, layer, mixture);
        x = b.named(g.add(out, b.named(g.scale(normed, residual), "residual_scaled_ffn", layer)), "l_out",
                    layer);
    }
    ModelGraph graph = b.finish_with_logits(x);
    graph.reserves_one_sequence = true;
    return graph;
}

}  // namespace splitscope::graphs
