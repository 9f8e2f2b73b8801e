// SPDX-License-Identifier: MIT
#include "backends/blas/blas_support.hpp"

#include <algorithm>

#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

OpSupport refuse(RefusalRule rule, TensorId culprit, const OpQuery& query) {
    return {rule, culprit, query.graph[culprit].type};
}

bool all_large(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    return rows >= kBlasSmallest && columns >= kBlasSmallest && depth >= kBlasSmallest;
}

OpSupport supports_mul_mat(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    const TensorId weights_id = query.graph.sources(query.node)[0];
    const TensorId x_id = query.graph.sources(query.node)[1];
    const Tensor& weights = query.graph[weights_id];
    const Tensor& x = query.graph[x_id];
    if (!can_decode(weights.type)) return refuse(RefusalRule::op_with_type, weights_id, query);
    if (x.type != ElementType::f32) return refuse(RefusalRule::op_with_type, x_id, query);
    if (dst.type != ElementType::f32) return refuse(RefusalRule::op_with_type, query.node, query);
    const bool fits = weights.ne[0] == x.ne[0] && weights.ne[2] > 0 && weights.ne[3] > 0 &&
                      x.ne[2] % weights.ne[2] == 0 && x.ne[3] % weights.ne[3] == 0;
    if (!is_contiguous(weights) || !fits) return refuse(RefusalRule::layout, weights_id, query);
    if (!is_contiguous(x)) return refuse(RefusalRule::layout, x_id, query);
    const Shape expected{weights.ne[1], x.ne[1], x.ne[2], x.ne[3]};
    if (dst.ne != expected || !is_contiguous(dst)) return refuse(RefusalRule::layout, query.node, query);
    if (!all_large(dst.ne[0], dst.ne[1], x.ne[0])) return refuse(RefusalRule::limit, query.node, query);
    return {};
}

OpSupport supports_out_prod(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    for (const std::size_t source : {0U, 1U}) {
        const TensorId id = query.graph.sources(query.node)[source];
        const Tensor& t = query.graph[id];
        if (t.type != ElementType::f32) return refuse(RefusalRule::op_with_type, id, query);
        constexpr std::int64_t kFloat = sizeof(float);
        const bool transposed = source == 1 && t.nb[1] == kFloat && t.nb[0] == t.ne[1] * kFloat;
        if (t.ne[2] != 1 || t.ne[3] != 1 || !(is_contiguous(t) || transposed)) {
            return refuse(RefusalRule::layout, id, query);
        }
    }
    const TensorId a_id = query.graph.sources(query.node)[0];
    const Tensor& a = query.graph[a_id];
    const Tensor& b = query.graph[query.graph.sources(query.node)[1]];
    if (a.ne[1] != b.ne[1]) return refuse(RefusalRule::layout, a_id, query);
    const Shape expected{a.ne[0], b.ne[0], 1, 1};
    if (dst.type != ElementType::f32) return refuse(RefusalRule::op_with_type, query.node, query);
    if (dst.ne != expected || !is_contiguous(dst)) return refuse(RefusalRule::layout, query.node, query);
    if (!all_large(dst.ne[0], dst.ne[1], a.ne[1])) return refuse(RefusalRule::limit, query.node, query);
    return {};
}

}  // namespace

OpSupport blas_supports(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    if (tensor.op == Op::mul_mat) return supports_mul_mat(query);
    if (tensor.op == Op::out_prod) return supports_out_prod(query);
    return {RefusalRule::op, query.node, tensor.type};
}

}  // namespace splitscope
