// SPDX-License-Identifier: MIT
// Matrix products.
#pragma once

#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/quants/byte_form.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport mul_mat_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& weights = query.graph[sources[0]];
    const Tensor& x = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (!is_weight_type(weights.type)) return refuse_type(sources[0], query);
    if (is_activation_type_of(x.type, weights.type)) {
        if (!has_contiguous_rows(x)) return refuse_layout(sources[1], query);
    } else if (!is_readable(x) || (x.type != ElementType::f32 && x.type != weights.type)) {
        return refuse_type(sources[1], query);
    }
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    // With depth 0 the result is zero; without rows or columns it is empty.
    if (!has_contiguous_rows(weights) || weights.ne[0] != x.ne[0] || weights.ne[2] == 0 ||
        weights.ne[3] == 0 || weights.ne[0] % traits_of(weights.type).block_elements != 0) {
        return refuse_layout(sources[0], query);
    }
    if (x.ne[2] % weights.ne[2] != 0 || x.ne[3] % weights.ne[3] != 0) return refuse_layout(sources[1], query);
    const Shape expected{weights.ne[1], x.ne[1], x.ne[2], x.ne[3]};
    if (dst.ne != expected || !has_float_rows(dst)) return refuse_layout(query.node, query);
    return {};
}

inline OpSupport mul_mat_id_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& weights = query.graph[sources[0]];
    const Tensor& x = query.graph[sources[1]];
    const Tensor& ids = query.graph[sources[2]];
    const Tensor& dst = query.tensor();
    if (!is_weight_type(weights.type)) return refuse_type(sources[0], query);
    if (x.type != ElementType::f32) return refuse_type(sources[1], query);
    if (ids.type != ElementType::i32) return refuse_type(sources[2], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_contiguous_rows(weights) || weights.ne[0] != x.ne[0] || weights.ne[3] != 1 ||
        weights.ne[2] == 0 || weights.ne[0] % traits_of(weights.type).block_elements != 0) {
        return refuse_layout(sources[0], query);
    }
    if (x.ne[1] == 0 || x.ne[2] != ids.ne[1] || ids.ne[0] % x.ne[1] != 0 || x.ne[3] != 1) {
        return refuse_layout(sources[1], query);
    }
    const Shape expected{weights.ne[1], ids.ne[0], ids.ne[1], 1};
    if (dst.ne != expected || !has_float_rows(dst)) return refuse_layout(query.node, query);
    return {};
}

inline OpSupport out_prod_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& a = query.graph[sources[0]];
    const Tensor& b = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (b.type != ElementType::f32) return refuse_type(sources[1], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!is_readable(a)) return refuse_type(sources[0], query);
    if (!has_float_rows(dst)) return refuse_layout(query.node, query);
    const bool fits = a.ne[0] == dst.ne[0] && b.ne[0] == dst.ne[1] && a.ne[1] == b.ne[1] &&
                      b.ne[2] == dst.ne[2] && b.ne[3] == dst.ne[3];
    if (!fits || a.ne[2] <= 0 || a.ne[3] <= 0 || dst.ne[2] % a.ne[2] != 0 || dst.ne[3] % a.ne[3] != 0) {
        return refuse_layout(sources[0], query);
    }
    const bool plain = a.type == ElementType::f32 || a.type == ElementType::f16;
    const bool same_planes = a.ne[2] == dst.ne[2] && a.ne[3] == dst.ne[3];
    return plain || same_planes ? OpSupport{} : refuse_layout(sources[0], query);
}

inline OpSupport solve_tri_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const Shape square{dst.ne[1], dst.ne[1], dst.ne[2], dst.ne[3]};
    if (query.graph[sources[0]].ne != square) return refuse_layout(sources[0], query);
    return same_shape(query.graph[sources[1]], dst) ? OpSupport{} : refuse_layout(sources[1], query);
}

}  // namespace splitscope::op_rules
