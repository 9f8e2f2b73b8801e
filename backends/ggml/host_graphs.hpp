// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "backends/ggml/host_buffers.hpp"
#include "backends/ggml/host_engine.hpp"
#include "backends/ggml/host_tensors.hpp"

namespace splitscope::ggml {

struct HostGraph {
    Tensors tensors;
    Library::Graph graph = nullptr;
    Library::Tensor last = nullptr;  ///< node that is not empty
};

/// Graphs in the engine's own representation, in memory of buffers. Members throw HostError.
class HostGraphs {
 public:
    HostGraphs(HostEngine& engine, HostBuffers& buffers)
        : engine_(engine), library_(engine.library), buffers_(buffers) {}

    void make_graph(channel::BodyReader& in, channel::BodyWriter& out);
    void drop(std::uint64_t id);

    const HostGraph& at(std::uint64_t id) const { return object_of(graphs_, id); }

 private:
    void place(Library::Tensor t, const WireTensor& wire) const;
    void repack_weights(std::size_t device, const WireGraph& graph,
                        const std::vector<Library::Tensor>& tensors);

    HostEngine& engine_;
    const Library& library_;
    HostBuffers& buffers_;
    std::map<std::uint64_t, HostGraph> graphs_;
};

}  // namespace splitscope::ggml
