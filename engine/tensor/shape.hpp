// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// The product of the extents with 0 counted as 1, or empty on overflow: then the product of any subset fits
/// as well.
std::optional<std::int64_t> checked_extent(const Shape& ne);

/// Strides of a contiguous tensor with this type and shape.
Shape contiguous_strides(ElementType type, const Shape& ne);

std::int64_t element_count(const Tensor& t);
/// Rows of dimension 0: ne[1]·ne[2]·ne[3].
std::int64_t row_count(const Tensor& t);

/// Bytes from the first element to the end of the last (scheduler.md §1.1); 0 if any dimension is empty.
std::uint64_t byte_size(const Tensor& t);
/// Bytes of the elements alone, without those between them: at most byte_size().
std::uint64_t element_bytes(const Tensor& t);
/// As byte_size() was computed before generation 2025-06: without a guard for empty dimensions, so it can
/// wrap around.
std::uint64_t byte_size_unguarded(const Tensor& t);

/// Bytes from the start to the end of the block with the last element, 0 for an empty tensor; empty on
/// overflow.
std::optional<std::int64_t> byte_reach(const Tensor& t);

/// Same type, ne and nb.
bool same_layout(const Tensor& a, const Tensor& b);
bool same_shape(const Tensor& a, const Tensor& b);
bool is_empty(const Tensor& t);
bool is_contiguous(const Tensor& t);
/// Whether the elements of each row are contiguous; rows may be anywhere.
bool has_contiguous_rows(const Tensor& t);
/// Whether `small` divides `big` evenly in every dimension.
bool can_repeat(const Tensor& small, const Tensor& big);

/// "2048 × 32 × 7", without trailing ones, with at least one number.
std::string format_shape(const Shape& ne);

}  // namespace splitscope
