// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backends/cpu/op_context.hpp"

namespace splitscope::cpu {

/// Decodes `n` contiguous elements of any readable type, and the inverse.
void decode_row(ElementType type, const std::byte* row, float* values, std::int64_t n);
void encode_row(ElementType type, const float* values, std::byte* row, std::int64_t n);

/// A row of dimension 0 as floats: the row itself if it is F32 and contiguous, else decoded into `scratch`,
/// which has ne[0] floats. Rows of plain numbers may have any stride.
const float* load_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch);
/// As above, for a row at an address.
const float* load_row(const Tensor& t, const std::byte* row, float* scratch);

/// Where to write a result row: in the tensor itself if it is F32, else in `scratch`.
float* result_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch);
/// Stores a row from result_row() in the tensor.
void store_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, const float* values);

/// One of the four scratch rows (0 … 3) of kernels with default scratch memory.
inline float* scratch_row(const OpContext& context, std::size_t i) {
    return context.scratch.data() + i * (context.scratch.size() / 4 / 16 * 16);
}

/// Calls body(i) for this thread's share of `count` items and checks for a stop in between.
template <class Body>
void for_thread_part(const OpContext& context, std::int64_t count, Body&& body) {
    const Range mine = context.thread_part(count);
    for (std::int64_t i = mine.first; i < mine.last && !context.should_stop(); ++i) body(i);
}

/// Calls body(i1, i2, i3) for this thread's share of a shape's rows and checks for a stop in between.
template <class Body>
void for_thread_rows(const OpContext& context, const Shape& ne, Body&& body) {
    const Range mine = context.thread_part(ne[1] * ne[2] * ne[3]);
    if (mine.first >= mine.last) return;
    std::int64_t i1 = mine.first % ne[1];
    std::int64_t i2 = mine.first / ne[1] % ne[2];
    std::int64_t i3 = mine.first / (ne[1] * ne[2]);
    // Seldom enough for rows of one element, often enough for expensive rows.
    constexpr std::int64_t kElementsBetween = 1024;
    std::int64_t left = kElementsBetween;
    for (std::int64_t row = mine.first; row < mine.last; ++row) {
        body(i1, i2, i3);
        if ((left -= ne[0]) <= 0) {
            if (context.should_stop()) return;
            left = kElementsBetween;
        }
        if (++i1 == ne[1]) {
            i1 = 0;
            if (++i2 == ne[2]) {
                i2 = 0;
                ++i3;
            }
        }
    }
}

/// Computes this thread's share of the result's rows: f(x, out, n) with the same row of the first source and
/// the result, both of n floats. Uses the first two scratch rows.
template <class F>
void map_rows(const OpContext& context, F&& f) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        f(x, out, dst->ne[0]);
        store_row(dst, i1, i2, i3, out);
    });
}

/// The index of an I32 or I64 tensor as a 64-bit number.
inline std::int64_t index_value(const TensorRef& t, std::int64_t i0, std::int64_t i1 = 0, std::int64_t i2 = 0,
                                std::int64_t i3 = 0) {
    return t->type == ElementType::i64 ? t.value<std::int64_t>(i0, i1, i2, i3)
                                       : t.value<std::int32_t>(i0, i1, i2, i3);
}

}  // namespace splitscope::cpu
