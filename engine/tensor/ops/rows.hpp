// SPDX-License-Identifier: MIT
// Copies, and rows selected by index.
#pragma once

#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline bool is_index_type(ElementType type) {
    return type == ElementType::i32 || type == ElementType::i64;
}

/// Types that require importance weights for encoding are not supported as destination (backend-api.md §8.1).
inline OpSupport copy_rule(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    if (!can_encode(dst.type)) return refuse_type(query.node, query);
    if (src.type != dst.type && !can_decode(src.type)) return refuse_type(source, query);
    if (element_count(src) != element_count(dst)) return refuse_layout(source, query);
    const bool blocks = traits_of(src.type).quantised || traits_of(dst.type).quantised;
    if (!blocks) return {};
    if (same_shape(src, dst)) {
        if (src.type != dst.type && !is_readable(src)) return refuse_layout(source, query);
        if (src.type != dst.type && !is_writable(dst)) return refuse_layout(query.node, query);
        if (src.type == dst.type && !(has_contiguous_rows(src) && has_contiguous_rows(dst))) {
            return refuse_layout(source, query);
        }
        return {};
    }
    if (!is_contiguous(src)) return refuse_layout(source, query);
    if (!is_contiguous(dst)) return refuse_layout(query.node, query);
    return {};
}

inline OpSupport get_rows_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& table = query.graph[sources[0]];
    const Tensor& ids = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (!can_decode(table.type)) return refuse_type(sources[0], query);
    if (!is_index_type(ids.type)) return refuse_type(sources[1], query);
    if (table.type != dst.type && dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!is_readable(table) || table.ne[0] != dst.ne[0]) return refuse_layout(sources[0], query);
    if (ids.ne[0] != dst.ne[1] || ids.ne[1] != dst.ne[2] || ids.ne[2] != dst.ne[3] ||
        table.ne[2] < dst.ne[2] || table.ne[3] < dst.ne[3]) {
        return refuse_layout(sources[1], query);
    }
    return {};
}

inline OpSupport set_rows_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& src = query.graph[sources[0]];
    const Tensor& ids = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (!can_encode(dst.type)) return refuse_type(query.node, query);
    if (!can_decode(src.type)) return refuse_type(sources[0], query);
    if (!is_index_type(ids.type)) return refuse_type(sources[1], query);
    if (!is_writable(dst)) return refuse_layout(query.node, query);
    if (!is_readable(src) || src.ne[0] != dst.ne[0] || src.ne[2] > dst.ne[2] || src.ne[3] > dst.ne[3]) {
        return refuse_layout(sources[0], query);
    }
    const bool no_indices = is_empty(ids) && !is_empty(src);
    if (ids.ne[0] != src.ne[1] || no_indices) return refuse_layout(sources[1], query);
    return {};
}

inline OpSupport get_rows_back_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& src = query.graph[sources[0]];
    const Tensor& ids = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (src.type != ElementType::f32 && src.type != ElementType::f16) return refuse_type(sources[0], query);
    if (ids.type != ElementType::i32) return refuse_type(sources[1], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(dst) || dst.ne[2] != 1 || dst.ne[3] != 1) return refuse_layout(query.node, query);
    if (src.ne[0] != dst.ne[0] || src.ne[2] != 1 || src.ne[3] != 1) return refuse_layout(sources[0], query);
    return ids.ne[0] >= src.ne[1] ? OpSupport{} : refuse_layout(sources[1], query);
}

}  // namespace splitscope::op_rules
