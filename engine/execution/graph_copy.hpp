// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/support/generation.hpp"

namespace splitscope {

/// A graph's nodes and everything they reach, duplicated in the memory of one backend, with their data
/// (backend-api.md §9).
class GraphCopy {
 public:
    /// Errors: unallocated (a tensor without data), memory (no room, or nothing to allocate). Generation
    /// 2024-01 looks at sources only up to the first hole; 2026-08 copies flags too.
    GraphCopy(const BoundGraph& original, Backend& backend, Generation generation = Generation::g2026_08);
    GraphCopy(const GraphCopy&) = delete;
    GraphCopy& operator=(const GraphCopy&) = delete;

    const BoundGraph& graph() const { return *bound_; }
    /// The copied nodes, in the original's order.
    std::span<const TensorId> nodes() const { return graph_.nodes; }
    /// The duplicate of a tensor of the original; none if the nodes do not reach it.
    TensorId copy_of(TensorId original) const { return copies_[original.index()]; }

 private:
    void duplicate_all(const BoundGraph& original, Generation generation);
    void copy_data(const BoundGraph& original);

    Graph graph_;
    std::vector<TensorId> copies_;     ///< by tensor of the original
    std::vector<TensorId> originals_;  ///< by tensor of the copy, in the order they were created
    std::vector<TensorPlace> places_;
    std::unique_ptr<BoundGraph> bound_;
    std::unique_ptr<Buffer> buffer_;
};

/// Told the index of a node and its two results; false stops the comparison.
using CompareCallback =
    std::function<bool(std::size_t node, const BoundTensor& first, const BoundTensor& second)>;

/// Computes a graph on two backends, node by node, and shows each pair of results. The original lies in
/// memory of the first backend; the second gets a copy. Each side goes on from its own results, so errors
/// accumulate. View operations are computed but not shown. False when the copy cannot be made. Errors:
/// internal (the two lists differ), and what the backends throw.
bool compare_backends(Backend& first, Backend& second, const BoundGraph& graph,
                      const CompareCallback& callback, Generation generation = Generation::g2026_08);

/// The same with both whole graphs computed at once and only the given nodes shown, in node order; the
/// callback's answer is not asked for. Errors: unknown, when none of them is a node of the graph.
bool compare_backends_at(Backend& first, Backend& second, const BoundGraph& graph,
                         std::span<const TensorId> nodes, const CompareCallback& callback,
                         Generation generation = Generation::g2026_08);

}  // namespace splitscope
