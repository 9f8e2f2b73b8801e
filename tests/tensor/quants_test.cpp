// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"

namespace splitscope {
namespace {

constexpr ElementType kWeighted[] = {ElementType::iq2_xxs, ElementType::iq2_xs, ElementType::iq2_s,
                                     ElementType::iq3_xxs, ElementType::iq3_s,  ElementType::iq1_s,
                                     ElementType::iq1_m};

std::vector<float> normal_values(std::size_t n) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> values(n);
    for (float& v : values) v = normal(random);
    return values;
}

std::vector<float> coded(ElementType type, const std::vector<float>& values,
                         const std::vector<float>& importances) {
    const auto& traits = traits_of(type);
    std::vector<std::byte> blocks(values.size() / static_cast<std::size_t>(traits.block_elements) *
                                  static_cast<std::size_t>(traits.block_bytes));
    quantise(type, values, importances, blocks);
    std::vector<float> decoded(values.size());
    dequantise(type, blocks, decoded);
    return decoded;
}

/// Squared error of the elements [first, last).
double error_of(const std::vector<float>& a, const std::vector<float>& b, std::size_t first,
                std::size_t last) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    return sum;
}

TEST(Quantise, CodebookTypesRequireImportance) {
    const std::vector<float> values(256, 1.0F);
    for (const ElementType type : kWeighted) {
        EXPECT_FALSE(can_encode(type)) << name_of(type);
        EXPECT_TRUE(can_encode_weighted(type)) << name_of(type);
        std::vector<std::byte> blocks(static_cast<std::size_t>(traits_of(type).block_bytes));
        EXPECT_THROW(quantise(type, values, blocks), Error) << name_of(type);
        EXPECT_THROW(quantise(type, values, std::vector<float>(128, 1.0F), blocks), Error) << name_of(type);
        EXPECT_THROW(quantise(type, values, std::vector<float>(), blocks), Error) << name_of(type);
    }
}

TEST(Quantise, ImportantColumnsAreMoreAccurate) {
    const auto values = normal_values(2048);
    std::vector<float> importances(2048, 1.0F);
    std::fill_n(importances.begin(), 1024, 64.0F);
    std::vector<float> mixed(2048, 1.0F);
    for (std::size_t i = 0; i < mixed.size(); i += 4) mixed[i] = 64.0F;
    for (const ElementType type : kWeighted) {
        const auto even = coded(type, values, std::vector<float>(2048, 1.0F));
        const auto weighted = coded(type, values, mixed);
        double even_error = 0;
        double weighted_error = 0;
        for (std::size_t i = 0; i < mixed.size(); i += 4) {
            even_error += error_of(even, values, i, i + 1);
            weighted_error += error_of(weighted, values, i, i + 1);
        }
        EXPECT_LT(weighted_error, even_error) << name_of(type);
        // Blocks with uniform importance are encoded as without importance.
        EXPECT_EQ(coded(type, values, importances), even) << name_of(type);
    }
}

TEST(Quantise, EncodesZerosAndNonFiniteNumbers) {
    std::vector<float> values(512, 0.0F);
    values[300] = std::numeric_limits<float>::infinity();
    values[301] = std::numeric_limits<float>::quiet_NaN();
    values[302] = -3.0F;
    for (const ElementType type : kWeighted) {
        const auto decoded = coded(type, values, std::vector<float>(512, 1.0F));
        for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(decoded[i], 0.0F) << name_of(type);
        for (std::size_t i = 256; i < 512; ++i) EXPECT_TRUE(std::isfinite(decoded[i])) << name_of(type);
    }
}

}  // namespace
}  // namespace splitscope
