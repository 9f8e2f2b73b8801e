// SPDX-License-Identifier: MIT
// Linear attention with a state per head; inputs are mixed with those of the previous token (token shift).
#include <cmath>

#include <fmt/format.h>

#include "engine/models/feed_forward.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {
namespace {

constexpr float kHeadNormEpsilon = 64e-5F;

class RwkvBlock {
 public:
    RwkvBlock(RecurrentStates& states, std::int32_t layer)
        : s_(states),
          b_(states.builder()),
          g_(states.builder().graph()),
          layer_(layer),
          width_(b_.width()),
          head_(b_.keys().required("wkv.head_size")),
          heads_(width_ / head_) {}

    /// Reads the state left by the tokens before the batch: [width, shifts, sequences].
    TensorId load_shifts(std::int64_t shifts) {
        shifts_ = s_.tensor(layer_, "r", shifts * width_);
        return g_.reshape(s_.read(shifts_), {width_, shifts, s_.sequences(), 1});
    }
    void store_shifts(TensorId x) { s_.write(g_.view_1d(x, g_[shifts_].ne[0] * s_.sequences(), 0), shifts_); }
    TensorId shift(TensorId shifts, std::int64_t which) {
        const Tensor t = g_[shifts];
        return g_.view_3d(shifts, width_, 1, s_.sequences(), t.nb[1], t.nb[2], which * width_ * kFloat);
    }
    /// The inputs one token earlier.
    TensorId before(TensorId first, TensorId x) {
        const Tensor t = g_[x];
        const TensorId others =
            g_.view_3d(x, width_, s_.tokens_per_sequence() - 1, s_.sequences(), t.nb[1], t.nb[2], 0);
        return g_.concat(first, others, 1);
    }
    TensorId last(TensorId x) {
        const Tensor t = g_[x];
        return g_.view_3d(x, width_, 1, s_.sequences(), t.nb[1], t.nb[2],
                          (s_.tokens_per_sequence() - 1) * width_ * kFloat);
    }

    TensorId time_mix6(TensorId x, TensorId previous, std::int64_t kv_heads);
    TensorId time_mix7(TensorId x, TensorId previous, TensorId& first_value);
    TensorId channel_mix(TensorId x, TensorId previous, bool received);

 private:
    TensorId weight(std::string_view name, const Shape& ne) {
        return b_.block_weight(layer_, fmt::format("{}.weight", name), ne);
    }
    TensorId vector(std::string_view name) { return weight(name, {width_, 1, 1, 1}); }
    bool has(std::string_view name) const { return b_.block_has(layer_, fmt::format("{}.weight", name)); }
    TensorId times(std::string_view name, TensorId x, std::int64_t out) {
        return g_.mul_mat(weight(name, {g_[x].ne[0], out, 1, 1}), x);
    }
    /// Through a narrow layer.
    TensorId low_rank(TensorId x, std::string_view down, std::string_view up, UnaryKind kind) {
        return times(up, g_.unary(kind, narrow(x, down)), width_);
    }
    TensorId low_rank(TensorId x, std::string_view down, std::string_view up) {
        return times(up, narrow(x, down), width_);
    }
    TensorId narrow(TensorId x, std::string_view down) {
        return times(down, x, b_.block_rows(layer_, fmt::format("{}.weight", down)));
    }
    /// One of the mixed inputs that lie one behind the other.
    TensorId mixed(TensorId all, std::int64_t which) {
        return g_.view_2d(all, width_, b_.tokens(), g_[all].nb[1], which * width_ * b_.tokens() * kFloat);
    }
    TensorId by_head(TensorId x) { return g_.reshape(x, {head_, heads_, b_.tokens(), 1}); }
    TensorId flat(TensorId x) { return g_.reshape(x, {width_, b_.tokens(), 1, 1}); }
    /// The operation's results; its new states become those of the layer.
    TensorId results(TensorId all, TensorId states) {
        const TensorId values = g_.view_1d(all, width_ * b_.tokens(), 0);
        s_.write(g_.view_1d(all, width_ * head_ * s_.sequences(), width_ * b_.tokens() * kFloat), states);
        return values;
    }
    TensorId normalised_heads(TensorId x) {
        const TensorId normed = flat(g_.norm(by_head(x), kHeadNormEpsilon));
        const TensorId bias = b_.block_vector(layer_, "time_mix_ln.bias");
        return g_.add(g_.mul(normed, vector("time_mix_ln")), bias);
    }
    TensorId biased(std::string_view part, TensorId x, std::int64_t out) {
        const TensorId product = times(part, x, out);
        const TensorId bias = b_.optional_weight(layer_, fmt::format("{}.bias", part), {out, 1, 1, 1});
        return bias.valid() ? g_.add(product, bias) : product;
    }
    /// Repeats each head of keys for the heads that share it.
    TensorId spread(TensorId x, std::int64_t kv_heads) {
        if (kv_heads == 0 || kv_heads == heads_) return x;
        const TensorId one = g_.reshape(x, {head_, 1, kv_heads, b_.tokens()});
        return g_.repeat(one, {head_, heads_ / kv_heads, kv_heads, b_.tokens()});
    }

