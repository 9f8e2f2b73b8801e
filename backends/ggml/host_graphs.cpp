// SPDX-License-Identifier: MIT
#include "backends/ggml/host_graphs.hpp"

#include <algorithm>
#include <utility>

#include "backends/ggml/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::ggml {
namespace {

constexpr std::int32_t kMustCompute = 16;  ///< a tensor's flag

}  // namespace

using channel::BodyReader;
using channel::BodyWriter;
using Layout = recorder::TensorLayout;

void HostGraphs::place(Library::Tensor t, const WireTensor& wire) const {
    if (wire.view_source != kNoTensor) {
        const auto base = library_.get<Library::Tensor>(t, library_.layout.view_source);
        if (library_.get<Library::Buffer>(base, Layout::kBuffer) == nullptr) return;
        if (library_.view_init(t) != 0) throw HostError(msg::kEngineCallFailed("ggml_backend_view_init"));
        return;
    }
    if (wire.buffer == 0) return;
    const HostBuffer& buffer = buffers_.at(wire.buffer);
    const auto end = checked_add(wire.offset, static_cast<std::uint64_t>(library_.nbytes(t)));
    if (!end || *end > buffer.size) throw HostError(msg::kBadEngineRequest("offset"));
    library_.set(t, Layout::kBuffer, buffer.buffer);
    library_.set(t, library_.data_offset, buffer.base + wire.offset);
    if (library_.buffer_init_tensor(buffer.buffer, t) != 0)
        throw HostError(msg::kEngineCallFailed("ggml_backend_buffer_init_tensor"));
}

void HostGraphs::make_graph(BodyReader& in, BodyWriter& out) {
    const std::size_t device = engine_.device_index(in);
    const WireGraph graph = get_graph(in);
    require_whole(in);
    const std::size_t count = std::max<std::size_t>(graph.tensors.size(), 1);
    HostGraph made{Tensors(library_, graph.tensors.size(), count)};
    const auto tensors = made.tensors.make(graph, engine_.known.facts);
    for (std::size_t i = 0; i < tensors.size(); ++i) place(tensors[i], graph.tensors[i]);
    repack_weights(device, graph, tensors);
    made.graph = library_.new_graph(made.tensors.get(), count, false);
    if (made.graph == nullptr) throw HostError(msg::kEngineCallFailed("ggml_new_graph_custom"));
    for (const std::uint32_t node : graph.nodes) {
        library_.set(tensors[node], Layout::kFlags, graph.tensors[node].flags | kMustCompute);
        library_.build_forward_expand(made.graph, tensors[node]);
        if (library_.nbytes(tensors[node]) > 0) made.last = tensors[node];
    }
    if (static_cast<std::size_t>(library_.graph_n_nodes(made.graph)) != graph.nodes.size())
        throw HostError(msg::kEngineReordersNodes);
    const std::uint64_t id = engine_.new_handle();
    graphs_.emplace(id, std::move(made));
    out.put(id);
}

/// Weights of mapped files that only products read go where the device's kernels prefer them.
void HostGraphs::repack_weights(std::size_t device, const WireGraph& graph,
                                const std::vector<Library::Tensor>& tensors) {
    std::vector<std::vector<Library::Tensor>> readers(graph.tensors.size());
    std::vector<bool> excluded(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const WireTensor& t = graph.tensors[i];
        if (t.view_source != kNoTensor) excluded[static_cast<std::size_t>(t.view_source)] = true;
        for (std::size_t s = 0; s < t.sources.size(); ++s) {
            if (t.sources[s] == kNoTensor) continue;
            const auto source = static_cast<std::size_t>(t.sources[s]);
            if (s > 0) excluded[source] = true;
            readers[source].push_back(tensors[i]);
        }
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const WireTensor& t = graph.tensors[i];
        if (excluded[i] || readers[i].empty() || t.view_source != kNoTensor || t.buffer == 0) continue;
        const HostBuffer& buffer = buffers_.at(t.buffer);
        if (!buffer.file) continue;
        buffers_.repacked().place(
            engine_.known.devices[device],
            {tensors[i], *buffer.file, buffer.file_offset + t.offset, std::move(readers[i])});
    }
}

void HostGraphs::drop(std::uint64_t id) {
    object_of(graphs_, id);
    graphs_.erase(id);
}

}  // namespace splitscope::ggml
