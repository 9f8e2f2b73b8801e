// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// What scheduler and allocator read of every tensor, in a tenth of the size of a Tensor.
struct TensorFacts {
    std::array<TensorId, 2> near_sources;  ///< source slots 0 and 1; most tensors have no others
    TensorId view_src;
    BufferRef buffer;
    Op op = Op::none;
    ElementType type = ElementType::f32;
    TensorFlags flags = TensorFlags::none;
    std::uint8_t source_end = 0;  ///< slots up to the last source, holes included

    static TensorFacts of(const Tensor& t, const Sources& sources) {
        return {.near_sources = {sources[0], sources[1]},
                .view_src = t.view_src,
                .buffer = t.buffer,
                .op = t.op,
                .type = t.type,
                .flags = t.flags,
                .source_end = end_of(sources)};
    }
    static TensorFacts of(const Tensor& t) { return of(t, t.src); }

    bool is_view() const { return view_src.valid(); }
    bool has_far_sources() const { return source_end > 2; }

 private:
    /// Without a branch for each source, because their number follows no pattern.
    static std::uint8_t end_of(const Sources& sources) {
        const auto present = [&](std::size_t s) { return ~static_cast<std::uint32_t>(sources[s].value) >> 31; };
        std::int32_t far = -1;
        for (std::size_t s = 2; s < kMaxSources; ++s) far &= sources[s].value;
        std::uint32_t slots = present(0) | present(1) << 1;
        if (far >= 0) {
            for (std::size_t s = 2; s < kMaxSources; ++s) slots |= present(s) << s;
        }
        return static_cast<std::uint8_t>(std::bit_width(slots));
    }
};

}  // namespace splitscope
