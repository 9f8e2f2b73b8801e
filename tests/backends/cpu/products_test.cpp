// SPDX-License-Identifier: MIT
// Products of each quantised type against a plain sum, for every remainder of rows and blocks. CMake runs
// this program once for each instruction set (SPLITSCOPE_INSTRUCTIONS).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "backends/cpu/activations_q8.hpp"
#include "backends/cpu/kernels/instruction_set.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/product.hpp"
#include "engine/tensor/quants/byte_form.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

std::vector<ElementType> quantised_weights() {
    std::vector<ElementType> types;
    for (const ElementTypeTraits& traits : element_types()) {
        if (byte_form_of(traits.type) != nullptr) types.push_back(traits.type);
    }
    return types;
}

/// A row in the common form of all types.
struct PlainRow {
    PlainRow(const ByteForm& form, std::int64_t depth)
        : codes(static_cast<std::size_t>(depth)),
          scales(static_cast<std::size_t>(depth / form.group)),
          mins(scales.size()) {}

    std::vector<std::int8_t> codes;
    std::vector<float> scales;
    std::vector<float> mins;
};

class Products : public testing::TestWithParam<ElementType> {
 protected:
    Products() { kernels::limit_instructions(); }

    const ElementType type_ = GetParam();
    const ByteForm& form_ = *byte_form_of(type_);
    const std::int64_t block_ = traits_of(type_).block_elements;
    std::mt19937 random_{static_cast<std::uint32_t>(type_) + 1};

    /// Every bit pattern may occur, but for scales that are not finite or very different.
    std::vector<std::byte> random_block() {
        std::vector<std::byte> block(row_bytes(type_, block_));
        PlainRow row(form_, block_);
        const auto usual = [](float scale) { return std::abs(scale) > 1e-3F && std::abs(scale) < 1e3F; };
        for (;;) {
            for (std::byte& byte : block) byte = static_cast<std::byte>(random_());
            form_.unpack(block.data(), block_, row.codes.data(), row.scales.data(), row.mins.data());
            if (std::abs(row.scales[0]) < 1e3F && std::isfinite(row.mins[0]) &&
                std::abs(row.mins[0]) < 1e5F && std::ranges::any_of(row.scales, usual)) {
                return block;
            }
        }
    }
    std::vector<std::byte> random_rows(std::int64_t depth, int rows) {
        std::vector<std::byte> bytes;
        for (std::int64_t i = 0; i < depth / block_ * rows; ++i) {
            const std::vector<std::byte> block = random_block();
            bytes.insert(bytes.end(), block.begin(), block.end());
        }
        return bytes;
    }

    struct Columns {
        Columns(ElementType type, std::int64_t depth, std::int64_t count)
            : memory(PreparedColumns::bytes(type, depth, count) / sizeof(Line) + 1),
              prepared(type, depth, count, memory.data()->bytes) {}
        struct alignas(64) Line {
            std::byte bytes[64];
        };
        std::vector<Line> memory;
        PreparedColumns prepared;
    };

