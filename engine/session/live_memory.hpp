// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/interface/machine.hpp"
#include "engine/models/model.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The memory of a model that outlives single graphs: its weights and caches, in the buffers that the graph
/// names. Tensors are found again by name in the next graph of the same model and placement.
class LiveMemory {
 public:
    /// Allocates and fills every pre-allocated weight and cache of `model_graph`. Weights in host memory are
    /// used where the file is mapped; others are copied; caches start as zeros. `backends` in the order of
    /// `machine`; they must outlive the object. Throws Error(memory).
    LiveMemory(const Model& model, const ModelGraph& model_graph, const Machine& machine,
               std::span<Backend* const> backends, const JobContext& job);

    /// Where a pre-allocated tensor of a graph of this model lives. Throws Error(unallocated) when it is
    /// unknown.
    TensorPlace place_of(const Graph& graph, TensorId tensor) const;

 private:
    using Key = std::pair<std::string, std::string>;  ///< buffer, tensor

    void place_mapped_weights(const Model& model, const ModelGraph& model_graph, const Machine& machine,
                              std::span<Backend* const> backends);
    void allocate_rest(const ModelGraph& model_graph, const Machine& machine,
                       std::span<Backend* const> backends);
    void add_buffer(BufferType& type, const MachineBuffer& described, std::uint64_t size);
    void fill_weights(const Model& model, const ModelGraph& model_graph, const JobContext& job) const;

    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::map<Key, TensorPlace> places_;
    std::vector<const Buffer*> mapped_;
};

/// Memory of the inputs that a graph keeps in a buffer of its own; it lives as long as that graph is used.
class InputMemory {
 public:
    InputMemory(const Graph& graph, Backend& host);
    /// Null for tensors that are no such input.
    const TensorPlace* find(TensorId tensor) const;

 private:
    std::unique_ptr<Buffer> buffer_;
    std::map<TensorId, TensorPlace> places_;
};

}  // namespace splitscope
