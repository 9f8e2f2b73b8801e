// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "recorder/graph_snapshot.hpp"

namespace splitscope::recorder {

/// A source that the scheduler replaced by a copy.
struct RewiredSource {
    int node = 0;
    int slot = 0;
    int original = -1;  ///< the copied tensor; -1 = not a tensor of the graph
};

/// Decisions read from a scheduler, per tensor and in the order of the nodes.
struct ReadDecisions {
    std::span<const int> backend;
    std::span<const RewiredSource> rewired;
};

/// The splits of a graph, derived from `scheduled`, the graph for the allocator, because ggml has no function
/// that lists them.
std::vector<RecordedSplit> derive_splits(const Api& api, const TensorLayout& layout,
                                         const GraphSnapshot& graph, const ReadDecisions& decisions,
                                         ComputeGraph scheduled);

}  // namespace splitscope::recorder
