// SPDX-License-Identifier: MIT
#include "engine/models/recurrent.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Part of each row, starting at element `first`.
TensorId row_part(GraphBuilder& g, TensorId x, std::int64_t first, std::int64_t width) {
    const Tensor t = g[x];
    return g.view_3d(x, width, t.ne[1], t.ne[2], t.nb[1], t.nb[2], first * kFloat);
}

/// As above, in shape [dim, count, rows, sequences].
TensorId row_heads(GraphBuilder& g, TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count) {
    const Tensor t = g[x];
    return g.view(x, {dim, count, t.ne[1], t.ne[2]}, {kFloat, dim * kFloat, t.nb[1], t.nb[2]},
                  first * kFloat);
}

}  // namespace

RecurrentStates::RecurrentStates(ModelBuilder& builder) : b_(builder), g_(builder.graph()) {
    own_ = g_.view_1d(b_.recurrent_states(), sequences(), 0);
    others_ = g_.view_1d(b_.recurrent_states(), b_.used_states() - sequences(),
                         sequences() * static_cast<std::int64_t>(sizeof(std::int32_t)));
}

TensorId RecurrentStates::by_sequence(TensorId x) {
    return g_.reshape(x, {g_[x].ne[0], tokens_per_sequence(), sequences(), 1});
}

TensorId RecurrentStates::joined(TensorId x) {
    return g_.reshape(x, {g_[x].ne[0], b_.tokens(), 1, 1});
}

TensorId RecurrentStates::tensor(std::int32_t layer, std::string_view letter, std::int64_t size) {
    return b_.cache_tensor(layer, fmt::format("cache_{}_l{}", letter, layer), ElementType::f32,
                           {size, b_.states(), 1, 1});
}

TensorId RecurrentStates::read(TensorId states, const Pick& pick) {
    const Shape ne = g_[states].ne;
    const TensorId rows = g_.reshape(states, {ne[0], ne[1], 1, 1});
    const TensorId cleared = g_.view_1d(rows, b_.options().starts_sequence ? ne[0] : 0, 0);
    g_.expand(g_.scale_inplace(cleared, 0.0F));
    const TensorId read = pick ? pick(rows, own_) : g_.get_rows(rows, own_);
    g_.expand(read);
    const TensorId moved = g_.get_rows(rows, others_);
    const std::int64_t row = g_[states].nb[1];
    g_.expand(
        g_.cpy(moved, g_.view_2d(states, ne[0], b_.used_states() - sequences(), row, sequences() * row)));
    return read;
}

void RecurrentStates::write(TensorId value, TensorId states) {
    g_.expand(g_.cpy(value, g_.view_1d(states, element_count(g_[value]), 0)));
}

TensorId RecurrentStates::with_last_inputs(TensorId x, TensorId before, TensorId states, std::int64_t taps,
                                           std::string_view name, std::int32_t layer, bool centred) {
    const std::int64_t width = g_[x].ne[0];
    TensorId columns = g_.reshape(before, {taps - 1, width, sequences(), 1});
    const std::int64_t half = (taps - 1) / 2;
    if (centred) {
        const Shape nb = g_[columns].nb;
        columns =
            g_.cont(g_.view_3d(columns, half, width, sequences(), nb[1], nb[2], (taps - 1 - half) * nb[0]));
    }
    TensorId window = g_.concat(columns, g_.transpose(x), 0);
    if (centred) window = g_.pad(window, static_cast<std::int32_t>(half));
    b_.named(window, name, layer);
    const Shape nb = g_[window].nb;
    const std::int64_t first = g_[window].ne[0] - (taps - 1);
    const TensorId last = g_.view_3d(window, taps - 1, width, sequences(), nb[1], nb[2], first * nb[0]);
    write(last, states);
    return window;
}

