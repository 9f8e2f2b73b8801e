// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/tensor/graph.hpp"
#include "tests/bench/reference_library.hpp"

namespace splitscope::bench {

/// A graph in the reference engine's memory.
class ReferenceGraph {
 public:
    /// Tensors with a buffer are placed in memory for weights, at addresses that are not used. Throws
    /// std::runtime_error.
    ReferenceGraph(const ReferenceLibrary& library, const Graph& graph);
    ~ReferenceGraph();
    ReferenceGraph(const ReferenceGraph&) = delete;
    ReferenceGraph& operator=(const ReferenceGraph&) = delete;

    /// Removes what scheduling has written into the tensors: new sources and places.
    void restore();

    ggml::Library::Graph get() const { return graph_; }
    ggml::Library::Tensor tensor(TensorId id) const { return tensors_[id.index()]; }

 private:
    const ggml::Library& l_;
    const Graph& source_;
    ggml::Library::Context context_ = nullptr;
    ggml::Library::Graph graph_ = nullptr;
    ggml::Library::Buffer weights_ = nullptr;
    std::vector<ggml::Library::Tensor> tensors_;
};

/// CPU backends of the reference engine.
class ReferenceBackends {
 public:
    ReferenceBackends(const ReferenceLibrary& library, std::size_t count);
    ~ReferenceBackends();
    ReferenceBackends(const ReferenceBackends&) = delete;
    ReferenceBackends& operator=(const ReferenceBackends&) = delete;

    std::span<const ggml::Library::Backend> get() const { return backends_; }

 private:
    const ggml::Library& l_;
    std::vector<ggml::Library::Backend> backends_;
};

/// The reference engine's scheduler. Refers to the backends.
class ReferenceScheduler {
 public:
    ReferenceScheduler(const ReferenceLibrary& library, const ReferenceBackends& backends,
                       const Graph& graph);
    ~ReferenceScheduler();
    ReferenceScheduler(const ReferenceScheduler&) = delete;
    ReferenceScheduler& operator=(const ReferenceScheduler&) = delete;

    /// Forgets the previous graph. The buffers of the previous allocation stay, as between two tokens.
    void reset();
    void assign(const ReferenceGraph& graph, std::span<const Assignment> assignments);
    /// Schedules and allocates the graph. Throws std::runtime_error if the engine fails.
    void schedule(const ReferenceGraph& graph);
    int splits() const;

 private:
    const ggml::Library& l_;
    const ReferenceBackends& backends_;
    ggml::Library::Scheduler scheduler_ = nullptr;
};

}  // namespace splitscope::bench