    RecurrentStates& s_;
    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    std::int64_t width_;
    std::int64_t head_;
    std::int64_t heads_;
    TensorId shifts_;
};

TensorId RwkvBlock::time_mix6(TensorId x, TensorId previous, std::int64_t kv_heads) {
    // Without a bonus for the first token it is the linear attention of converted Qwen 2 models.
    const bool converted = !has("time_mix_first");
    TensorId difference = flat(g_.sub(previous, x));
    x = flat(x);
    constexpr std::int64_t kMixed = 5;
    TensorId all = g_.add(g_.mul(difference, vector("time_mix_lerp_x")), x);
    const std::int64_t rank = b_.block_rows(layer_, "time_mix_w1.weight") / kMixed;
    all = g_.unary(UnaryKind::tanh, narrow(all, "time_mix_w1"));
    all = g_.reshape(all, {rank, 1, kMixed, b_.tokens()});
    all = g_.cont(g_.permute(all, {0, 1, 3, 2}));
    const TensorId up = weight("time_mix_w2", {rank, width_, kMixed, 1});
    all = g_.mul_mat(g_.reshape(up, {rank, width_, 1, kMixed}), all);
    difference = g_.reshape(difference, {width_, 1, b_.tokens(), 1});
    x = g_.reshape(x, {width_, 1, b_.tokens(), 1});
    const TensorId lerp = weight("time_mix_lerp_fused", {width_, 1, 1, kMixed});
    all = g_.add(g_.mul(g_.add(all, lerp), difference), x);
    const TensorId for_decay = mixed(all, 0);
    const TensorId for_key = mixed(all, 1);
    const TensorId for_value = mixed(all, 2);
    const TensorId for_receptance = mixed(all, 3);
    const TensorId for_gate = mixed(all, 4);
    const std::int64_t key_width = kv_heads == 0 ? width_ : kv_heads * head_;
    const TensorId r = biased("time_mix_receptance", for_receptance, width_);
    TensorId k = biased("time_mix_key", for_key, key_width);
    TensorId v = biased("time_mix_value", for_value, key_width);
    const TensorId gate =
        g_.unary(converted ? UnaryKind::sigmoid : UnaryKind::silu, times("time_mix_gate", for_gate, width_));
    k = by_head(spread(k, kv_heads));
    v = by_head(spread(v, kv_heads));
    const TensorId query = by_head(r);
    TensorId decay = low_rank(for_decay, "time_mix_decay_w1", "time_mix_decay_w2", UnaryKind::tanh);
    decay = g_.unary(UnaryKind::exp, g_.add(decay, vector("time_mix_decay")));
    decay = by_head(g_.unary(UnaryKind::exp, g_.unary(UnaryKind::neg, decay)));
    if (converted) k = g_.sub(k, g_.mul(k, decay));
    const TensorId states = s_.tensor(layer_, "s", width_ * head_);
    const TensorId state = s_.read(states);
    TensorId out;
    if (converted) {
        const float scale = std::pow(static_cast<float>(head_), -0.5F);
        out = flat(results(g_.gated_linear_attention(k, v, query, decay, state, scale), states));
    } else {
        const TensorId bonus = weight("time_mix_first", {head_, heads_, 1, 1});
        out = normalised_heads(results(g_.rwkv_wkv6(k, v, query, bonus, decay, state), states));
    }
    out = times("time_mix_output", g_.mul(out, gate), width_);
    return s_.by_sequence(out);
}

TensorId RwkvBlock::time_mix7(TensorId x, TensorId previous, TensorId& first_value) {
    const bool gated = has("time_mix_g1") && has("time_mix_g2");
    const std::int64_t kMixed = gated ? 6 : 5;
    const TensorId difference = g_.sub(previous, x);
    const TensorId many = g_.repeat(difference, {width_, s_.tokens_per_sequence(), s_.sequences(), kMixed});
    const TensorId all = g_.add(g_.mul(many, weight("time_mix_lerp_fused", {width_, 1, 1, kMixed})), x);
    const TensorId for_receptance = mixed(all, 0);
    const TensorId for_decay = mixed(all, 1);
    const TensorId for_key = mixed(all, 2);
    const TensorId for_value = mixed(all, 3);
    const TensorId for_rate = mixed(all, 4);
    const TensorId for_gate = gated ? mixed(all, 5) : TensorId{};
    const TensorId r = by_head(times("time_mix_receptance", for_receptance, width_));
    constexpr float kDecayRange = -0.606531F;
    TensorId decay =
        g_.add(low_rank(for_decay, "time_mix_w1", "time_mix_w2", UnaryKind::tanh), vector("time_mix_w0"));
    decay = by_head(g_.unary(UnaryKind::exp, g_.scale(g_.unary(UnaryKind::sigmoid, decay), kDecayRange)));
    TensorId k = times("time_mix_key", for_key, width_);
    TensorId v = times("time_mix_value", for_value, width_);
    if (!first_value.valid()) {
        first_value = v;
    } else {
        const TensorId rest = g_.sub(first_value, v);
        const TensorId share =
            g_.unary(UnaryKind::sigmoid,
                     g_.add(low_rank(for_value, "time_mix_v1", "time_mix_v2"), vector("time_mix_v0")));
        v = g_.add(v, g_.mul(rest, share));
    }
    TensorId gate;
    if (gated) gate = low_rank(for_gate, "time_mix_g1", "time_mix_g2", UnaryKind::sigmoid);
    const TensorId rate = g_.unary(
        UnaryKind::sigmoid, g_.add(low_rank(for_rate, "time_mix_a1", "time_mix_a2"), vector("time_mix_a0")));
    constexpr float kMinLength = 1e-12F;
    const TensorId removal = g_.l2_norm(by_head(g_.mul(k, vector("time_mix_k_k"))), kMinLength);
    const TensorId replaced = g_.mul(k, vector("time_mix_k_a"));
    k = by_head(g_.add(k, g_.sub(g_.mul(rate, replaced), replaced)));
    v = by_head(v);
    const TensorId rates = by_head(rate);
    const TensorId states = s_.tensor(layer_, "s", width_ * head_);
    const TensorId state = s_.read(states);
    const TensorId negative = g_.unary(UnaryKind::neg, removal);
    const TensorId result =
        results(g_.rwkv_wkv7(r, decay, k, v, negative, g_.mul(removal, rates), state), states);
    const bool normalises = has("time_mix_ln") && b_.block_has(layer_, "time_mix_ln.bias");
    TensorId out = normalises ? normalised_heads(result) : flat(result);
    const TensorId bonus = g_.reshape(vector("time_mix_r_k"), {head_, heads_, 1, 1});
    const TensorId shares = g_.sum_rows(g_.mul(g_.mul(k, r), bonus));
    out = g_.add(out, flat(g_.mul(v, shares)));
    if (gated) out = g_.mul(out, gate);
    return s_.by_sequence(times("time_mix_output", out, width_));
}

TensorId RwkvBlock::channel_mix(TensorId x, TensorId previous, bool received) {
    const TensorId difference = g_.sub(previous, x);
    const TensorId for_key = g_.add(g_.mul(difference, vector("channel_mix_lerp_k")), x);
    const std::int64_t hidden = b_.block_rows(layer_, "channel_mix_key.weight");
    const auto value = [&] {
        const TensorId k = g_.sqr(g_.unary(UnaryKind::relu, times("channel_mix_key", for_key, hidden)));
        return times("channel_mix_value", k, width_);
    };
    if (!received) return value();
    const TensorId for_receptance = g_.add(g_.mul(difference, vector("channel_mix_lerp_r")), x);
    const TensorId r = g_.unary(UnaryKind::sigmoid, times("channel_mix_receptance", for_receptance, width_));
    return g_.mul(r, value());
}

/// Versions 6 and 7: time mix and channel mix, each with a token shift.
ModelGraph rwkv(ModelBuilder& b, bool seventh) {
    GraphBuilder& g = b.graph();
    const Shape row{b.width(), 1, 1, 1};
    TensorId x = b.embed_tokens();
    x = b.layer_norm(x, b.weight(0, "token_embd_norm.weight", row), b.weight(0, "token_embd_norm.bias", row),
                     {}, 0);
    RecurrentStates states(b);
    const auto rescaled = static_cast<std::int32_t>(b.keys().number_or("rescale_every_n_layers", 0));
    const std::int64_t kv_heads = b.keys().number_or("attention.head_count_kv", 0);
    TensorId first_value;
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        RwkvBlock block(states, layer);
        x = states.by_sequence(x);
        const TensorId shifts = block.load_shifts(2);
        const TensorId time_shift = block.shift(shifts, 0);
        const TensorId channel_shift = block.shift(shifts, 1);
        const TensorId ready = b.block_norm(NormKind::layer, x, layer, "attn_norm");
        const TensorId previous = block.before(time_shift, ready);
        const TensorId mixed = seventh ? block.time_mix7(ready, previous, first_value)
                                       : block.time_mix6(ready, previous, kv_heads);
        TensorId input = b.named(g.add(mixed, x), "ffn_inp", layer);
        TensorId normed = b.block_norm(NormKind::layer, input, layer, "attn_norm_2", "ffn_norm");
        TensorId before = block.before(channel_shift, normed);
        block.store_shifts(g.concat(block.last(ready), block.last(normed), 1));
        input = states.joined(input);
        normed = states.joined(normed);
        before = states.joined(before);
        if (b.is_last(layer)) {
            input = b.keep_outputs(input);
            normed = b.keep_outputs(normed);
            before = b.keep_outputs(before);
        }
        x = g.add(block.channel_mix(normed, before, !seventh), input);
        if (!seventh && rescaled != 0 && (layer + 1) % rescaled == 0) x = g.scale(x, 0.5F);
        b.named(x, "l_out", layer);
    }
    return b.finish_with_logits(x, NormKind::layer);
}

