// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_place.hpp"
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

}  // namespace splitscope
