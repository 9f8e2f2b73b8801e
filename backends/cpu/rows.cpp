// SPDX-License-Identifier: MIT
#include "backends/cpu/rows.hpp"

#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {

void decode_row(ElementType type, const std::byte* row, float* values, std::int64_t n) {
    switch (type) {
        case ElementType::f16:
            return kernels::f16_to_f32(reinterpret_cast<const std::uint16_t*>(row), values, n);
        case ElementType::bf16:
            return kernels::bf16_to_f32(reinterpret_cast<const std::uint16_t*>(row), values, n);
        default:
            return codec_of(type).decode(row, values, n);
    }
}

void encode_row(ElementType type, const float* values, std::byte* row, std::int64_t n) {
    switch (type) {
        case ElementType::f16:
            return kernels::f32_to_f16(values, reinterpret_cast<std::uint16_t*>(row), n);
        case ElementType::bf16:
            return kernels::f32_to_bf16(values, reinterpret_cast<std::uint16_t*>(row), n);
        default:
            return codec_of(type).encode(values, row, n);
    }
}

const float* load_row(const Tensor& t, const std::byte* row, float* scratch) {
    if (has_contiguous_rows(t)) {
        if (t.type == ElementType::f32) return reinterpret_cast<const float*>(row);
        decode_row(t.type, row, scratch, t.ne[0]);
    } else {
        for (std::int64_t i = 0; i < t.ne[0]; ++i) decode_row(t.type, row + i * t.nb[0], scratch + i, 1);
    }
    return scratch;
}

const float* load_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch) {
    return load_row(*t, t.at(i1, i2, i3), scratch);
}

float* result_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, float* scratch) {
    return has_float_rows(*t) ? t.row<float>(i1, i2, i3) : scratch;
}

void store_row(const TensorRef& t, std::int64_t i1, std::int64_t i2, std::int64_t i3, const float* values) {
    std::byte* row = t.at(i1, i2, i3);
    if (has_contiguous_rows(*t)) {
        if (reinterpret_cast<const float*>(row) != values) encode_row(t->type, values, row, t->ne[0]);
    } else {
        for (std::int64_t i = 0; i < t->ne[0]; ++i) encode_row(t->type, values + i, row + i * t->nb[0], 1);
    }
}

}  // namespace splitscope::cpu
