// SPDX-License-Identifier: MIT
// Sums, counts, sorting and losses.
#pragma once

#include <cstddef>

#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport argmax_rule(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    if (!is_readable(src)) return refuse_type(source, query);
    if (query.tensor().type != ElementType::i32) return refuse_type(query.node, query);
    if (src.ne[2] != 1 || src.ne[3] != 1 || is_empty(src)) return refuse_layout(source, query);
    return query.tensor().ne[0] == src.ne[1] ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport count_equal_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        if (query.graph[sources[i]].type != ElementType::i32) return refuse_type(sources[i], query);
    }
    if (!same_shape(query.graph[sources[0]], query.graph[sources[1]]))
        return refuse_layout(sources[1], query);
    return query.tensor().type == ElementType::i64 ? OpSupport{} : refuse_type(query.node, query);
}

inline OpSupport single_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    return element_count(query.tensor()) == 1 ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport cross_entropy_rule(const OpQuery& query) {
    if (const OpSupport refused = single_rule(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    return same_shape(query.graph[sources[0]], query.graph[sources[1]]) ? OpSupport{}
                                                                        : refuse_layout(sources[1], query);
}

inline OpSupport row_sum_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    Shape expected = query.graph[source].ne;
    expected[0] = 1;
    return query.tensor().ne == expected ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport cumsum_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    return same_shape(query.graph[source], query.tensor()) ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport repeat_back_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    return can_repeat(query.tensor(), query.graph[source]) ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport order_rule(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    const Tensor& dst = query.tensor();
    if (!is_readable(src)) return refuse_type(source, query);
    if (dst.type != ElementType::i32) return refuse_type(query.node, query);
    const bool sized = dst.op == Op::argsort ? dst.ne[0] == src.ne[0] : dst.ne[0] <= src.ne[0];
    if (!sized || dst.ne[1] != src.ne[1] || dst.ne[2] != src.ne[2] || dst.ne[3] != src.ne[3] ||
        !has_contiguous_rows(dst)) {
        return refuse_layout(query.node, query);
    }
    return {};
}

}  // namespace splitscope::op_rules
