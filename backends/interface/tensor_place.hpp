// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

class Buffer;

/// Where a tensor lives. A view of placed memory has data from the moment it exists, while its own `buffer`
/// stays unset until it is view-initialised (scheduler.md §1.1).
struct TensorPlace {
    Buffer* buffer = nullptr;  ///< its own buffer, not its view source's
    std::uint64_t offset = 0;  ///< bytes from the buffer's base (of the view source's buffer for a view)
    bool has_data = false;
};

/// A graph together with the places of its tensors: what a backend computes on.
class BoundGraph {
 public:
    /// `places` has one entry per tensor of `view`, in id order.
    BoundGraph(GraphView view, std::span<TensorPlace> places) : view_(view), places_(places) {}

    const GraphView& view() const { return view_; }
    const Tensor& operator[](TensorId id) const { return view_[id]; }
    const Sources& sources(TensorId id) const { return view_.sources(id); }
    TensorPlace& place(TensorId id) const { return places_[id.index()]; }

    /// The view source's buffer for a view, else its own; null when there is none.
    Buffer* buffer_of(TensorId id) const { return places_[view_.memory_of(id).index()].buffer; }
    /// Offset of the first element in buffer_of(id).
    std::uint64_t offset_of(TensorId id) const {
        const Tensor& t = view_[id];
        if (!t.is_view()) return places_[id.index()].offset;
        return places_[t.view_src.index()].offset + static_cast<std::uint64_t>(t.view_offs);
    }
    /// Address of the first element in host memory; null when it lives elsewhere or nowhere.
    std::byte* host_data(TensorId id) const;

 private:
    GraphView view_;
    std::span<TensorPlace> places_;
};

}  // namespace splitscope
