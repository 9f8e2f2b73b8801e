// SPDX-License-Identifier: MIT
#include "engine/tensor/shape.hpp"

#include <gtest/gtest.h>

namespace splitscope {
namespace {

Tensor make(ElementType type, const Shape& ne) {
    Tensor t;
    t.type = type;
    t.ne = ne;
    t.nb = contiguous_strides(type, ne);
    return t;
}

TEST(Shape, BytesOfPlainAndQuantisedTensors) {
    EXPECT_EQ(byte_size(make(ElementType::f32, {64, 8, 2, 1})), 4096u);
    EXPECT_EQ(byte_size(make(ElementType::q4_0, {64, 3, 1, 1})), 2u * 18 * 3);
    EXPECT_EQ(row_bytes(ElementType::q4_K, 512), 288);
    Tensor strided = make(ElementType::f16, {4, 4, 1, 1});
    strided.nb[1] = 100;
    EXPECT_EQ(byte_size(strided), 2u + 3 * 2 + 3 * 100);
}

TEST(Shape, EmptyTensorsHaveNoBytesExceptUnguarded) {
    const Tensor empty = make(ElementType::f32, {64, 0, 1, 1});
    EXPECT_TRUE(is_empty(empty));
    EXPECT_EQ(byte_size(empty), 0u);
    Tensor strided = empty;
    strided.nb[1] = 512;
    EXPECT_GT(byte_size_unguarded(strided), std::uint64_t{1} << 63) << "it wraps around";
}

TEST(Shape, LayoutPredicates) {
    const Tensor t = make(ElementType::f32, {64, 8, 1, 1});
    Tensor u = t;
    EXPECT_TRUE(same_layout(t, u) && same_shape(t, u) && is_contiguous(u) && has_contiguous_rows(u));
    std::swap(u.nb[0], u.nb[1]);
    EXPECT_FALSE(same_layout(t, u));
    EXPECT_FALSE(is_contiguous(u));
    EXPECT_TRUE(can_repeat(make(ElementType::f32, {64, 1, 1, 1}), t));
    EXPECT_FALSE(can_repeat(make(ElementType::f32, {48, 1, 1, 1}), t));
    EXPECT_EQ(element_count(t), 512);
    EXPECT_EQ(row_count(t), 8);
    EXPECT_EQ(format_shape({64, 8, 1, 1}), "64 × 8");
    EXPECT_EQ(format_shape({1, 1, 1, 1}), "1");
    EXPECT_EQ(format_shape({1, 1, 3, 1}), "1 × 1 × 3");
}

TEST(Names, AreKnownInBothDirections) {
    for (const ElementTypeTraits& traits : element_types()) {
        EXPECT_EQ(element_type_named(traits.name), traits.type);
        EXPECT_EQ(element_type_numbered(static_cast<std::uint32_t>(traits.type)), traits.type);
        EXPECT_EQ(traits.quantised, traits.block_elements > 1);
    }
    EXPECT_EQ(element_type_named("f99"), std::nullopt);
    EXPECT_EQ(element_type_numbered(4), std::nullopt);
    EXPECT_EQ(element_type_numbered(4'000'000'000u), std::nullopt);
    for (std::size_t i = 0; i < kOpCount; ++i) {
        EXPECT_EQ(op_named(name_of(static_cast<Op>(i))), static_cast<Op>(i));
    }
    EXPECT_EQ(op_named("add"), std::nullopt);
    EXPECT_EQ(unary_kind_named("SILU"), UnaryKind::silu);
    EXPECT_EQ(glu_kind_named("SWIGLU"), GluKind::swiglu);
    EXPECT_EQ(cut_name(std::string(80, 'x')).size(), kMaxNameBytes);
    EXPECT_TRUE(is_view_op(Op::permute));
    EXPECT_FALSE(is_view_op(Op::cpy));
}

}  // namespace
}  // namespace splitscope
