// SPDX-License-Identifier: MIT
#include "engine/models/gated_streams.hpp"

#include <fmt/format.h>

#include "engine/models/messages.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {

GatedStreams::GatedStreams(ModelBuilder& builder)
    : ResidualStreams(builder, kMaxResidualStreams),
      rank_(builder.keys().required("hyper_connection.low_rank")) {
    if (count_ < 2) builder.keys().refuse("hyper_connection.count", msg::kNothingToMix);
}

GatedStreams::Gates GatedStreams::gates(TensorId x, TensorId norm, TensorId down, TensorId up,
                                        std::int32_t layer) {
    const std::int64_t tokens = g_[x].ne[2];
    const TensorId scaled = g_.mul(g_.rms_norm(x, b_.hyperparameters().rms_epsilon), norm);
    const TensorId normed =
        b_.named(g_.reshape(scaled, {b_.width() * count_, tokens, 1, 1}), "hc_norm", layer);
    const TensorId low = g_.scale(g_.mul_mat(down, normed), 1.0F / static_cast<float>(count_));
    const TensorId gate = b_.named(g_.mul_mat(up, g_.unary(UnaryKind::silu, low)), "hc_gate", layer);
    return {normed, gate};
}

TensorId GatedStreams::mean_of_gated(const Gates& gates) {
    const std::int64_t width = b_.width();
    const std::int64_t tokens = g_[gates.normed].ne[1];
    const TensorId product = g_.mul(gates.normed, g_.unary(UnaryKind::sigmoid, gates.gate));
    const TensorId all = g_.reshape(product, {width, count_, tokens, 1});
    const auto stream = [&](std::int64_t i) {
        return g_.view_2d(all, width, tokens, width * count_ * kFloat, i * width * kFloat);
    };
    TensorId sum = g_.cont(stream(0));
    for (std::int64_t i = 1; i < count_; ++i) sum = g_.add(sum, stream(i));
    return g_.scale(sum, 1.0F / static_cast<float>(count_));
}

GatedStreams::Read GatedStreams::read(TensorId x, std::int32_t layer, std::string_view part) {
    const std::int64_t width = b_.width();
    const std::int64_t all = width * count_;
    const TensorId norm =
        b_.reshaped_weight(layer, fmt::format("{}_norm.weight", part), {width, count_, 1, 1});
    const TensorId down = weight(layer, part, "down", {all, rank_, 1, 1});
    const TensorId up = weight(layer, part, "up", {rank_, all, 1, 1});
    const Gates gated = gates(x, norm, down, up, layer);
    const Shape streams{width, count_, g_[x].ne[2], 1};
    Read read;
    if (b_.is_unfused(Op::dsv4_hc_pre)) {
        read.mixed = mean_of_gated(gated);
    } else {
        read.mixed = g_.hc_pre_gated(g_.reshape(gated.normed, streams), g_.reshape(gated.gate, streams),
                                     1.0F / static_cast<float>(count_));
        b_.note_fused(layer, read.mixed);
    }
    b_.named(read.mixed, "hc_mixed", layer);
    read.weights = b_.named(g_.mul_mat(weight(layer, part, "inject", {all, count_, 1, 1}), gated.normed),
                            "hc_inject", layer);
    return read;
}

TensorId GatedStreams::write(TensorId x, TensorId result, TensorId weights, std::int32_t layer) {
    const std::int64_t tokens = g_[x].ne[2];
    // A weight of 1 is the plain sum.
    const TensorId open = g_.unary(UnaryKind::sigmoid, g_.scale(weights, 1.0F / static_cast<float>(count_)));
    const TensorId by_stream = g_.scale(open, 2.0F);
    if (!b_.is_unfused(Op::dsv4_hc_post)) {
        const TensorId sum = g_.hc_post(result, x, by_stream);
        b_.note_fused(layer, sum);
        return b_.named(sum, "hc_combine", layer);
    }
    const TensorId factors = g_.reshape(by_stream, {1, count_, tokens, 1});
    const TensorId one = g_.reshape(result, {b_.width(), 1, tokens, 1});
    const TensorId many = g_.repeat(one, {b_.width(), count_, tokens, 1});
    return b_.named(g_.add(x, g_.mul(many, factors)), "hc_combine", layer);
}

TensorId GatedStreams::end(TensorId x) {
    const std::int64_t all = b_.width() * count_;
    const TensorId norm = b_.reshaped_output_weight("output_hc_norm.weight", {b_.width(), count_, 1, 1});
    const TensorId down = b_.output_weight("output_hc_down.weight", {all, rank_, 1, 1});
    const TensorId up = b_.output_weight("output_hc_up.weight", {rank_, all, 1, 1});
    return b_.named(mean_of_gated(gates(x, norm, down, up, -1)), "hc_mixed");
}

}  // namespace splitscope
