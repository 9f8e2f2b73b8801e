// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// The nodes of a split in the order of fusing devices in 2026-08 (placement.md §7): independent nodes are
/// grouped, and nodes of a fused kernel stay together.
std::vector<TensorId> reordered_for_fusion(const GraphView& graph, std::span<const TensorId> nodes);

}  // namespace splitscope
