// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/support/generation.hpp"

namespace splitscope {

/// A copy of a graph's nodes and of all tensors they reach in memory of one backend, with data
/// (backend-api.md §9).
class GraphCopy {
 public:
    /// Errors: unallocated (a tensor without data), memory (allocation failed, or nothing to allocate).
    /// Generation 2024-01 ignores sources after the first hole; 2026-08 copies flags too.
    GraphCopy(const BoundGraph& original, Backend& backend, Generation generation = Generation::g2026_08);
    GraphCopy(const GraphCopy&) = delete;
    GraphCopy& operator=(const GraphCopy&) = delete;

    const BoundGraph& graph() const { return *bound_; }
    /// The copied nodes, in the original order.
    std::span<const TensorId> nodes() const { return graph_.nodes; }
    /// The copy of a tensor of the original; none if no node reaches it.
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

/// Called with the index of a node and its two results; return false to stop.
using CompareCallback =
    std::function<bool(std::size_t node, const BoundTensor& first, const BoundTensor& second)>;

/// Computes a graph on two backends node by node and passes each pair of results to the callback. The
/// original is in memory of the first backend; the second gets a copy. Each side continues with its own
/// results, so errors accumulate. View operations are computed but not reported. False if the copy fails.
/// Errors: internal (the node lists differ), and those of the backends.
bool compare_backends(Backend& first, Backend& second, const BoundGraph& graph,
                      const CompareCallback& callback, Generation generation = Generation::g2026_08);

/// As compare_backends(), but computes both graphs at once and reports only the given nodes, in node order;
/// the callback's result is ignored. Errors: unknown, if none of them is a node of the graph.
bool compare_backends_at(Backend& first, Backend& second, const BoundGraph& graph,
                         std::span<const TensorId> nodes, const CompareCallback& callback,
                         Generation generation = Generation::g2026_08);

}  // namespace splitscope
