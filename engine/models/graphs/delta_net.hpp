// SPDX-License-Identifier: MIT
// Parts of models with gated delta rules in most blocks and gated attention in the others.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/models/feed_forward.hpp"
#include "engine/models/recurrent.hpp"

namespace splitscope::graphs {

/// Where the models differ: how gates are stored, and how the result is gated.
enum class DeltaForm : std::uint8_t { qwen35, qwen3next, qwen4exp };

/// Linear attention by the gated delta rule.
TensorId delta_attention(RecurrentStates& states, TensorId x, std::int32_t layer, DeltaForm form);
/// Attention with a gated result; the gate is stored beside each head of queries, under the names of Qwen 3
/// Next if `next`. With `chosen`, each token attends to these cells only.
TensorId gated_attention(ModelBuilder& builder, TensorId x, std::int32_t layer, bool next,
                         TensorId chosen = {});
/// Experts, plus a shared one, if present, times a gate.
TensorId gated_experts(ModelBuilder& builder, TensorId x, std::int32_t layer, const Mixture& mixture);
/// Which blocks have a recurrent state instead of attention.
std::vector<bool> recurrent_blocks(const ModelBuilder& builder);

}  // namespace splitscope::graphs
