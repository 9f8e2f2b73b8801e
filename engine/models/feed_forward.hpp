// SPDX-License-Identifier: MIT
#pragma once

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// down(activation(gate(x)) · up(x)) with the block's weights ffn_gate, ffn_up and ffn_down.
TensorId gated_feed_forward(ModelBuilder& builder, TensorId x, std::int32_t layer, GluKind kind);

struct MixtureOptions {
    /// Weights of the chosen experts: the softmax over all experts scaled to a sum of 1, or a softmax over
    /// the chosen ones only.
    bool softmax_of_chosen = false;
    GluKind kind = GluKind::swiglu;  ///< swiglu or swiglu_oai
};

/// Routes each token to its best experts and adds up their weighted results; biases as the file has them.
TensorId mixture_of_experts(ModelBuilder& builder, TensorId x, std::int32_t layer,
                            const MixtureOptions& options);

}  // namespace splitscope
