// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "engine/models/feed_forward.hpp"
#include "engine/models/messages.hpp"

namespace splitscope {
namespace {

constexpr float kUnbounded = std::numeric_limits<float>::infinity();

/// The smallest normal F16 number, a lower bound for the sum of weights.
constexpr float kMinWeightSum = 6.103515625e-5F;

/// A mixture in one layer.
class ExpertLayer {
 public:
    ExpertLayer(ModelBuilder& builder, std::int32_t layer, const Mixture& options)
        : b_(builder),
          g_(builder.graph()),
          layer_(layer),
          options_(options),
          routed_(builder.hyperparameters().experts),
          experts_(routed_ / std::max(options.experts_per_group, 1U)),
          used_(std::min<std::int64_t>(builder.hyperparameters().experts_used_in(layer), experts_)) {}

    TensorId build(TensorId x) {
        if (used_ == 0) b_.keys().refuse("expert_used_count", msg::kMissingOrZero);
        width_ = g_[x].ne[0];
        const std::int64_t tokens = g_[x].ne[1];
        const TensorId logits = options_.logits.valid() ? options_.logits : route(x);
        const TensorId scores = score(logits);
        chosen_ = options_.chosen.valid() ? named(options_.chosen, "ffn_moe_topk")
                                          : choose(selection(scores, logits), tokens);
        const TensorId weights = weigh(scores, tokens);
        expand(weights);

        TensorId rows = g_.reshape(x, {width_, 1, tokens, 1});
        if (options_.weight_inputs)
            rows = b_.named(g_.mul(g_.repeat(rows, {width_, used_, tokens, 1}), weights), "ffn_moe_weighted",
                            layer_);
        TensorId down = product(hidden(rows), options_.down, width_, "ffn_moe_down");
        if (options_.full_precision_down) b_.set_full_precision(down);
        if (!options_.weight_inputs) {
            down = g_.mul(down, weights);
            if (!b_.is_2025_02()) b_.named(down, "ffn_moe_weighted", layer_);
        }
        return add_up(down, tokens);
    }

 private:
    /// In 2025-02, steps were listed in order of use; later, one is listed before steps that only follow it.
    void expand(TensorId id) {
        if (!b_.is_2025_02()) g_.expand(id);
    }
    TensorId named(TensorId id, std::string_view name) { return b_.named(id, name, layer_); }

    TensorId route(TensorId x) {
        const bool scored = options_.routing == Routing::softmax_of_chosen;
        const TensorId logits = router_logits(b_, x, layer_, options_.router);
        if (options_.full_precision_router) b_.set_full_precision(logits);
        const TensorId bias =
            b_.optional_weight(layer_, fmt::format("{}.bias", options_.router), {experts_, 1, 1, 1});
        if (!bias.valid()) return logits;
        return named(g_.add(logits, bias), scored ? "ffn_moe_probs" : "ffn_moe_logits_biased");
    }

    TensorId score(TensorId logits) {
        switch (options_.routing) {
            case Routing::softmax_of_chosen:
                return named(logits, "ffn_moe_probs");
            case Routing::sigmoid:
                return named(g_.unary(UnaryKind::sigmoid, logits), "ffn_moe_probs");
            case Routing::sqrt_softplus:
                return named(g_.sqrt(g_.unary(UnaryKind::softplus, logits)), "ffn_moe_probs");
            case Routing::softmax:
                break;
        }
        return named(g_.soft_max(logits, {}, 1.0F), "ffn_moe_probs");
    }

    /// Scores by which experts are selected.
    TensorId selection(TensorId scores, TensorId logits) {
        if (options_.weight_inputs) return logits;
        if (options_.chooses_by_sigmoid)
            return named(g_.unary(UnaryKind::sigmoid, logits), "ffn_moe_probs_biased");
        if (!b_.block_has(layer_, options_.selection_bias)) return scores;
        const TensorId bias = b_.block_weight(layer_, options_.selection_bias, {experts_, 1, 1, 1});
        return named(g_.add(scores, bias), "ffn_moe_probs_biased");
    }

    TensorId best(TensorId scores, std::int64_t count) {
        const TensorId order = g_.argsort(scores, true);
        const Tensor& t = g_[order];
        return g_.view(order, {count, t.ne[1], t.ne[2], t.ne[3]}, t.nb, 0);
    }