TensorId RecurrentStates::window(TensorId x, TensorId states, std::int64_t columns, std::int32_t layer) {
    const std::int64_t width = g_[x].ne[0];
    const TensorId before = g_.reshape(read(states), {columns, width, sequences(), 1});
    b_.named(before, "conv_state_at", layer);
    const TensorId window = g_.concat(before, g_.transpose(x), 0);
    const Tensor t = g_[window];
    const TensorId last =
        g_.view_3d(window, columns, width, sequences(), t.nb[1], t.nb[2], (t.ne[0] - columns) * kFloat);
    const TensorId target = g_.view_2d(states, columns * width, sequences(), g_[states].nb[1], 0);
    g_.expand(g_.cpy(g_.cont(last), target));
    return window;
}

namespace {

/// Shared by Mamba 1 and 2.
class MambaLayer {
 public:
    MambaLayer(RecurrentStates& states, std::int32_t layer)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          kernel_(b_.hyperparameters().ssm_kernel),
          inner_(b_.hyperparameters().ssm_inner),
          state_(b_.hyperparameters().ssm_state),
          rank_(b_.hyperparameters().ssm_dt_rank) {}

 protected:
    /// The row norm of a step, if the file has it.
    TensorId normalised(TensorId x, std::string_view part) {
        const std::string name = fmt::format("{}.weight", part);
        if (!b_.block_has(layer_, name)) return x;
        return b_.rms_norm(x, b_.block_weight(layer_, name, {g_[x].ne[0], 1, 1, 1}), {}, layer_);
    }

    TensorId read_inputs(std::int64_t width) {
        inputs_ = s_.tensor(layer_, "r", (kernel_ - 1) * width);
        return s_.read(inputs_);
    }

    /// Convolution over the tokens, including those of the previous batch.
    TensorId convolve(TensorId x, TensorId before) {
        const std::int64_t width = g_[x].ne[0];
        const TensorId window = s_.with_last_inputs(x, before, inputs_, kernel_);
        const TensorId sums =
            g_.ssm_conv(window, b_.block_weight(layer_, "ssm_conv1d.weight", {kernel_, width, 1, 1}));
        const TensorId bias = b_.block_weight(layer_, "ssm_conv1d.bias", {width, 1, 1, 1});
        return g_.unary(UnaryKind::silu, g_.add(sums, bias));
    }

    /// x [head, heads, tokens, sequences]; returns results followed by new states.
    TensorId scan(TensorId x, TensorId dt, TensorId a, TensorId b, TensorId c) {
        const Shape ne = g_[x].ne;
        const TensorId states = s_.tensor(layer_, "s", state_ * inner_);
        const TensorId result = s_.read(states, [&](TensorId rows, TensorId wanted) {
            const TensorId by_head = g_.reshape(rows, {state_, ne[0], ne[1], b_.states()});
            return g_.ssm_scan(by_head, x, dt, a, b, c, wanted);
        });
        s_.write(g_.view_1d(result, state_ * inner_ * s_.sequences(), inner_ * b_.tokens() * kFloat), states);
        return result;
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t kernel_;
    std::int64_t inner_;
    std::int64_t state_;
    std::int64_t rank_;
    TensorId inputs_;
};

class Mamba1 : MambaLayer {
 public:
    using MambaLayer::MambaLayer;

    TensorId build(TensorId x) {
        const TensorId before = read_inputs(inner_);
        const TensorId both = b_.project(s_.by_sequence(x), layer_, "ssm_in", 2 * inner_, {}, {});
        const TensorId input = row_part(g_, both, 0, inner_);
        const TensorId gate = row_part(g_, both, inner_, inner_);
        const TensorId convolved = convolve(input, before);
        const TensorId scanned = select(convolved);
        const TensorId skip = g_.mul(convolved, b_.block_weight(layer_, "ssm_d", {inner_, 1, 1, 1}));
        const TensorId gated = g_.glu(GluKind::swiglu, g_.cont(gate), g_.add(scanned, skip));
        return s_.joined(b_.project(gated, layer_, "ssm_out", b_.width(), {}, {}));
    }

