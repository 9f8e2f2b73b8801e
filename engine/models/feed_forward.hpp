// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// `situ`: both factors are squashed by tanh, with widths from the file.
enum class Activation : std::uint8_t { silu, gelu, relu, relu_squared, swiglu_oai, situ };

/// Clamping of gates and values, per layer: the metadata key; a limit of 0 clamps nothing.
struct Limits {
    std::string_view key = {};
    float fallback = 0.0F;  ///< limit if the file has no key
    bool fused = false;     ///< clamped by the gated operation itself
};

struct FeedForward {
    Activation activation = Activation::silu;
    /// Gated: down(activation(gate(x)) · up(x)); ungated: down(activation(up(x))).
    bool gated = true;
    bool halves = false;  ///< gate and value are the halves of up(x)
    std::string_view up = "ffn_up";
    std::string_view gate = "ffn_gate";
    std::string_view down = "ffn_down";
    std::string_view name = "ffn_out";  ///< of the result
    /// Files without these weights are accepted; only the activation is applied then.
    bool optional = false;
    bool full_precision = false;  ///< the down projection is computed in F32
    Limits limits = {};
    bool scaled_activation = false;  ///< divided by the block's "ffn_act" where the file has it
};

inline constexpr FeedForward kGelu{.activation = Activation::gelu, .gated = false};

TensorId feed_forward(ModelBuilder& builder, TensorId x, std::int32_t layer, const FeedForward& options = {});
/// A product of a feed-forward, which is scaled after its bias is added. The steps are named `name`, then
/// with
/// "_b" and "_s".
TensorId feed_product(ModelBuilder& builder, TensorId x, std::int32_t layer, std::string_view part,
                      std::int64_t rows, std::string_view name);

/// activation(gate) · value, both clamped to the layer's `limits`; steps are named with `prefix`.
TensorId gate_activated(ModelBuilder& builder, TensorId gate, TensorId value, std::string_view prefix,
                        std::int32_t layer, Activation activation, const Limits& limits = {});
/// Activation::situ, unnamed.
TensorId situ(ModelBuilder& builder, TensorId gate, TensorId value);
/// activation(x), for blocks without a gate.
TensorId activate(ModelBuilder& builder, TensorId x, std::string_view prefix, std::int32_t layer,
                  Activation activation);

/// How router logits become scores.
enum class Routing : std::uint8_t { softmax, sigmoid, softmax_of_chosen, sqrt_softplus };

struct Mixture {
    Routing routing = Routing::softmax;
    bool normalise = true;      ///< weights of the chosen experts are scaled to a sum of 1
    float weight_scale = 0.0F;  ///< then multiplied by this; 0 and 1 = no scaling
    Activation activation = Activation::silu;
    bool gated = true;
    bool optional_gate = false;  ///< no gate if the file lacks its weight
    /// Bias of the scores that affects the choice only; optional.
    std::string_view selection_bias = "exp_probs_b.bias";
    std::string_view router = "ffn_gate_inp";
    std::string_view up = "ffn_up_exps";
    std::string_view gate = "ffn_gate_exps";
    std::string_view down = "ffn_down_exps";
    std::string_view gate_up = "ffn_gate_up_exps";  ///< gate and up in one weight, if the file has it
    std::string_view name = "ffn_moe_out";
    TensorId logits = {};                 ///< of the router, if computed beforehand
    TensorId chosen = {};                 ///< the experts of each token, whatever their scores are
    bool chooses_by_sigmoid = false;      ///< choose by the sigmoid of the logits, whatever `routing` is
    std::uint32_t experts_per_group = 1;  ///< routed experts that share the weights of one expert
    bool weight_inputs = false;  ///< multiply the experts' inputs by the weights, and choose by logits
    bool full_precision_router = false;
    bool full_precision_down = false;
    Limits limits = {};
};

/// The mixture given by the metadata keys "expert_gating_func" (default `routing`), "expert_weights_norm" and
/// "expert_weights_scale".
Mixture mixture_of_keys(const ModelBuilder& builder, Routing routing = Routing::softmax,
                        bool normalise = false);

/// The router's logits of all experts for each token, without a bias.
TensorId router_logits(ModelBuilder& builder, TensorId x, std::int32_t layer,
                       std::string_view router = "ffn_gate_inp");

/// Routes each token to its best experts and sums their weighted results; biases are optional.
TensorId mixture_of_experts(ModelBuilder& builder, TensorId x, std::int32_t layer,
                            const Mixture& options = {});

/// The feed-forward of a shared expert, "ffn_up_shexp" and so on.
FeedForward shared_expert(Activation activation = Activation::silu);

}  // namespace splitscope