    TensorId choose(TensorId scores, std::int64_t tokens) {
        const Hyperparameters& h = b_.hyperparameters();
        if (h.expert_groups > 1) scores = keep_best_groups(scores, tokens);
        const TensorId order = named(g_.argsort(scores, true), "ffn_moe_argsort");
        const TensorId view = g_.view(order, {used_, tokens, 1, 1}, g_[order].nb, 0);
        named(view, "ffn_moe_topk");
        if (options_.experts_per_group <= 1) return view;
        // Converts expert indices to group indices.
        const float share = 1.0F / static_cast<float>(options_.experts_per_group);
        return g_.cast(g_.scale(g_.cast(view, ElementType::f32), share), ElementType::i32);
    }

    /// Groups are ranked by the sum of their two best experts; experts of other groups are excluded.
    TensorId keep_best_groups(TensorId scores, std::int64_t tokens) {
        const Hyperparameters& h = b_.hyperparameters();
        const std::int64_t groups = h.expert_groups;
        const std::int64_t size = experts_ / groups;
        const TensorId grouped = g_.reshape(scores, {size, groups, tokens, 1});
        const TensorId two = best(grouped, 2);
        const TensorId picked = g_.get_rows(g_.reshape(grouped, {1, size, groups, tokens}), two);
        const TensorId sums = g_.sum_rows(g_.reshape(picked, {2, groups, tokens, 1}));
        const TensorId kept = best(g_.reshape(sums, {groups, tokens, 1, 1}), h.expert_groups_used);
        named(kept, "ffn_moe_group_topk");
        const TensorId rows = g_.get_rows(grouped, kept);
        const TensorId masked = g_.set_rows(g_.fill(grouped, -kUnbounded), rows, kept);
        return named(g_.reshape(masked, {experts_, tokens, 1, 1}), "ffn_moe_probs_masked");
    }

    TensorId weigh(TensorId scores, std::int64_t tokens) {
        const TensorId columns = g_.reshape(scores, {1, routed_, tokens, 1});
        TensorId weights = named(g_.get_rows(columns, chosen_), "ffn_moe_weights");
        const Shape flat{used_, tokens, 1, 1};
        const Shape spread{1, used_, tokens, 1};
        if (options_.routing == Routing::softmax_of_chosen) {
            weights = g_.reshape(g_.soft_max(g_.reshape(weights, flat), {}, 1.0F), spread);
            named(weights, "ffn_moe_weights_softmax");
        }
        if (options_.normalise) weights = g_.reshape(normalised(g_.reshape(weights, flat)), spread);
        if (options_.weight_scale == 0.0F || options_.weight_scale == 1.0F) return weights;
        return named(g_.scale(weights, options_.weight_scale), "ffn_moe_weights_scaled");
    }

    TensorId normalised(TensorId weights) {
        TensorId sum = named(g_.sum_rows(weights), "ffn_moe_weights_sum");
        if (!b_.is_2025_02())
            sum = named(g_.clamp(sum, kMinWeightSum, kUnbounded), "ffn_moe_weights_sum_clamped");
        return named(g_.div(weights, sum), "ffn_moe_weights_norm");
    }

    TensorId product(TensorId x, std::string_view part, std::int64_t out, const std::string& name) {
        const std::string weight = fmt::format("{}.weight", part);
        const Shape& ne = g_[x].ne;
        TensorId result =
            g_.mul_mat_id(b_.block_weight(layer_, weight, {ne[0], out, experts_, 1}), x, chosen_);
        const TensorId scale = b_.weight_scale(layer_, part, experts_);
        if (scale.valid()) {
            const TensorId each = g_.repeat(g_.reshape(scale, {1, experts_, 1, 1}), {1, experts_, ne[2], 1});
            result = named(g_.mul(result, g_.get_rows(each, chosen_)), name + "_scaled");
        } else {
            named(result, name);
        }
        const TensorId bias = b_.optional_weight(layer_, fmt::format("{}.bias", part), {out, experts_, 1, 1});
        return bias.valid() ? named(g_.add_id(result, bias, chosen_), name + "_biased") : result;
    }

