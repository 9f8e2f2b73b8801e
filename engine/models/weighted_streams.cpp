// SPDX-License-Identifier: MIT
#include "engine/models/weighted_streams.hpp"

namespace splitscope {

WeightedStreams::WeightedStreams(ModelBuilder& builder)
    : ResidualStreams(builder), epsilon_(builder.keys().decimal("hyper_connection.epsilon", 0.0F)) {}

TensorId WeightedStreams::mixes(TensorId x, TensorId weight, std::string_view name, std::int32_t layer) {
    const TensorId flat = g_.reshape(x, {b_.width() * count_, g_[x].ne[2], 1, 1});
    return b_.named(g_.mul_mat(weight, g_.rms_norm(flat, b_.hyperparameters().rms_epsilon)), name, layer);
}

TensorId WeightedStreams::scaled_mixes(TensorId mixes, TensorId scale, TensorId bias, std::int64_t which,
                                       std::int64_t size) {
    const std::int64_t first = which * count_;
    const Tensor all = g_[mixes];
    const TensorId part = g_.view_2d(mixes, size, all.ne[1], all.nb[1], first * kFloat);
    const TensorId scaled = g_.mul(part, g_.view_1d(scale, 1, which * kFloat));
    return g_.add(scaled, g_.view_1d(bias, size, first * kFloat));
}

TensorId WeightedStreams::output_weights(TensorId x) {
    const TensorId weight = b_.output_weight("output_hc_fn.weight", {count_ * b_.width(), count_, 1, 1});
    const TensorId product = mixes(x, weight, "hc_head_mixes", -1);
    const TensorId scaled = g_.mul(product, b_.output_weight("output_hc_scale.weight", {1, 1, 1, 1}));
    const TensorId sums = g_.add(scaled, b_.output_weight("output_hc_base.weight", {count_, 1, 1, 1}));
    return b_.named(g_.scale(g_.unary(UnaryKind::sigmoid, sums), 1.0F, epsilon_), "hc_head_pre");
}

TensorId WeightedStreams::stream(TensorId x, std::int64_t i) {
    const Tensor t = g_[x];
    return g_.view_2d(x, t.ne[0], t.ne[2], t.nb[2], i * t.nb[1]);
}

TensorId WeightedStreams::weight_of(TensorId weights, std::int64_t i) {
    const Tensor t = g_[weights];
    return g_.view_2d(weights, 1, t.ne[1], t.nb[1], i * t.nb[0]);
}

TensorId WeightedStreams::weighted_sum(TensorId x, TensorId weights) {
    TensorId sum;
    for (std::int64_t i = 0; i < count_; ++i) {
        const TensorId part = g_.mul(stream(x, i), weight_of(weights, i));
        sum = sum.valid() ? g_.add(sum, part) : part;
    }
    return sum;
}

TensorId WeightedStreams::joined(TensorId streams, TensorId next) {
    const TensorId row = g_.reshape(next, {b_.width(), 1, g_[next].ne[1], 1});
    return streams.valid() ? g_.concat(streams, row, 1) : row;
}

}  // namespace splitscope
