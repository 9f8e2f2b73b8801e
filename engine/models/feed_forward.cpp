// SPDX-License-Identifier: MIT
#include "engine/models/feed_forward.hpp"

#include <limits>

#include <fmt/format.h>

namespace splitscope {
namespace {

std::string_view suffix_of(Activation activation) {
    switch (activation) {
        case Activation::gelu:
            return "gelu";
        case Activation::relu:
        case Activation::relu_squared:
            return "relu";
        case Activation::swiglu_oai:
            return "swiglu_oai";
        case Activation::situ:
            return "situ";
        case Activation::silu:
            break;
    }
    return "silu";
}

GluKind gate_of(Activation activation) {
    switch (activation) {
        case Activation::gelu:
            return GluKind::geglu;
        case Activation::relu:
        case Activation::relu_squared:
            return GluKind::reglu;
        case Activation::swiglu_oai:
        case Activation::situ:
        case Activation::silu:
            break;
    }
    return GluKind::swiglu;
}

UnaryKind unary_of(Activation activation) {
    switch (activation) {
        case Activation::gelu:
            return UnaryKind::gelu;
        case Activation::relu:
        case Activation::relu_squared:
            return UnaryKind::relu;
        case Activation::swiglu_oai:
        case Activation::situ:
        case Activation::silu:
            break;
    }
    return UnaryKind::silu;
}

float limit_of(const ModelBuilder& b, const Limits& limits, std::int32_t layer) {
    if (limits.key.empty()) return 0.0F;
    const auto layers = b.hyperparameters().shape.layers;
    return b.keys().decimals_per_layer(limits.key, layers, limits.fallback)[static_cast<std::size_t>(layer)];
}

/// Activation constants of gpt-oss.
constexpr float kOaiAlpha = 1.702F;
constexpr float kOaiLimit = 7.0F;
/// Up to this, limits clamp nothing.
constexpr float kSmallestLimit = 1e-6F;

}  // namespace

TensorId gate_activated(ModelBuilder& b, TensorId gate, TensorId value, std::string_view prefix,
                        std::int32_t layer, Activation activation, const Limits& limits) {
    if (const float limit = limit_of(b, limits, layer); limit > kSmallestLimit) {
        GraphBuilder& g = b.graph();
        const std::string name = fmt::format("{}_swiglu_limited", prefix);
        if (limits.fused) return b.named(g.swiglu_clamp(gate, value, limit), name, layer);
        constexpr float kLowest = -std::numeric_limits<float>::infinity();
        const TensorId open = activate(b, gate, prefix, layer, activation);
        const TensorId low = b.named(g.clamp(open, kLowest, limit),
                                     fmt::format("{}_{}_clamped", prefix, suffix_of(activation)), layer);
        const TensorId cut =
            b.named(g.clamp(value, -limit, limit), fmt::format("{}_up_clamped", prefix), layer);
        return b.named(g.mul(low, cut), name, layer);
    }
    if (activation == Activation::situ)
        return b.named(situ(b, gate, value), fmt::format("{}_situ", prefix), layer);
    if (activation == Activation::swiglu_oai)
        return b.named(b.graph().swiglu_oai(gate, value, kOaiAlpha, kOaiLimit),
                       fmt::format("{}_swiglu_oai", prefix), layer);
    return b.gate_with(gate_of(activation), gate, value, prefix, layer);
}

TensorId situ(ModelBuilder& b, TensorId gate, TensorId value) {
    constexpr std::string_view kLinear = "activation.situ_linear_beta";
    GraphBuilder& g = b.graph();
    const auto squashed = [&](TensorId x, std::string_view key) {
        const float width = b.keys().decimal(key, 1.0F);
        if (width <= 0.0F && key == kLinear) return x;
        return g.scale(g.unary(UnaryKind::tanh, g.scale(x, 1.0F / width)), width);
    };
    const TensorId open = g.mul(squashed(gate, "activation.situ_beta"), g.unary(UnaryKind::sigmoid, gate));
    return g.mul(open, squashed(value, kLinear));
}

TensorId activate(ModelBuilder& b, TensorId x, std::string_view prefix, std::int32_t layer,
                  Activation activation) {
    const TensorId active = b.graph().unary(unary_of(activation), x);
    b.named(active, fmt::format("{}_{}", prefix, suffix_of(activation)), layer);
    if (activation != Activation::relu_squared) return active;
    return b.named(b.graph().sqr(active), fmt::format("{}_sqr(relu)", prefix), layer);
}

TensorId feed_product(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view part,
                      std::int64_t rows, std::string_view name) {
    const TensorId product = b.unscaled_product(x, layer, part, rows, name);
    const TensorId biased = b.biased(product, layer, part, fmt::format("{}_b", name));
    const TensorId scaled = b.scaled(biased, layer, part);
    return scaled == biased ? biased : b.named(scaled, fmt::format("{}_s", name), layer);
}

TensorId feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer, const FeedForward& options) {
    if (options.optional && !b.block_has(layer, fmt::format("{}.weight", options.up))) {
        b.named(x, "ffn_up", layer);
        return b.named(b.graph().unary(unary_of(options.activation), x), options.name, layer);
    }
    const std::int64_t rows = b.block_rows(layer, fmt::format("{}.weight", options.up));
    const auto gate_product = [&] { return feed_product(b, x, layer, options.gate, rows, "ffn_gate"); };
    // The build order is irrelevant, because graph order follows the sources.
    const TensorId up = feed_product(b, x, layer, options.up, rows, "ffn_up");
    TensorId hidden;
    if (options.halves) {
        hidden = b.gate_halves(gate_of(options.activation), up, "ffn", layer);
    } else if (options.gated) {
        hidden = gate_activated(b, gate_product(), up, "ffn", layer, options.activation, options.limits);
    } else {
        hidden = activate(b, up, "ffn", layer, options.activation);
    }
    if (options.scaled_activation && b.block_has(layer, "ffn_act.scales"))
        hidden = b.named(b.graph().div(hidden, b.block_weight(layer, "ffn_act.scales", {rows, 1, 1, 1})),
                         "ffn_act", layer);
    const TensorId down = b.unscaled_product(hidden, layer, options.down, b.graph()[x].ne[0]);
    if (options.full_precision) b.set_full_precision(down);
    const TensorId result = b.biased(down, layer, options.down);
    // In graphs of 2025-02, both steps have the name of the result.
    if (result != down) b.named(down, b.is_2025_02() ? options.name : "ffn_down", layer);
    const TensorId scaled = b.scaled(result, layer, options.down);
    if (scaled != result) b.named(scaled, "ffn_down_s", layer);
    return b.named(scaled, options.name, layer);
}

FeedForward shared_expert(Activation activation) {
    return {.activation = activation,
            .up = "ffn_up_shexp",
            .gate = "ffn_gate_shexp",
            .down = "ffn_down_shexp",
            .name = "ffn_shexp"};
}

}  // namespace splitscope
