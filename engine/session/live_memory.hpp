// SPDX-License-Identifier: MIT
#pragma once

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

/// Memory of a model that persists between graphs: weights and caches, in the buffers named by the graph.
/// Tensors are looked up by name in later graphs of the same model and placement.
class LiveMemory {
 public:
    /// Allocates and fills every pre-allocated weight and cache of `model_graph`. Weights in host memory are
    /// used from the mapped file, others are copied; caches are zeroed. `backends` in the order of `machine`;
    /// they must outlive the object. Throws Error(memory).
    LiveMemory(const Model& model, const ModelGraph& model_graph, const Machine& machine,
               std::span<Backend* const> backends, const JobContext& job);

    /// The memory of a pre-allocated tensor of one of this model's graphs. Throws Error(unallocated) if it is
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
    /// Some caches of a layer have the same name; in the order of the graph.
    std::map<Key, std::vector<TensorPlace>> places_;
    std::vector<const Buffer*> mapped_;
};

/// Memory of inputs that a graph keeps in a separate buffer; valid for the lifetime of that graph.
class InputMemory {
 public:
    InputMemory(const Graph& graph, Backend& host);
    /// Null for other tensors.
    const TensorPlace* find(TensorId tensor) const;

 private:
    std::unique_ptr<Buffer> buffer_;
    std::map<TensorId, TensorPlace> places_;
};

}  // namespace splitscope
