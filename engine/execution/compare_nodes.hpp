// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "backends/interface/backend.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// One node as two backends computed it.
struct NodeComparison {
    TensorId tensor;
    /// Refused: the tested backend does not take the node, the reference's values stand in for its own, and
    /// there are no figures.
    OpSupport support;
    double tolerance = 0;  ///< of `nmse`
    double nmse = 0;       ///< Σ(tested-reference)² / Σreference²; infinite or NaN where those are
    double largest = 0;    ///< max |tested-reference|
    std::int64_t largest_at = -1;  ///< the element, counted in logical order; -1 = none differs
    std::int64_t differing = 0;    ///< elements
    std::int64_t count = 0;        ///< elements
    /// How long each side computed the node, alone, once, until it was done; the reference's is 0 where the
    /// host stood in for it.
    std::chrono::nanoseconds tested_time{};
    std::chrono::nanoseconds reference_time{};

    bool exceeds() const { return !(nmse <= tolerance); }
};

struct NodeComparisonOptions {
    /// Each side goes on from its own results, so errors grow from node to node. Otherwise the tested backend
    /// gets the reference's sources for every node, and an error is that of the node alone.
    bool accumulate = false;
    /// For every node, instead of node_tolerance().
    std::optional<double> tolerance;
};

/// The NMSE up to which a right implementation may differ from another one, which sums in another order and
/// may round sources of products to the precision of its kernels: 0 for integers, 5e-4 for products,
/// convolutions and attention, by width for quantised results, 1e-6 for F16 and for functions taken from
/// tables, 1e-5 for BF16, else 1e-7.
double node_tolerance(const BoundGraph& graph, TensorId node);

/// Told each node; false ends the comparison.
using NodeComparisonObserver = std::function<bool(const NodeComparison& node)>;

/// Computes a graph on two backends node by node and compares each pair of results; views and empty tensors
/// are passed over. The graph lies in the memory of `host` with its inputs set; it takes the results of the
/// reference, and computes what the reference refuses. `reference` may be `host`. Every other backend gets a
/// copy of the graph. True when all nodes were compared. Errors: memory (no room for a copy), Cancelled, and
/// what the backends throw.
bool compare_nodes(Backend& host, const BoundGraph& graph, Backend& tested, Backend& reference,
                   const NodeComparisonOptions& options, const NodeComparisonObserver& observer,
                   const JobContext& job = {});

}  // namespace splitscope