    /// The sum in double precision, and the sum of magnitudes.
    struct Sum {
        double value = 0;
        double size = 0;
    };
    Sum plain_sum(const std::byte* weights, const std::vector<float>& x) const {
        const auto depth = static_cast<std::int64_t>(x.size());
        PlainRow row(form_, depth);
        form_.unpack(weights, depth, row.codes.data(), row.scales.data(), row.mins.data());
        std::vector<std::int8_t> codes(x.size());
        std::vector<float> scales(x.size() / 32);
        std::vector<float> sums(row.scales.size());
        std::vector<std::int32_t> starts(row.scales.size());
        quantise_activations(activation_type_of(type_), form_.group, x.data(), depth,
                             {codes.data(), scales.data(), sums.data(), starts.data()});
        Sum sum;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double product = double{row.scales[k / static_cast<std::size_t>(form_.group)]} *
                                   row.codes[k] * double{scales[k / 32]} * codes[k];
            sum.value += product;
            sum.size += std::abs(product);
        }
        if (!form_.has_mins) return sum;
        for (std::size_t g = 0; g < sums.size(); ++g) {
            const double product = double{row.mins[g]} * double{sums[g]};
            sum.value += product;
            sum.size += std::abs(product);
        }
        return sum;
    }

    void expect_products(std::int64_t depth, int rows, std::int64_t columns, float mean = 0) {
        const std::vector<std::byte> weights = random_rows(depth, rows);
        const auto stride = static_cast<std::ptrdiff_t>(row_bytes(type_, depth));
        Columns prepared(type_, depth, columns);
        std::normal_distribution<float> normal(mean);
        std::vector<std::vector<float>> x(static_cast<std::size_t>(columns));
        std::vector<float> out(static_cast<std::size_t>(rows * columns), -1.0F);
        std::vector<kernels::PanelColumn> list;
        for (std::int64_t c = 0; c < columns; ++c) {
            std::vector<float>& values = x[static_cast<std::size_t>(c)];
            values.resize(static_cast<std::size_t>(depth));
            for (float& value : values) value = normal(random_);
            prepared.prepared.set(c, values.data());
            list.push_back({c, out.data() + c * rows});
        }
        std::vector<Columns::Line> scratch(PreparedColumns::scratch_floats(type_, depth, rows) / 16 + 1);
        prepared.prepared.multiply(weights.data(), stride, rows, list, 0,
                                   reinterpret_cast<float*>(scratch.data()));
        for (std::int64_t c = 0; c < columns; ++c) {
            for (int r = 0; r < rows; ++r) {
                const Sum sum = plain_sum(weights.data() + r * stride, x[static_cast<std::size_t>(c)]);
                EXPECT_NEAR(out[static_cast<std::size_t>(c * rows + r)], sum.value, 2e-6 * sum.size)
                    << depth << " elements, row " << r << " of " << rows << ", column " << c << " of "
                    << columns;
            }
        }
    }
};

/// Small blocks are computed in batches of sixteen: every remainder occurs, and whole batches before it.
TEST_P(Products, MatchSumsOfAnyLength) {
    const std::int64_t most = block_ == 256 ? 5 : 35 * 32 / block_;
    for (std::int64_t blocks = 1; blocks <= most; ++blocks) expect_products(blocks * block_, 3, 1);
}

TEST_P(Products, MatchSumsForAnyNumberOfRows) {
    for (int rows = 1; rows <= 9; ++rows) expect_products(block_ * 2, rows, 1);
    expect_products(block_ * 3, 32, 1);
}

/// Sums of the activations make up for codes that are shifted to be positive: here they are large.
TEST_P(Products, MatchSumsOfActivationsOfOneSign) {
    expect_products(block_ == 256 ? 4 * block_ : 43 * 32 / block_ * block_, 3, 1, 20);
}

TEST_P(Products, MatchSumsForFewAndManyColumns) {
    for (const std::int64_t columns : {2, 3, 4, 7}) expect_products(block_ * 3, 5, columns);
}

/// Many columns are computed by 16 or 32 rows and 512 elements.
TEST_P(Products, MatchSumsOfPartsOfRowsForManyColumns) {
    for (const int rows : {15, 16, 17, 31, 32, 33}) expect_products(1024 + block_, rows, 5);
}

class ProductsOfLargeScales : public Products {};

/// Codes shifted to be positive would overflow.
TEST_P(ProductsOfLargeScales, ZeroWeightsGiveZero) {
    constexpr std::int64_t kDepth = 512;
    std::vector<std::byte> weights(row_bytes(type_, kDepth));
    for (std::size_t i = 0; i < weights.size(); i += row_bytes(type_, 32)) weights[i] = std::byte{254};
    for (const std::int64_t count : {1, 5}) {
        Columns prepared(type_, kDepth, count);
        std::vector<float> out(static_cast<std::size_t>(count), -1.0F);
        std::vector<kernels::PanelColumn> list;
        for (std::int64_t c = 0; c < count; ++c) {
            prepared.prepared.set(c, std::vector<float>(kDepth, 1e-3F).data());
            list.push_back({c, out.data() + c});
        }
        std::vector<Columns::Line> scratch(PreparedColumns::scratch_floats(type_, kDepth, 1) / 16 + 1);
        prepared.prepared.multiply(weights.data(), 0, 1, list, 0, reinterpret_cast<float*>(scratch.data()));
        for (const float value : out) EXPECT_EQ(value, 0.0F);
    }
}

