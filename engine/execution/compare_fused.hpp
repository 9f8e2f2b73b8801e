// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/execution/compare_nodes.hpp"
#include "engine/execution/graph_copy.hpp"

namespace splitscope {

/// Compares the results of kernels that compute several nodes with those of their nodes one by one. Each
/// tensor has memory of its own here, so kernels that depend on shared memory are not tested.
class FusedComparison {
 public:
    /// `copy` of `graph` is in memory of `backend`, before any of its nodes is computed. If the backend never
    /// fuses nodes, there is nothing to compare.
    FusedComparison(Backend& backend, const BoundGraph& graph, const GraphCopy& copy,
                    const NodeComparisonOptions& options);

    /// Computes the graph with fused kernels, then node by node with the results of these. Nodes that the
    /// backend refuses must have results in `copy`. Of a kernel whose results later nodes overwrite, it
    /// compares no elements (`count` is 0). Returns true if the observer did not end the comparison.
    bool run(const NodeComparisonObserver& observer, const JobContext& job);

 private:
    struct Kernel {
        std::vector<TensorId> nodes;
        std::vector<std::vector<std::byte>> results;  ///< of each node
    };
    struct Written {
        TensorId base;
        std::vector<std::byte> before;
    };

    bool is_computed(TensorId node) const;
    void restore() const;
    std::vector<Kernel> compute_fused() const;
    NodeComparison compare(const Kernel& kernel, const JobContext& job) const;
    /// Whether a node outside of the kernel reads the result, perhaps through a view, or none does.
    bool is_read_elsewhere(TensorId node, std::span<const TensorId> kernel) const;
    /// Whether no later node overwrites the kernel's result.
    bool stays(TensorId node, std::span<const TensorId> kernel) const;
    double tolerance_of(TensorId node, std::span<const TensorId> kernel) const;
    std::vector<std::byte> read(TensorId tensor) const;
    void compute(std::span<const TensorId> nodes) const;

    Backend& backend_;
    const BoundGraph& original_;
    const GraphCopy& copy_;
    const BoundGraph& graph_;
    const NodeComparisonOptions& options_;
    bool fuses_ = false;
    // By tensor of the copy; positions are those among its nodes, -1 for none.
    std::vector<std::int64_t> position_;
    std::vector<std::int64_t> last_write_;  ///< of the last node that writes into it as a view
    std::vector<std::vector<TensorId>> readers_;
    std::vector<TensorId> original_of_;
    std::vector<Written> written_;  ///< caches and states
};

}  // namespace splitscope
