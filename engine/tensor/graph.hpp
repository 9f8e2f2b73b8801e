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

/// A compute graph as its builder made it: immutable input of everything else (scheduler.md §1.2).
/// A source or view source may be in neither list.
struct Graph {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<TensorId> nodes;  ///< execution order
    std::vector<TensorId> leafs;  ///< constants and inputs, in the order the builder met them
    /// Names of the buffers that tensors are pre-allocated in; a machine or a loaded model defines them.
    std::vector<std::string> buffers;
    /// Recorded allocation sizes {tensor, buffer type name} → bytes, where a file gives them.
    std::map<std::pair<TensorId, std::string>, std::uint64_t> alloc_sizes;

    const Tensor& operator[](TensorId id) const { return tensors[id.index()]; }
    Tensor& operator[](TensorId id) { return tensors[id.index()]; }

    /// The buffer with this name, added if it is new.
    BufferRef buffer_named(const std::string& buffer_name);
    std::optional<TensorId> find(std::string_view tensor_name) const;
};

/// Checks what every later step relies on: ids in range, views one level deep, known buffers, shapes and
/// strides without overflow, nodes after the nodes they read (so no cycles), sources of views inside their
/// base. Throws Error(bad_file) whose where() is a JSON pointer such as "/tensors/7/src/1".
void validate(const Graph& graph);

}  // namespace splitscope
