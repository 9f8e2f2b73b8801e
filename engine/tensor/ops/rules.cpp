// SPDX-License-Identifier: MIT
#include "engine/tensor/ops/rules.hpp"

#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {

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

namespace op_rules {

OpSupport readable_rows(const OpQuery& query) {
    if (!can_encode(query.tensor().type)) return refuse_type(query.node, query);
    if (!is_writable(query.tensor())) return refuse_layout(query.node, query);
    for (const TensorId source : query.graph.sources(query.node)) {
        if (!source.valid()) continue;
        if (!can_decode(query.graph[source].type)) return refuse_type(source, query);
        if (!is_readable(query.graph[source])) return refuse_layout(source, query);
    }
    return {};
}

OpSupport float_rows(const OpQuery& query) {
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

OpSupport same_shapes(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && !same_shape(query.graph[source], query.tensor()))
            return refuse_layout(source, query);
    }
    return {};
}

}  // namespace op_rules
}  // namespace splitscope
