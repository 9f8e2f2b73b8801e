// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backends/cpu/op_context.hpp"
#include "backends/interface/op_support.hpp"

namespace splitscope::cpu {

/// `n` contiguous elements of any readable type to floats, and back.
void decode_row(ElementType type, const std::byte* row, float* values, std::int64_t n);
void encode_row(ElementType type, const float* values, std::byte* row, std::int64_t n);

/// A row of dimension 0 as floats: the row itself when it is one, else its values in `scratch`, which has
/// ne[0] floats. Rows of plain numbers may have any stride.
const float* load_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch);
/// The same for a row at an address.
const float* load_row(const Tensor& t, const std::byte* row, float* scratch);

/// Where to put a row of results: in the tensor itself when it takes floats, else in `scratch`.
float* result_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch);
/// Puts a row got from result_row into the tensor.
void store_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, const float* values);

/// One of the four rows (0 … 3) of scratch memory that a kernel has when it asks for nothing else.
inline float* scratch_row(const OpContext& context, std::size_t i) {
    return context.scratch.data() + i * (context.scratch.size() / 4 / 16 * 16);
}

/// Rows are plain floats side by side.
bool has_float_rows(const Tensor& t);
/// load_row and store_row can serve it.
bool is_readable(const Tensor& t);
bool is_writable(const Tensor& t);

/// Calls body(i) for this thread's part of `count` things, each of them some work; asks in between whether to
/// stop.
template <class Body>
void for_my_part(const OpContext& context, std::int64_t count, Body&& body) {
    const Range mine = context.my_part(count);
    for (std::int64_t i = mine.first; i < mine.last && !context.to_stop(); ++i) body(i);
}

/// Calls body(i1, i2, i3) for this thread's part of the rows of a shape; asks in between whether to stop.
template <class Body>
void for_my_rows(const OpContext& context, const Shape& ne, Body&& body) {
    const Range mine = context.my_part(ne[1] * ne[2] * ne[3]);
    if (mine.first >= mine.last) return;
    std::int64_t i1 = mine.first % ne[1];
    std::int64_t i2 = mine.first / ne[1] % ne[2];
    std::int64_t i3 = mine.first / (ne[1] * ne[2]);
    // Rarely enough for rows of one element, often enough for rows that are much work.
    constexpr std::int64_t kElementsBetween = 1024;
    std::int64_t left = kElementsBetween;
    for (std::int64_t row = mine.first; row < mine.last; ++row) {
        body(i1, i2, i3);
        if ((left -= ne[0]) <= 0) {
            if (context.to_stop()) return;
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

/// The index of an I32 or I64 tensor as a 64-bit number.
inline std::int64_t index_value(const TensorRef& t, std::int64_t i0, std::int64_t i1 = 0, std::int64_t i2 = 0,
                                std::int64_t i3 = 0) {
    return t->type == ElementType::i64 ? t.value<std::int64_t>(i0, i1, i2, i3)
                                       : t.value<std::int32_t>(i0, i1, i2, i3);
}

// Answers for OpKernel::supports.
inline OpSupport refuse_type(TensorId culprit, const OpQuery& query) {
    return {RefusalRule::op_with_type, culprit, query.graph[culprit].type};
}
inline OpSupport refuse_layout(TensorId culprit, const OpQuery& query) {
    return {RefusalRule::layout, culprit, query.graph[culprit].type};
}
inline OpSupport refuse_parameter(const OpQuery& query) {
    return {RefusalRule::parameter, query.node, query.tensor().type};
}

/// Every source can be read row by row as floats, and the result can be written so.
OpSupport rows_support(const OpQuery& query);
/// Sources and result are F32, with the elements of a row side by side.
OpSupport float_rows_support(const OpQuery& query);

}  // namespace splitscope::cpu
