// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/tensor/graph.hpp"

namespace splitscope::ui {

/// The layer in a tensor's name: "blk.3.attn_q.weight", "ffn_out-3", "cache_k_l3 (view)" → 3.
std::optional<std::int32_t> layer_in_name(std::string_view name);

/// The layer of each node, by position; -1 = none. A node without a layer in its name belongs to the layer of
/// the weight that it reads, else to the last layer among its sources.
std::vector<std::int32_t> layers_of_nodes(const Graph& graph);

}  // namespace splitscope::ui
