// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/support/job.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Two dimensions of a tensor shown as a table; the others are fixed.
struct SliceChoice {
    std::size_t column_axis = 0;
    std::size_t row_axis = 1;
    Shape index{};  ///< of the fixed dimensions
    friend bool operator==(const SliceChoice&, const SliceChoice&) = default;
};

/// Columns and rows are the first two dimensions larger than one.
SliceChoice first_slice(const Tensor& t);
/// Tensor index of an element of the slice.
Shape element_of(const SliceChoice& slice, std::int64_t row, std::int64_t column);
/// Linear index of an element in logical order, dimension 0 fastest, and its inverse.
std::int64_t element_number(const Tensor& t, const Shape& element);
Shape element_at(const Tensor& t, std::int64_t number);

/// The slice as a tensor: columns are dimension 0, rows dimension 1. Its data starts `offset` bytes after
/// that of `t`.
struct SliceTensor {
    Tensor tensor;
    std::uint64_t offset = 0;
};
/// Errors: range; unsupported, if the slice would cut blocks of a quantised type (dimension 0 must be the
/// columns).
SliceTensor slice_of(const Tensor& t, const SliceChoice& slice);

/// One value. Errors as row_values().
float value_at(const Tensor& t, std::span<const std::byte> bytes, const Shape& element);
/// Whether single values can be written; false for types with several elements per block.
bool can_edit_values(ElementType type);
/// Overwrites one value, rounded to the type. Errors: unsupported, range.
void set_value(const Tensor& t, std::span<std::byte> bytes, const Shape& element, float value);

/// One element that differs.
struct DifferingElement {
    std::int64_t number = 0;  ///< in logical order
    float a = 0;
    float b = 0;
};

struct DifferenceList {
    std::int64_t first = -1;                ///< the first element that differs; -1 = none
    std::vector<DifferingElement> largest;  ///< by |a-b|, NaN first, then in logical order
};

/// The elements of two tensors of equal shape that differ most, at most `most`. Errors: layout.
DifferenceList list_differences(const Tensor& a, std::span<const std::byte> a_bytes, const Tensor& b,
                                std::span<const std::byte> b_bytes, std::size_t most,
                                const JobContext& job = {});

/// The values as a NumPy file (.npy, float32, C order: the last dimension is dimension 0), or as text with
/// one line per row of dimension 0. Errors: unsupported.
std::string values_as_npy(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job = {});
std::string values_as_csv(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job = {});

}  // namespace splitscope
