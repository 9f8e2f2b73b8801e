// SPDX-License-Identifier: MIT
#include "backends/cpu/rows.hpp"

#include "backends/cpu/kernels/kernels.hpp"
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

bool has_float_rows(const Tensor& t) {
    return t.type == ElementType::f32 && has_contiguous_rows(t);
}

namespace {

bool rows_fit(const Tensor& t) {
    const auto& traits = traits_of(t.type);
    return t.ne[0] % traits.block_elements == 0 && (traits.block_elements == 1 || has_contiguous_rows(t));
}

}  // namespace

bool is_readable(const Tensor& t) {
    return can_decode(t.type) && rows_fit(t);
}
bool is_writable(const Tensor& t) {
    return can_encode(t.type) && rows_fit(t);
}

OpSupport rows_support(const OpQuery& query) {
    if (!can_encode(query.tensor().type)) return refuse_type(query.node, query);
    if (!is_writable(query.tensor())) return refuse_layout(query.node, query);
    for (const TensorId source : query.graph.sources(query.node)) {
        if (!source.valid()) continue;
        if (!can_decode(query.graph[source].type)) return refuse_type(source, query);
        if (!is_readable(query.graph[source])) return refuse_layout(source, query);
    }
    return {};
}

OpSupport float_rows_support(const OpQuery& query) {
    const auto check = [&query](TensorId id) -> OpSupport {
        if (query.graph[id].type != ElementType::f32) return refuse_type(id, query);
        if (!has_float_rows(query.graph[id])) return refuse_layout(id, query);
        return {};
    };
    if (const OpSupport refused = check(query.node); !refused) return refused;
    for (const TensorId source : query.graph.sources(query.node)) {
        if (!source.valid()) continue;
        if (const OpSupport refused = check(source); !refused) return refused;
    }
    return {};
}

}  // namespace splitscope::cpu