 private:
    TensorId select(TensorId x) {
        const TensorId parts = b_.project(x, layer_, "ssm_x", rank_ + 2 * state_, {}, {});
        const TensorId dt_low = row_part(g_, parts, 0, rank_);
        const TensorId b_raw = row_heads(g_, parts, rank_, state_, 1);
        const TensorId c_raw = row_heads(g_, parts, rank_ + state_, state_, 1);
        TensorId dt_rows = normalised(dt_low, "ssm_dt_norm");
        if (dt_rows == dt_low) dt_rows = g_.cont(dt_low);
        const TensorId b = normalised(b_raw, "ssm_b_norm");
        const TensorId c = normalised(c_raw, "ssm_c_norm");
        const TensorId dt = b_.project(dt_rows, layer_, "ssm_dt", inner_, {}, {});
        const std::int64_t tokens = s_.tokens_per_sequence();
        const TensorId heads = g_.reshape(x, {1, inner_, tokens, s_.sequences()});
        const TensorId result =
            scan(heads, dt, b_.block_weight(layer_, "ssm_a", {state_, inner_, 1, 1}), b, c);
        return g_.view_3d(result, inner_, tokens, s_.sequences(), inner_ * kFloat, tokens * inner_ * kFloat,
                          0);
    }
};

class Mamba2 : MambaLayer {
 public:
    using MambaLayer::MambaLayer;

    TensorId build(TensorId x) {
        const std::int64_t groups = b_.keys().required("ssm.group_count");
        const std::int64_t heads = rank_;
        const std::int64_t head = inner_ / heads;
        const std::int64_t width = inner_ + 2 * groups * state_;
        const TensorId before = read_inputs(width);
        const TensorId all = s_.by_sequence(b_.project(x, layer_, "ssm_in", inner_ + width + heads, {}, {}));
        const TensorId gate = row_heads(g_, all, 0, head, heads);
        const TensorId input = row_part(g_, all, inner_, width);
        const TensorId dt_raw = row_part(g_, all, inner_ + width, heads);
        const TensorId parts = convolve(input, before);
        const TensorId values = row_heads(g_, parts, 0, head, heads);
        const TensorId b = row_heads(g_, parts, inner_, state_, groups);
        const TensorId c = row_heads(g_, parts, inner_ + groups * state_, state_, groups);
        const TensorId dt = g_.add(g_.cont(dt_raw), b_.block_weight(layer_, "ssm_dt.bias", {heads, 1, 1, 1}));
        const TensorId result = scan(values, dt, b_.block_weight(layer_, "ssm_a", {1, heads, 1, 1}), b, c);

        const std::int64_t tokens = s_.tokens_per_sequence();
        const std::int64_t row = g_[values].nb[1];
        TensorId y = g_.view(result, {head, heads, tokens, s_.sequences()},
                             {kFloat, row, heads * row, tokens * heads * row}, 0);
        y = g_.add(y, g_.mul(values, b_.block_weight(layer_, "ssm_d", {1, heads, 1, 1})));
        b_.named(y, "mamba2_y_add_d", layer_);
        y = g_.glu(GluKind::swiglu, g_.cont(gate), y);
        const std::int64_t size = inner_ / groups;
        if (b_.block_has(layer_, "ssm_norm.weight")) {
            y = g_.reshape(y, {size, groups, tokens, s_.sequences()});
            y = b_.rms_norm(y, b_.block_weight(layer_, "ssm_norm.weight", {size, groups, 1, 1}), {}, layer_);
        }
        y = g_.reshape(y, {inner_, b_.tokens(), 1, 1});
        return b_.project(y, layer_, "ssm_out", b_.width(), "mamba_out", {});
    }
};

}  // namespace

TensorId mamba_layer(RecurrentStates& states, TensorId x, std::int32_t layer) {
    return Mamba1(states, layer).build(x);
}

TensorId mamba2_layer(RecurrentStates& states, TensorId x, std::int32_t layer) {
    return Mamba2(states, layer).build(x);
}

TensorId unit_rows(ModelBuilder& b, TensorId x) {
    GraphBuilder& g = b.graph();
    const auto width = static_cast<float>(g[x].ne[0]);
    return g.scale(g.rms_norm(x, b.hyperparameters().rms_epsilon / width), 1.0F / std::sqrt(width));
}

TensorId delta_rule(RecurrentStates& states, const Heads& heads, TensorId gate, TensorId beta, TensorId state,
                    TensorId all_states, std::int32_t layer, bool contiguous) {
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

}  // namespace splitscope
