// SPDX-License-Identifier: MIT
#include "backends/ggml/host_tensors.hpp"

#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {
namespace {

using Layout = recorder::TensorLayout;

}  // namespace

Tensors::Tensors(const Library& library, std::size_t tensors, std::size_t graph_size)
    : library_(&library),
      context_(library.init({library.tensor_overhead() * (tensors + 2) +
                                 (graph_size > 0 ? library.graph_overhead(graph_size, false) : 0),
                             nullptr, true})) {
    if (context_ == nullptr) throw HostError(msg::kEngineCallFailed("ggml_init"));
}

Tensors::~Tensors() {
    if (context_ != nullptr) library_->free(context_);
}

std::vector<Library::Tensor> Tensors::make(const WireGraph& graph, const EngineFacts& facts) const {
    const Library& l = *library_;
    std::vector<Library::Tensor> made;
    made.reserve(graph.tensors.size());
    const auto types = static_cast<std::int32_t>(facts.types.size());
    const auto ops = static_cast<std::int32_t>(facts.ops.size());
    for (const WireTensor& wire : graph.tensors) {
        if (wire.type < 0 || wire.type >= types || l.type_size(wire.type) == 0)
            throw HostError(msg::kBadEngineRequest("element type"));
        if (wire.op < 0 || wire.op >= ops) throw HostError(msg::kBadEngineRequest("operation"));
        const Library::Tensor t =
            l.new_tensor(context_, wire.type, wire.ne[0], wire.ne[1], wire.ne[2], wire.ne[3]);
        l.set(t, Layout::kStrides, wire.nb);
        l.set(t, Layout::kOperation, wire.op);
        l.set(t, Layout::kParameters, wire.params);
        l.set(t, Layout::kFlags, wire.flags);
        for (std::size_t s = 0; s < wire.sources.size(); ++s) {
            if (wire.sources[s] == kNoTensor) continue;
            const auto source = static_cast<std::size_t>(wire.sources[s]);
            l.set(t, l.layout.sources + s * sizeof(void*), source < made.size() ? made[source] : t);
        }
        if (wire.view_source != kNoTensor) {
            l.set(t, l.layout.view_source, made[static_cast<std::size_t>(wire.view_source)]);
            l.set(t, l.layout.view_offset, wire.view_offset);
        }
        l.set_name(t, wire.name.c_str());
        made.push_back(t);
    }
    return made;
}

Library::Tensor Tensors::bytes_of(Library::Buffer buffer, char* base, std::uint64_t offset,
                                  std::uint64_t size, const EngineFacts& facts) const {
    const int i8 = type_named(facts, "i8");
    if (i8 < 0) throw HostError(msg::kEngineLacksType("i8"));
    const Library::Tensor t = library_->new_tensor(context_, i8, static_cast<std::int64_t>(size), 1, 1, 1);
    library_->set(t, Layout::kBuffer, buffer);
    library_->set(t, library_->data_offset, base + offset);
    return t;
}

Library::Buffer DraftBuffers::buffer_for(const WireTensor& wire) {
    const auto index = static_cast<std::size_t>(wire.buffer_type);
    if (wire.buffer_type < 0 || index >= known_.buffer_types.size()) return nullptr;
    auto& draft = made_[{index, wire.usage}];
    if (draft == nullptr) {
        draft = library_.buft_alloc(known_.buffer_types[index], 0);
        if (draft != nullptr) library_.buffer_set_usage(draft, wire.usage);
    }
    return draft;
}

}  // namespace splitscope::ggml
