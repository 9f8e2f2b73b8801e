// SPDX-License-Identifier: MIT
#include "engine/execution/tensor_values.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

Tensor matrix(std::int64_t columns, std::int64_t rows) {
    Tensor t;
    t.ne = {columns, rows, 1, 1};
    t.nb = contiguous_strides(t.type, t.ne);
    return t;
}

TEST(TensorValues, RowsFollowStrides) {
    std::vector<float> memory(6);
    std::iota(memory.begin(), memory.end(), 0.0F);
    Tensor t = matrix(3, 2);
    EXPECT_EQ(row_values(t, std::as_bytes(std::span(memory)), 1, 1, 2), (std::vector<float>{4, 5}));
    t.ne = {2, 3, 1, 1};
    t.nb = {12, 4, 24, 24};  // transposed
    EXPECT_EQ(row_values(t, std::as_bytes(std::span(memory)), 1, 0, 2), (std::vector<float>{1, 4}));
    EXPECT_THROW(row_values(t, std::as_bytes(std::span(memory)), 3, 0, 1), Error);
    EXPECT_THROW(row_values(t, std::as_bytes(std::span(memory)).first(8), 2, 0, 2), Error);
}

TEST(TensorValues, StatisticsIgnoreNonFiniteValues) {
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> memory{1, 3, 0, std::nanf(""), inf, -inf};
    const TensorStatistics s = tensor_statistics(matrix(3, 2), std::as_bytes(std::span(memory)));
    EXPECT_EQ(s.count, 6);
    EXPECT_EQ(s.nan, 1);
    EXPECT_EQ(s.infinite, 2);
    EXPECT_EQ(s.zeros, 1);
    EXPECT_EQ(s.min, 0);
    EXPECT_EQ(s.max, 3);
    EXPECT_NEAR(s.mean, 4.0 / 3, 1e-12);
    EXPECT_NEAR(s.deviation, std::sqrt(14.0 / 9), 1e-12);
    EXPECT_EQ(std::accumulate(s.bins.begin(), s.bins.end(), std::uint64_t{0}), 3U);
    ASSERT_EQ(s.map.size(), 6U);
    EXPECT_EQ(s.map[1], 3);
    EXPECT_TRUE(std::isnan(s.map[3]));
    EXPECT_TRUE(has_not_finite(matrix(3, 2), std::as_bytes(std::span(memory))));
    EXPECT_FALSE(has_not_finite(matrix(3, 1), std::as_bytes(std::span(memory))));
}

TEST(TensorValues, NegativeInfinitiesOfMasksAreFine) {
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> mask{0, -inf, -inf};
    const std::vector<float> both{inf, -inf, 0};
    const Tensor t = matrix(3, 1);
    const auto found = [&t](const std::vector<float>& v, bool may_hold_mask) {
        return has_not_finite(t, std::as_bytes(std::span(v)), may_hold_mask);
    };
    EXPECT_FALSE(found(mask, true));
    EXPECT_TRUE(found(both, true));
    EXPECT_TRUE(found({std::nanf(""), -inf, 0}, true));
    EXPECT_TRUE(found(mask, false));
}

TEST(TensorValues, NanOnBothSidesIsEqualAndCounted) {
    const float nan = std::nanf("");
    const std::vector<float> a{1, nan, nan, 4};
    const std::vector<float> b{1, nan, 3, 4};
    const Tensor t = matrix(2, 2);
    const auto bytes = [](const std::vector<float>& v) { return std::as_bytes(std::span(v)); };
    const ValueDifference d = compare_values(t, bytes(a), t, bytes(b));
    EXPECT_EQ(d.both_nan, 1);
    EXPECT_EQ(d.differing, 1);
    EXPECT_EQ(d.largest_at, 2);
    EXPECT_EQ(compare_values(t, bytes(b), t, bytes(b)).both_nan, 1);
    EXPECT_EQ(compare_values(t, bytes(b), t, bytes(b)).nmse, 0);
}

TEST(TensorValues, DifferencesHaveAPosition) {
    const std::vector<float> a{1, 2, 3, 4};
    const std::vector<float> b{1, 2, 5, 4};
    const Tensor t = matrix(2, 2);
    const auto bytes = [](const std::vector<float>& v) { return std::as_bytes(std::span(v)); };
    const ValueDifference d = compare_values(t, bytes(a), t, bytes(b));
    EXPECT_EQ(d.differing, 1);
    EXPECT_EQ(d.largest_at, 2);
    EXPECT_EQ(d.largest, 2);
    EXPECT_NEAR(d.nmse, 4.0 / 46, 1e-12);
    EXPECT_EQ(compare_values(t, bytes(a), t, bytes(a)).differing, 0);
    EXPECT_THROW(compare_values(t, bytes(a), matrix(4, 1), bytes(a)), Error);
}

}  // namespace
}  // namespace splitscope