/// Previously quantised activations may contain any byte.
TEST_P(Products, SmallestActivationCodeHasTheRightSign) {
    const ElementType x_type = activation_type_of(type_);
    const std::int64_t depth = std::max<std::int64_t>(block_, 256);
    std::vector<std::byte> x(row_bytes(x_type, depth));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::byte{0x80};
    const auto set_scale = [&](std::size_t at, float d) {
        if (x_type == ElementType::q8_K) {
            std::memcpy(x.data() + at, &d, sizeof(d));
        } else {
            const std::uint16_t half = f32_to_f16(d);
            std::memcpy(x.data() + at, &half, sizeof(half));
            const std::uint16_t sum = f32_to_f16(d * -127 * 32);
            if (x_type == ElementType::q8_1) std::memcpy(x.data() + at + 2, &sum, sizeof(sum));
        }
    };
    const std::int64_t x_block = traits_of(x_type).block_elements;
    for (std::int64_t k = 0; k < depth; k += x_block) set_scale(row_bytes(x_type, k), 0.25F);
    const std::vector<std::byte> weights = random_rows(depth, 3);
    const auto stride = static_cast<std::ptrdiff_t>(row_bytes(type_, depth));
    for (const std::int64_t count : {1, 5}) {
        Columns prepared(type_, depth, count);
        std::vector<float> out(static_cast<std::size_t>(3 * count), -1.0F);
        std::vector<kernels::PanelColumn> list;
        for (std::int64_t c = 0; c < count; ++c) {
            prepared.prepared.set_blocks(c, x.data());
            list.push_back({c, out.data() + c * 3});
        }
        std::vector<Columns::Line> scratch(PreparedColumns::scratch_floats(type_, depth, 3) / 16 + 1);
        prepared.prepared.multiply(weights.data(), stride, 3, list, 0,
                                   reinterpret_cast<float*>(scratch.data()));
        PlainRow row(form_, depth);
        for (std::size_t r = 0; r < 3; ++r) {
            form_.unpack(weights.data() + static_cast<std::ptrdiff_t>(r) * stride, depth, row.codes.data(),
                         row.scales.data(), row.mins.data());
            double sum = 0;
            double size = 0;
            for (std::size_t k = 0; k < row.codes.size(); ++k) {
                const std::size_t g = k / static_cast<std::size_t>(form_.group);
                const double weight = double{row.scales[g]} * row.codes[k] + double{row.mins[g]};
                sum += weight * -0.25 * 127;
                size += (std::abs(double{row.scales[g]} * row.codes[k]) + std::abs(double{row.mins[g]})) * 32;
            }
            // q8_1 rounds the sum of a block, q8_0 and q8_1 the scale.
            EXPECT_NEAR(out[r], sum, 1e-3 * size) << row.codes.size();
        }
    }
}

/// Zen 5 reads one row at a time; every machine can.
TEST(FloatProducts, AreTheSameForSingleRows) {
    kernels::limit_instructions();
    constexpr int kRows = 19;
    constexpr std::int64_t kDepth = 1024 + 7;
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    std::vector<float> x(kDepth);
    for (float& value : x) value = normal(random);
    using kernels::FloatFormat;
    for (const FloatFormat format : {FloatFormat::f32, FloatFormat::f16, FloatFormat::bf16}) {
        const std::size_t size = format == FloatFormat::f32 ? 4 : 2;
        std::vector<float> values(kRows * kDepth);
        for (float& value : values) value = normal(random);
        std::vector<std::byte> weights(values.size() * size);
        auto* const halves = reinterpret_cast<std::uint16_t*>(weights.data());
        const auto count = static_cast<std::int64_t>(values.size());
        if (format == FloatFormat::f32) std::memcpy(weights.data(), values.data(), weights.size());
        if (format == FloatFormat::f16) kernels::f32_to_f16(values.data(), halves, count);
        if (format == FloatFormat::bf16) kernels::f32_to_bf16(values.data(), halves, count);
        const auto products = [&](bool single_rows) {
            std::vector<float> out(kRows);
            kernels::FloatTile tile;
            tile.format = format;
            tile.depth = kDepth;
            tile.weights = weights.data();
            tile.weights_stride = kDepth * static_cast<std::ptrdiff_t>(size);
            tile.rows = kRows;
            tile.x = x.data();
            tile.columns = 1;
            tile.out = out.data();
            tile.single_rows = single_rows;
            kernels::multiply_tile(tile);
            return out;
        };
        EXPECT_EQ(products(true), products(false)) << static_cast<int>(format);
    }
}

INSTANTIATE_TEST_SUITE_P(Types, ProductsOfLargeScales, testing::Values(ElementType::mxfp4),
                         [](const auto& of) { return std::string(name_of(of.param)); });
INSTANTIATE_TEST_SUITE_P(Types, Products, testing::ValuesIn(quantised_weights()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace splitscope::cpu
