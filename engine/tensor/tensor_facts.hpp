// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// What scheduler and allocator read of every tensor, in a tenth of the size of a Tensor.
struct TensorFacts {
    std::array<TensorId, 2> first_sources;  ///< source slots 0 and 1; most tensors have no others
    TensorId view_src;
    BufferRef buffer;
    ElementType type = ElementType::f32;
    Op op = Op::none;
    TensorFlags flags = TensorFlags::none;
    std::uint8_t source_slots = 0;  ///< slots that may contain sources

    static TensorFacts of(const Tensor& t, const Sources& sources) {
        return {.first_sources = {sources[0], sources[1]},
                .view_src = t.view_src,
                .buffer = t.buffer,
                .type = t.type,
                .op = t.op,
                .flags = t.flags,
                .source_slots = end_of(sources)};
    }
    static TensorFacts of(const Tensor& t) { return of(t, t.src); }

    bool is_view() const { return view_src.valid(); }
    bool has_more_sources() const { return source_slots > 2; }

 private:
    /// Avoids a branch on the number of sources, which cannot be predicted.
    static std::uint8_t end_of(const Sources& sources) {
        std::int32_t all = -1;
        for (std::size_t s = 2; s < kMaxSources; ++s) all &= sources[s].value;
        return all < 0 ? 2 : kMaxSources;
    }
};

}  // namespace splitscope
