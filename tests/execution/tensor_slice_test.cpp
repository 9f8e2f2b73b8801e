// SPDX-License-Identifier: MIT
#include "engine/execution/tensor_slice.hpp"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Each value is the number of its element.
struct Numbered {
    explicit Numbered(ElementType type, Shape ne) {
        tensor.name = "numbered";
        tensor.type = type;
        tensor.ne = ne;
        tensor.nb = contiguous_strides(type, ne);
        std::vector<float> values(static_cast<std::size_t>(element_count(tensor)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
        bytes.resize(byte_size(tensor));
        quantise(type, values, bytes);
    }
    Tensor tensor;
    std::vector<std::byte> bytes;
};

TEST(TensorSlice, AnyTwoDimensionsFormATable) {
    const Numbered t(ElementType::f32, {4, 3, 5, 2});
    for (std::size_t column = 0; column < kMaxDims; ++column) {
        for (std::size_t row = 0; row < kMaxDims; ++row) {
            if (row == column) continue;
            SliceChoice slice{column, row, {1, 2, 3, 1}};
            const SliceTensor part = slice_of(t.tensor, slice);
            const std::span<const std::byte> bytes(t.bytes);
            for (std::int64_t r = 0; r < t.tensor.ne[row]; ++r) {
                for (std::int64_t c = 0; c < t.tensor.ne[column]; ++c) {
                    const Shape element = element_of(slice, r, c);
                    const float value = value_at(t.tensor, t.bytes, element);
                    EXPECT_EQ(value, static_cast<float>(element_number(t.tensor, element)));
                    EXPECT_EQ(element_at(t.tensor, element_number(t.tensor, element)), element);
                    EXPECT_EQ(row_values(part.tensor, bytes.subspan(part.offset), r, c, 1).front(), value);
                }
            }
            const TensorStatistics s = tensor_statistics(part.tensor, bytes.subspan(part.offset));
            EXPECT_EQ(s.count, t.tensor.ne[row] * t.tensor.ne[column]);
        }
    }
}

TEST(TensorSlice, NeverCutsBlocks) {
    const Numbered t(ElementType::q8_0, {64, 3, 1, 1});
    EXPECT_THROW(slice_of(t.tensor, {1, 0, {}}), Error);
    EXPECT_EQ(slice_of(t.tensor, {0, 1, {}}).tensor.ne[1], 3);
    EXPECT_THROW(slice_of(t.tensor, {0, 0, {}}), Error);
    EXPECT_THROW(value_at(t.tensor, t.bytes, {0, 3, 0, 0}), Error);
}

TEST(TensorSlice, FirstSliceIsNotEmpty) {
    EXPECT_EQ(first_slice(Numbered(ElementType::f32, {4, 1, 5, 1}).tensor).row_axis, 2U);
    EXPECT_EQ(first_slice(Numbered(ElementType::f32, {4, 1, 1, 1}).tensor).row_axis, 1U);
}

TEST(TensorSlice, WritesOneValue) {
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
        Numbered t(type, {4, 3, 1, 1});
        set_value(t.tensor, t.bytes, {2, 1, 0, 0}, -8);
        EXPECT_EQ(value_at(t.tensor, t.bytes, {2, 1, 0, 0}), -8);
        EXPECT_EQ(value_at(t.tensor, t.bytes, {3, 1, 0, 0}), 7);
    }
    Numbered quantised(ElementType::q8_0, {32, 1, 1, 1});
    EXPECT_THROW(set_value(quantised.tensor, quantised.bytes, {}, 1), Error);
}

TEST(TensorSlice, ListsDifferencesLargestFirst) {
    const Numbered a(ElementType::f32, {8, 4, 1, 1});
    Numbered b = a;
    set_value(b.tensor, b.bytes, {3, 1, 0, 0}, 12);
    set_value(b.tensor, b.bytes, {5, 2, 0, 0}, 100);
    set_value(b.tensor, b.bytes, {1, 0, 0, 0}, 1.5F);
    DifferenceList list = list_differences(a.tensor, a.bytes, b.tensor, b.bytes, 2);
    EXPECT_EQ(list.first, 1);
    ASSERT_EQ(list.largest.size(), 2U);
    EXPECT_EQ(list.largest[0].number, 21);
    EXPECT_EQ(list.largest[0].b, 100);
    EXPECT_EQ(list.largest[1].number, 11);
    set_value(b.tensor, b.bytes, {0, 3, 0, 0}, std::nanf(""));
    list = list_differences(a.tensor, a.bytes, b.tensor, b.bytes, 5);
    EXPECT_EQ(list.largest.size(), 4U);
    EXPECT_EQ(list.largest[0].number, 24);
    EXPECT_TRUE(list_differences(a.tensor, a.bytes, a.tensor, a.bytes, 5).largest.empty());
    EXPECT_EQ(list_differences(a.tensor, a.bytes, a.tensor, a.bytes, 5).first, -1);
}

TEST(TensorSlice, FilesContainAllValues) {
    const Numbered t(ElementType::f16, {3, 2, 1, 1});
    EXPECT_EQ(values_as_csv(t.tensor, t.bytes), "0,1,2\n3,4,5\n");
    const std::string npy = values_as_npy(t.tensor, t.bytes);
    ASSERT_GT(npy.size(), 24U);
    EXPECT_EQ(npy.substr(1, 5), "NUMPY");
    EXPECT_NE(npy.find("'shape': (1, 1, 2, 3)"), std::string::npos);
    const std::size_t header =
        10 + static_cast<unsigned char>(npy[8]) + 256U * static_cast<unsigned char>(npy[9]);
    EXPECT_EQ(header % 64, 0U);
    ASSERT_EQ(npy.size(), header + 24);
    float last = 0;
    std::memcpy(&last, npy.data() + header + 20, 4);
    EXPECT_EQ(last, 5);
}

}  // namespace
}  // namespace splitscope
