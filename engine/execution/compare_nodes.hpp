// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/execution/exact_product.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Results of one node on two backends, or of a kernel and its nodes one by one on one backend.
struct NodeComparison {
    TensorId tensor;
    /// Nodes computed by one kernel, in order; `tensor` is the one with the largest error. Empty for one
    /// node.
    std::vector<TensorId> fused;
    /// If refused, the tested backend does not support the node, the reference values replace its result, and
    /// the figures are unset.
    OpSupport support;
    bool reference_supports = true;  ///< otherwise the host computes it instead
    double tolerance = 0;            ///< of `nmse`
    double nmse = 0;     ///< Σ(tested-reference)² / Σreference²; infinite or NaN where those are
    double largest = 0;  ///< max |tested-reference|, as a value
    std::int64_t largest_at = -1;  ///< element with the largest difference, in logical order; -1 = none
    std::int64_t differing = 0;    ///< elements that differ
    std::int64_t count = 0;        ///< elements compared
    std::int64_t both_nan = 0;     ///< elements that are NaN in both results, which counts as equal
    /// Of a matrix product whose `nmse` exceeds the tolerance: the errors of both results against the exact
    /// product, where the reference may round the activations.
    std::optional<ExactErrors> exact;
    /// Of a matrix product within the tolerance: the element with the largest difference, if it is wrong.
    std::optional<ExactElement> wrong_element;
    /// Time to compute the node alone, including synchronisation: once, or the shortest of several times with
    /// NodeComparisonOptions::repeats. `reference_time` is 0 if the host computed it instead.
    std::chrono::nanoseconds tested_time{};
    std::chrono::nanoseconds reference_time{};

    /// Where errors accumulate and the operands already differ: the error from equal operands.
    std::optional<double> own_nmse;
    /// False where errors accumulate and the operands already differ, unless the error from equal operands
    /// exceeds the tolerance: no tolerance holds for the result.
    bool judged = true;

    bool exceeds() const { return judged && is_wrong(); }
    /// As above, whether or not the node is judged.
    bool is_wrong() const { return wrong_element || (!(own_error() <= tolerance) && !rounds_no_more()); }
    double own_error() const { return own_nmse.value_or(nmse); }
    /// Whether only the rounding of activations explains an error above the tolerance.
    bool reference_rounds() const { return judged && !(own_error() <= tolerance) && rounds_no_more(); }
    /// Whether the tested result is within the tolerance of the exact product, or slightly above it but as
    /// close as the reference, because it may round activations as well.
    bool rounds_no_more() const {
        constexpr double kAsClose = 4;
        constexpr double kLittleAbove = 10;
        return exact && exact->tested <= std::max(tolerance, std::min(kAsClose * exact->reference,
                                                                      kLittleAbove * tolerance));
    }
};

struct NodeComparisonOptions {
    /// If true, each side continues with its own results, so errors accumulate, and without `tolerance`,
    /// nodes whose operands differ are judged by computing them again from equal operands, and by whether
    /// they are the first with a NaN. If false, the tested backend gets the reference's sources for every
    /// node, so an error is that of the node alone.
    bool accumulate = false;
    /// Replaces node_tolerance() for every node.
    std::optional<double> tolerance;
    /// Compute short nodes several times, so that times can be compared; nodes that write into another tensor
    /// are computed once.
    bool repeats = false;
};

/// The NMSE by which two correct implementations may differ, because of summation order and of sources
/// rounded to the precision of the kernels: 0 for integers, 5e-4 for matrix products, convolutions and
/// attention, by bit width for quantised results, 1e-6 for F16 and table-based functions, 1e-5 for BF16, else
/// 1e-7.
double node_tolerance(const BoundGraph& graph, TensorId node);

/// Compares a matrix product with the exact one: as a whole if the error of `difference` exceeds the
/// tolerance, or else the element that differs most. Sets `exact` or `wrong_element`. The node's operands
/// must still be in the memory of `graph`. Errors: those of exact_product_errors().
void compare_with_exact(NodeComparison& result, const BoundGraph& graph, TensorId node,
                        const ValueDifference& difference, std::span<const std::byte> tested,
                        std::span<const std::byte> reference, const JobContext& job = {});

/// Called for each node; return false to end the comparison.
using NodeComparisonObserver = std::function<bool(const NodeComparison& node)>;

/// Computes a graph on two backends node by node and compares the results; views and empty tensors are
/// skipped. The graph is in memory of `host` with its inputs set; `host` receives the reference's results and
/// computes what the reference refuses. `reference` may be `host`. Every other backend gets a copy of the
/// graph. Then compares kernels with which the tested backend computes several nodes (compare_fused.hpp).
/// Returns true if all nodes were compared. Errors: memory (for the copy), Cancelled, and those of the
/// backends.
bool compare_nodes(Backend& host, const BoundGraph& graph, Backend& tested, Backend& reference,
                   const NodeComparisonOptions& options, const NodeComparisonObserver& observer,
                   const JobContext& job = {});

}  // namespace splitscope
