// SPDX-License-Identifier: MIT
#include "engine/models/feed_forward.hpp"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// The sum of weights is kept from becoming zero: the smallest normal F16 number.
constexpr float kLeastWeightSum = 6.103515625e-5F;

/// Constants of the activation of gpt-oss.
constexpr float kOaiAlpha = 1.702F;
constexpr float kOaiLimit = 7.0F;

/// One use of a mixture in a layer.
class Mixture {
 public:
    Mixture(ModelBuilder& builder, std::int32_t layer, const MixtureOptions& options)
        : b_(builder),
          g_(builder.graph()),
          layer_(layer),
          options_(options),
          experts_(builder.hyperparameters().experts),
          used_(builder.hyperparameters().experts_used) {}

    TensorId build(TensorId x) {
        const std::int64_t tokens = g_[x].ne[1];
        const TensorId scores = route(x);
        const TensorId order = b_.named(g_.argsort(scores, true), "ffn_moe_argsort", layer_);
        chosen_ = b_.named(g_.view_2d(order, used_, tokens, g_[order].nb[1], 0), "ffn_moe_topk", layer_);
        const TensorId weights = weigh(scores, tokens);
        expand(weights);

        const TensorId rows = g_.reshape(x, {b_.width(), 1, tokens, 1});
        const std::int64_t hidden = b_.block_rows(layer_, "ffn_up_exps.weight");
        const TensorId gate = expert_product(rows, "ffn_gate_exps", hidden, "ffn_moe_gate");
        const TensorId up = expert_product(rows, "ffn_up_exps", hidden, "ffn_moe_up");
        const TensorId down = expert_product(activate(gate, up), "ffn_down_exps", b_.width(), "ffn_moe_down");
        return add_up(g_.mul(down, weights), tokens);
    }

 private:
    /// Lists a step before those that only later ones need; in 2025-02 all came in the order of their use.
    void expand(TensorId id) {
        if (!b_.is_2025_02()) g_.expand(id);
    }

    TensorId route(TensorId x) {
        const TensorId logits =
            b_.project(x, layer_, "ffn_gate_inp", experts_, "ffn_moe_logits", "ffn_moe_probs");
        if (options_.softmax_of_chosen) return logits;
        return b_.named(g_.soft_max(logits, {}, 1.0F), "ffn_moe_probs", layer_);
    }

    TensorId weigh(TensorId scores, std::int64_t tokens) {
        const TensorId columns = g_.reshape(scores, {1, experts_, tokens, 1});
        const TensorId picked = b_.named(g_.get_rows(columns, chosen_), "ffn_moe_weights", layer_);
        const TensorId rows = g_.reshape(picked, {used_, tokens, 1, 1});
        const Shape spread{1, used_, tokens, 1};
        if (options_.softmax_of_chosen) {
            return b_.named(g_.reshape(g_.soft_max(rows, {}, 1.0F), spread), "ffn_moe_weights_softmax",
                            layer_);
        }
        const TensorId sum = b_.named(g_.sum_rows(rows), "ffn_moe_weights_sum", layer_);
        if (b_.is_2025_02())
            return g_.reshape(b_.named(g_.div(rows, sum), "ffn_moe_weights_norm", layer_), spread);
        const TensorId clamped =
            b_.named(g_.clamp(sum, kLeastWeightSum, std::numeric_limits<float>::infinity()),
                     "ffn_moe_weights_sum_clamped", layer_);
        return g_.reshape(b_.named(g_.div(rows, clamped), "ffn_moe_weights_norm", layer_), spread);
    }

    TensorId expert_product(TensorId x, const std::string& part, std::int64_t out, const std::string& name) {
        const TensorId weight = b_.block_weight(layer_, part + ".weight", {g_[x].ne[0], out, experts_, 1});
        const TensorId product = b_.named(g_.mul_mat_id(weight, x, chosen_), name, layer_);
        if (!b_.has(b_.block_name(layer_, part + ".bias"))) return product;
        const TensorId bias = b_.block_weight(layer_, part + ".bias", {out, experts_, 1, 1});
        return b_.named(g_.add_id(product, bias, chosen_), name + "_biased", layer_);
    }

    TensorId activate(TensorId gate, TensorId up) {
        if (options_.kind == GluKind::swiglu_oai) {
            return b_.named(g_.swiglu_oai(gate, up, kOaiAlpha, kOaiLimit), "ffn_moe_swiglu_oai", layer_);
        }
        return b_.gate_with(options_.kind, gate, up, "ffn_moe", layer_);
    }

    TensorId add_up(TensorId weighted, std::int64_t tokens) {
        if (!b_.is_2025_02()) b_.named(weighted, "ffn_moe_weighted", layer_);
        expand(weighted);
        const Shape nb = g_[weighted].nb;
        std::vector<TensorId> parts;
        for (std::int64_t i = 0; i < used_; ++i) {
            parts.push_back(g_.view_2d(weighted, b_.width(), tokens, nb[2], i * nb[1]));
            expand(parts.back());
        }
        TensorId sum = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            sum = g_.add(sum, parts[i]);
            if (i + 1 < parts.size()) expand(sum);
        }
        // The rows of a single expert are made contiguous for what follows.
        if (parts.size() == 1) sum = g_.cont(sum);
        return b_.named(sum, "ffn_moe_out", layer_);
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    MixtureOptions options_;
    std::int64_t experts_;
    std::int64_t used_;
    TensorId chosen_;
};

}  // namespace

TensorId gated_feed_forward(ModelBuilder& b, TensorId x, std::int32_t layer, GluKind kind) {
    const std::int64_t hidden = b.block_rows(layer, "ffn_up.weight");
    const TensorId gate = b.project(x, layer, "ffn_gate", hidden, "ffn_gate", "ffn_gate_b");
    const TensorId up = b.project(x, layer, "ffn_up", hidden, "ffn_up", "ffn_up_b");
    const TensorId gated = b.gate_with(kind, gate, up, "ffn", layer);
    return b.project(gated, layer, "ffn_down", b.width(), "ffn_out", "ffn_out");
}

TensorId mixture_of_experts(ModelBuilder& b, TensorId x, std::int32_t layer, const MixtureOptions& options) {
    return Mixture(b, layer, options).build(x);
}

}  // namespace splitscope
