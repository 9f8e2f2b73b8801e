// SPDX-License-Identifier: MIT
// Blocks of a convolution over the last few tokens and a selective state space. Instead of a cache each layer
// keeps two recurrent states, which are read at the start of a batch and written back at its end.
#include <fmt/format.h>

#include "engine/models/pages/pages.hpp"

namespace splitscope::pages {
namespace {

class MambaBlock {
 public:
    MambaBlock(ModelBuilder& builder, std::int32_t layer)
        : b_(builder),
          g_(builder.graph()),
          layer_(layer),
          tokens_(builder.tokens()),
          kernel_(builder.hyperparameters().ssm_kernel),
          inner_(builder.hyperparameters().ssm_inner),
          state_(builder.hyperparameters().ssm_state),
          rank_(builder.hyperparameters().ssm_dt_rank) {}

    TensorId build(TensorId x, TensorId own_state, TensorId other_states) {
        const TensorId history = recurrent_state("cache_r", (kernel_ - 1) * inner_);
        const TensorId rows = clear_if_first(history, (kernel_ - 1) * inner_);
        const TensorId before = g_.get_rows(rows, own_state);
        g_.expand(before);
        keep_others(rows, history, (kernel_ - 1) * inner_, other_states);

        const TensorId normed =
            b_.rms_norm(x, b_.block_vector(layer_, "attn_norm.weight"), "attn_norm", layer_);
        const TensorId flat = g_.reshape(normed, {b_.width(), tokens_, 1, 1});
        const TensorId both = b_.project(flat, layer_, "ssm_in", 2 * inner_, {}, {});
        const TensorId input = half(both, 0);
        const TensorId gate = half(both, inner_);
        const TensorId convolved = convolve(input, before, history);
        const TensorId scanned = scan(convolved, own_state, other_states);
        const TensorId skip = g_.mul(convolved, b_.block_weight(layer_, "ssm_d", {inner_, 1, 1, 1}));
        const TensorId gated = g_.glu(GluKind::swiglu, g_.cont(gate), g_.add(scanned, skip));
        const TensorId out = b_.project(gated, layer_, "ssm_out", b_.width(), {}, {});
        return g_.reshape(out, {b_.width(), tokens_, 1, 1});
    }

 private:
    static constexpr std::int64_t kFloat = sizeof(float);

    TensorId recurrent_state(std::string_view name, std::int64_t elements) {
        return b_.cache_tensor(layer_, fmt::format("{}_l{}", name, layer_), ElementType::f32,
                               {elements, 1, 1, 1});
    }

    /// The states as rows, one per sequence; the first batch of a sequence starts from zeros.
    TensorId clear_if_first(TensorId states, std::int64_t size) {
        const TensorId rows = g_.reshape(states, {size, 1, 1, 1});
        const TensorId cleared = g_.view_1d(rows, b_.options().starts_sequence ? size : 0, 0);
        g_.expand(g_.scale_inplace(cleared, 0.0F));
        return rows;
    }

    /// States of sequences that are not in the batch move along; with one sequence there are none.
    void keep_others(TensorId rows, TensorId states, std::int64_t size, TensorId other_states) {
        const TensorId others = g_.get_rows(rows, other_states);
        g_.expand(others);
        g_.expand(g_.cpy(others, g_.view_2d(states, size, 0, size * kFloat, size * kFloat)));
    }

    TensorId half(TensorId both, std::int64_t first) {
        const Shape nb = g_[both].nb;
        return g_.view_3d(both, inner_, tokens_, 1, nb[1], nb[2], first * kFloat);
    }

    /// Convolves over the tokens with those of the batch before, and keeps the last for the next batch.
    TensorId convolve(TensorId x, TensorId before, TensorId history) {
        const TensorId columns = g_.reshape(before, {kernel_ - 1, inner_, 1, 1});
        const TensorId window = g_.concat(columns, g_.transpose(x), 0);
        const Shape nb = g_[window].nb;
        const TensorId last = g_.view_3d(window, kernel_ - 1, inner_, 1, nb[1], nb[2], tokens_ * nb[0]);
        g_.expand(g_.cpy(last, g_.view_1d(history, (kernel_ - 1) * inner_, 0)));
        const TensorId sums =
            g_.ssm_conv(window, b_.block_weight(layer_, "ssm_conv1d.weight", {kernel_, inner_, 1, 1}));
        const TensorId bias = b_.block_weight(layer_, "ssm_conv1d.bias", {inner_, 1, 1, 1});
        return g_.unary(UnaryKind::silu, g_.add(sums, bias));
    }

    TensorId scan(TensorId x, TensorId own_state, TensorId other_states) {
        const TensorId parts = b_.project(x, layer_, "ssm_x", rank_ + 2 * state_, {}, {});
        const Shape nb = g_[parts].nb;
        const TensorId dt_low = g_.view_3d(parts, rank_, tokens_, 1, nb[1], nb[2], 0);
        const auto part = [&](std::int64_t first) {
            return g_.view(parts, {state_, 1, tokens_, 1}, {kFloat, state_ * kFloat, nb[1], nb[2]},
                           first * kFloat);
        };
        const TensorId b = part(rank_);
        const TensorId c = part(rank_ + state_);
        const TensorId dt = b_.project(dt_low, layer_, "ssm_dt", inner_, {}, {});
        const TensorId heads = g_.reshape(x, {1, inner_, tokens_, 1});
        const TensorId a = b_.block_weight(layer_, "ssm_a", {state_, inner_, 1, 1});

        const TensorId states = recurrent_state("cache_s", state_ * inner_);
        const TensorId rows = clear_if_first(states, state_ * inner_);
        const TensorId by_head = g_.reshape(rows, {state_, 1, inner_, 1});
        const TensorId result = g_.ssm_scan(by_head, heads, dt, a, b, c, own_state);
        g_.expand(result);
        keep_others(rows, states, state_ * inner_, other_states);
        const TensorId next = g_.view_1d(result, state_ * inner_, tokens_ * inner_ * kFloat);
        g_.expand(g_.cpy(next, g_.view_1d(states, state_ * inner_, 0)));
        return g_.view_3d(result, inner_, tokens_, 1, inner_ * kFloat, tokens_ * inner_ * kFloat, 0);
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t tokens_;
    std::int64_t kernel_;
    std::int64_t inner_;
    std::int64_t state_;
    std::int64_t rank_;
};

}  // namespace

ModelGraph mamba(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    const TensorId own_state = g.view_1d(b.recurrent_states(), 1, 0);
    const TensorId other_states = g.view_1d(b.recurrent_states(), 0, sizeof(std::int32_t));
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        TensorId out = MambaBlock(b, layer).build(x, own_state, other_states);
        if (layer + 1 == b.layers()) {
            out = b.keep_outputs(out);
            x = b.keep_outputs(x);
        }
        x = b.named(g.add(out, x), "l_out", layer);
    }
    return b.finish_with_logits(x);
}

}  // namespace splitscope::pages