/// The same linear attention in converted Qwen 2 models: one token shift, and their feed-forward.
ModelGraph converted(ModelBuilder& b, bool seventh) {
    GraphBuilder& g = b.graph();
    TensorId x = b.embed_tokens();
    RecurrentStates states(b);
    const std::int64_t kv_heads = b.keys().number_or("attention.head_count_kv", 0);
    TensorId first_value;
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        RwkvBlock block(states, layer);
        x = states.by_sequence(x);
        const TensorId shifts = block.load_shifts(1);
        const TensorId ready = b.block_rms_norm(x, layer, "attn_norm");
        const TensorId previous = block.before(shifts, ready);
        const TensorId mixed = seventh ? block.time_mix7(ready, previous, first_value)
                                       : block.time_mix6(ready, previous, kv_heads);
        block.store_shifts(block.last(ready));
        TensorId input = states.joined(b.named(g.add(mixed, x), "ffn_inp", layer));
        if (b.is_last(layer)) input = b.keep_outputs(input);
        const TensorId fed = feed_forward(b, b.block_rms_norm(input, layer, "ffn_norm"), layer);
        x = b.named(g.add(fed, input), "l_out", layer);
    }
    return b.finish_with_logits(x, seventh ? NormKind::rms : NormKind::rms_biased);
}

}  // namespace

ModelGraph rwkv6(ModelBuilder& b) {
    return rwkv(b, false);
}

ModelGraph rwkv7(ModelBuilder& b) {
    return rwkv(b, true);
}

ModelGraph rwkv6qwen2(ModelBuilder& b) {
    return converted(b, false);
}

ModelGraph arwkv7(ModelBuilder& b) {
    return converted(b, true);
}

}  // namespace splitscope::graphs
