// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// The nodes of a split in the order that devices which fuse nodes compute them in 2026-08 (placement.md §7):
/// what does not wait for each other is moved together, and what runs as one kernel stays together.
std::vector<TensorId> reordered_for_fusion(const GraphView& graph, std::span<const TensorId> nodes);

}  // namespace splitscope
