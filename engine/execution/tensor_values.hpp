// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/support/job.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Number of values decoded at once: a whole number of blocks of every type.
inline constexpr std::int64_t kValuesAtOnce = 4096;

/// Whether values of a type can be decoded.
bool can_show_values(ElementType type);

/// `count` values from element `first` of one row of dimension 0. `bytes` starts at the tensor's first
/// element and follows its strides; `row` counts ne[1]·ne[2]·ne[3]. Throws Error(range) if the bytes end
/// early, Error(unsupported) for types without a decoder.
std::vector<float> row_values(const Tensor& t, std::span<const std::byte> bytes, std::int64_t row,
                              std::int64_t first, std::int64_t count);

inline constexpr std::size_t kHistogramBins = 64;
/// Maximum number of cells on the longer side of a heat map.
inline constexpr std::int64_t kHeatMapSide = 256;

/// Statistics of a tensor's values. NaN and infinities are counted and otherwise excluded.
struct TensorStatistics {
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    std::int64_t zeros = 0;
    float min = 0;
    float max = 0;
    double mean = 0;
    double deviation = 0;                              ///< standard deviation of the whole population
    std::array<std::uint64_t, kHistogramBins> bins{};  ///< of equal width from min to max
    /// Mean of the finite values of each cell, row by row of dimension 1 (higher dimensions follow below);
    /// NaN for a cell without finite values.
    std::int64_t map_columns = 0;
    std::int64_t map_rows = 0;
    std::vector<float> map;

    std::int64_t finite() const { return count - nan - infinite; }
};

/// Two passes over all values; cancelled by job.check().
TensorStatistics tensor_statistics(const Tensor& t, std::span<const std::byte> bytes,
                                   const JobContext& job = {});

/// Differences between values and reference values.
struct ValueDifference {
    double nmse = 0;     ///< Σ(a-b)² / Σb²
    double largest = 0;  ///< max |a-b|
    std::int64_t largest_at = -1;
    std::int64_t differing = 0;
    std::int64_t count = 0;
    std::int64_t both_nan = 0;  ///< elements that are NaN on both sides, which counts as equal
};

/// Compares two tensors of equal shape; types may differ. Throws Error(layout) if the shapes differ.
ValueDifference compare_values(const Tensor& a, std::span<const std::byte> a_bytes, const Tensor& b,
                               std::span<const std::byte> b_bytes, const JobContext& job = {});

/// Whether a value is NaN or infinite; negative infinities do not count if the tensor may hold a mask
/// (masks.hpp). Always false for integer types.
bool has_not_finite(const Tensor& t, std::span<const std::byte> bytes, bool may_hold_mask = false);
/// As above, or whether a value is not in [low, high].
bool has_outside(const Tensor& t, std::span<const std::byte> bytes, double low, double high);

}  // namespace splitscope
