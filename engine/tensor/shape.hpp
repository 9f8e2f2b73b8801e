// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Product of the extents, those of 0 counted as 1, or nothing when it does not fit: every product of some of
/// them fits too.
std::optional<std::int64_t> checked_extent(const Shape& ne);

/// Strides of a contiguous tensor of this type and shape.
Shape contiguous_strides(ElementType type, const Shape& ne);

std::int64_t element_count(const Tensor& t);
/// Rows of dimension 0: ne[1]·ne[2]·ne[3].
std::int64_t row_count(const Tensor& t);

/// Bytes from the first to the end of the last element (scheduler.md §1.1); 0 when any dimension is empty.
std::uint64_t byte_size(const Tensor& t);
/// As generations before 2025-06 computed it: no guard for empty dimensions, so it can wrap around.
std::uint64_t byte_size_unguarded(const Tensor& t);

/// From the first byte to the end of the block that holds the last element, 0 for an empty tensor; nothing
/// when that does not fit.
std::optional<std::int64_t> byte_reach(const Tensor& t);

/// Same type, ne and nb.
bool same_layout(const Tensor& a, const Tensor& b);
bool same_shape(const Tensor& a, const Tensor& b);
bool is_empty(const Tensor& t);
bool is_contiguous(const Tensor& t);
/// The elements of each row lie side by side; rows may be anywhere.
bool has_contiguous_rows(const Tensor& t);
/// `small` repeats a whole number of times in every dimension of `big`.
bool can_repeat(const Tensor& small, const Tensor& big);
/// nb[0] > nb[1]: the first two dimensions are swapped in memory.
bool is_transposed(const Tensor& t);

/// "2048 × 32 × 7": trailing ones left out, at least one number.
std::string format_shape(const Shape& ne);

}  // namespace splitscope
