// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/graph.hpp"

namespace splitscope {

/// A graph as backends and the allocator see it: the tensors of a Graph, tensors appended by a schedule,
/// replaced sources, and separate node and leaf lists. Non-owning and cheap to copy.
class GraphView {
 public:
    /// The unmodified graph.
    explicit GraphView(const Graph& graph) : graph_(&graph), nodes_(graph.nodes), leafs_(graph.leafs) {}

    /// `rewired_row` has an entry per tensor of `graph`: -1, or its row of sources in `rewired`.
    GraphView(const Graph& graph, std::span<const Tensor> added, std::span<const std::int32_t> rewired_row,
              std::span<const Sources> rewired, std::span<const TensorId> nodes,
              std::span<const TensorId> leafs)
        : graph_(&graph),
          added_(added),
          rewired_row_(rewired_row),
          rewired_(rewired),
          nodes_(nodes),
          leafs_(leafs) {}

    const Graph& graph() const { return *graph_; }
    /// Number of tensors, including added ones.
    std::size_t tensor_count() const { return graph_->tensors.size() + added_.size(); }

    const Tensor& operator[](TensorId id) const {
        const std::size_t i = id.index();
        const std::size_t own = graph_->tensors.size();
        return i < own ? graph_->tensors[i] : added_[i - own];
    }
    const Sources& sources(TensorId id) const {
        if (is_rewired(id)) return rewired_[static_cast<std::size_t>(rewired_row_[id.index()])];
        return (*this)[id].src;
    }
    bool has_rewired_sources() const { return !rewired_.empty(); }
    /// Whether sources of the tensor were replaced.
    bool is_rewired(TensorId id) const {
        return id.index() < rewired_row_.size() && rewired_row_[id.index()] >= 0;
    }
    /// The tensor that owns the memory of `id`: its view source, or itself.
    TensorId memory_of(TensorId id) const {
        const Tensor& t = (*this)[id];
        return t.is_view() ? t.view_src : id;
    }

    std::span<const TensorId> nodes() const { return nodes_; }
    std::span<const TensorId> leafs() const { return leafs_; }

 private:
    const Graph* graph_;
    std::span<const Tensor> added_;
    std::span<const std::int32_t> rewired_row_;
    std::span<const Sources> rewired_;
    std::span<const TensorId> nodes_;
    std::span<const TensorId> leafs_;
};

}  // namespace splitscope