    TensorId hidden(TensorId rows) {
        const std::string both = fmt::format("{}.weight", options_.gate_up);
        if (b_.block_has(layer_, both)) {
            const std::int64_t twice = b_.block_rows(layer_, both);
            const TensorId x = product(rows, options_.gate_up, twice, "ffn_moe_gate_up");
            const Tensor t = g_[x];
            const auto half = [&](std::int64_t first) {
                return g_.view_3d(x, twice / 2, t.ne[1], t.ne[2], t.nb[1], t.nb[2], first * t.nb[0]);
            };
            const TensorId open = named(half(0), "ffn_moe_gate");
            return gate_activated(b_, open, named(half(twice / 2), "ffn_moe_up"), "ffn_moe", layer_,
                                  options_.activation, options_.limits);
        }
        const std::int64_t hidden_width = b_.block_rows(layer_, fmt::format("{}.weight", options_.up));
        const TensorId up = product(rows, options_.up, hidden_width, "ffn_moe_up");
        const std::string gate_weight = fmt::format("{}.weight", options_.gate);
        if (!options_.gated || (options_.optional_gate && !b_.block_has(layer_, gate_weight))) {
            if (options_.activation != Activation::relu_squared)
                return activate(b_, up, "ffn_moe", layer_, options_.activation);
            return named(g_.sqr(g_.unary(UnaryKind::relu, up)), "ffn_moe_relu_sqr");
        }
        const TensorId open = product(rows, options_.gate, hidden_width, "ffn_moe_gate");
        return gate_activated(b_, open, up, "ffn_moe", layer_, options_.activation, options_.limits);
    }

    TensorId add_up(TensorId weighted, std::int64_t tokens) {
        expand(weighted);
        const Shape nb = g_[weighted].nb;
        std::vector<TensorId> parts;
        for (std::int64_t i = 0; i < used_; ++i) {
            parts.push_back(g_.view_2d(weighted, width_, tokens, nb[2], i * nb[1]));
            expand(parts.back());
        }
        TensorId sum = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i) {
            sum = g_.add(sum, parts[i]);
            expand(sum);
        }
        // Rows of a single expert are made contiguous.
        if (parts.size() == 1) sum = g_.cont(sum);
        return named(sum, options_.name);
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_;
    const Mixture& options_;
    std::int64_t routed_;   ///< that the router knows
    std::int64_t experts_;  ///< with weights of their own
    std::int64_t used_;
    std::int64_t width_ = 0;
    TensorId chosen_;
};

/// Numbers of the routing functions in files.
enum class GatingFunction : std::uint8_t { none, softmax, sigmoid, softmax_of_chosen, sqrt_softplus };

}  // namespace

Mixture mixture_of_keys(const ModelBuilder& builder, Routing routing, bool normalise) {
    const Keys& keys = builder.keys();
    Mixture mixture;
    mixture.routing = routing;
    switch (static_cast<GatingFunction>(keys.number_or("expert_gating_func", 0))) {
        case GatingFunction::softmax:
            mixture.routing = Routing::softmax;
            break;
        case GatingFunction::sigmoid:
            mixture.routing = Routing::sigmoid;
            break;
        case GatingFunction::softmax_of_chosen:
            mixture.routing = Routing::softmax_of_chosen;
            break;
        case GatingFunction::sqrt_softplus:
            mixture.routing = Routing::sqrt_softplus;
            break;
        case GatingFunction::none:
            break;
        default:
            keys.refuse("expert_gating_func", msg::kUnknownRouting);
    }
    mixture.normalise = keys.flag("expert_weights_norm", normalise);
    mixture.weight_scale = keys.decimal("expert_weights_scale", 0.0F);
    return mixture;
}

TensorId router_logits(ModelBuilder& b, TensorId x, std::int32_t layer, std::string_view router) {
    GraphBuilder& g = b.graph();
    const Shape shape{g[x].ne[0], b.hyperparameters().experts, 1, 1};
    const TensorId weight = b.block_weight(layer, fmt::format("{}.weight", router), shape);
    return b.named(g.mul_mat(weight, x), "ffn_moe_logits", layer);
}

TensorId mixture_of_experts(ModelBuilder& b, TensorId x, std::int32_t layer, const Mixture& options) {
    return ExpertLayer(b, layer, options).build(x);
}

}  // namespace splitscope
