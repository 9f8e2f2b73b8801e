// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// The result of reordering a split for fusion.
struct FusionOrder {
    std::vector<TensorId> nodes;
    std::vector<KeptTensor> kept;
};

/// The nodes of a split in the order of fusing devices in 2026-08 (placement.md §7): independent nodes are
/// grouped, and nodes of a fused kernel stay together. A kernel's input is kept until its last node.
FusionOrder ordered_for_fusion(const GraphView& graph, std::span<const TensorId> nodes);

}  // namespace splitscope
