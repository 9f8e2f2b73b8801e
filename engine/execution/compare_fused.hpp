// SPDX-License-Identifier: MIT
#pragma once

#include "engine/execution/compare_nodes.hpp"
#include "engine/execution/graph_copy.hpp"

namespace splitscope {

/// Computes a graph as runs without observers do, and compares the results of each kernel that computed
/// several nodes with those of its nodes one by one, from the same sources. Of a kernel whose sources a later
/// node overwrites, so that its nodes cannot be computed again, it compares no elements (`count` is 0).
/// `copy` is in memory of `backend`, with the results of nodes that it refuses. Returns true if the observer
/// did not end the comparison.
bool compare_fused(Backend& backend, const BoundGraph& graph, const GraphCopy& copy,
                   const NodeComparisonOptions& options, const NodeComparisonObserver& observer,
                   const JobContext& job);

}  // namespace splitscope
