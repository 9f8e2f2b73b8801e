// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

class Buffer;

/// Where a tensor is stored. A view has data as soon as its base has, but its own `buffer` is unset until it
/// is initialised (scheduler.md §1.1).
struct TensorPlace {
    Buffer* buffer = nullptr;  ///< the tensor's own buffer, not that of its base
    std::uint64_t offset = 0;  ///< bytes from the buffer's base (for a view, from that of its base's buffer)
    bool has_data = false;
};

/// A graph with the places of its tensors: the input of a backend.
class BoundGraph {
 public:
    /// `places` has one entry per tensor of `view`, by id.
    BoundGraph(GraphView view, std::span<TensorPlace> places) : view_(view), places_(places) {}

    const GraphView& view() const { return view_; }
    const Tensor& operator[](TensorId id) const { return view_[id]; }
    const Sources& sources(TensorId id) const { return view_.sources(id); }
    TensorPlace& place(TensorId id) const { return places_[id.index()]; }

    /// The buffer of a view's base, else its own; null if there is none.
    Buffer* buffer_of(TensorId id) const { return places_[view_.memory_of(id).index()].buffer; }
    /// Offset of the first element in buffer_of(id).
    std::uint64_t offset_of(TensorId id) const {
        const Tensor& t = view_[id];
        if (!t.is_view()) return places_[id.index()].offset;
        return places_[t.view_src.index()].offset + static_cast<std::uint64_t>(t.view_offs);
    }
    /// Address of the first element in host memory; null if it is elsewhere or unplaced.
    std::byte* host_data(TensorId id) const;

 private:
    GraphView view_;
    std::span<TensorPlace> places_;
};

}  // namespace splitscope
