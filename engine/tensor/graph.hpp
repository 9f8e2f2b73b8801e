// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// A compute graph as built: the immutable input of everything else (scheduler.md §1.2). Sources and view
/// sources may be in neither list.
struct Graph {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<TensorId> nodes;  ///< execution order
    std::vector<TensorId> leafs;  ///< constants and inputs, in creation order
    /// Names of the buffers of pre-allocated tensors, which a machine or model defines.
    std::vector<std::string> buffers;
    /// Recorded allocation sizes in bytes by {tensor, buffer type name}, if the file has them.
    std::map<std::pair<TensorId, std::string>, std::uint64_t> alloc_sizes;

    const Tensor& operator[](TensorId id) const { return tensors[id.index()]; }
    Tensor& operator[](TensorId id) { return tensors[id.index()]; }

    /// The buffer with this name; added if missing.
    BufferRef buffer_named(const std::string& buffer_name);
    std::optional<TensorId> find(std::string_view tensor_name) const;
};

/// Checks the invariants of graphs: ids in range, views one level deep, known buffers, shapes and strides
/// without overflow, nodes after their sources (no cycles), views within their base. Throws Error(bad_file)
/// with a JSON pointer such as "/tensors/7/src/1" as where().
void validate(const Graph& graph);

}  // namespace splitscope
