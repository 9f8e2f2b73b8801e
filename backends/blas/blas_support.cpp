// SPDX-License-Identifier: MIT
#include "backends/blas/blas_support.hpp"

#include <cstdint>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// The library call costs more than it saves on a small product of m × n results of k terms.
OpSupport check_size(const OpQuery& query, std::int64_t m, std::int64_t n, std::int64_t k) {
    const bool large = m >= kBlasSmallest && n >= kBlasSmallest && k >= kBlasSmallest;
    return large ? OpSupport{} : refuse_limit(query.node, query);
}

OpSupport supports_mul_mat(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& x = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (x.type != ElementType::f32) return refuse_type(sources[1], query);
    if (!is_contiguous(query.graph[sources[0]])) return refuse_layout(sources[0], query);
    if (!is_contiguous(x)) return refuse_layout(sources[1], query);
    if (!is_contiguous(dst)) return refuse_layout(query.node, query);
    return check_size(query, dst.ne[0], dst.ne[1], x.ne[0]);
}

OpSupport supports_out_prod(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    for (const std::size_t source : {0U, 1U}) {
        const TensorId id = sources[source];
        const Tensor& t = query.graph[id];
        if (t.type != ElementType::f32) return refuse_type(id, query);
        constexpr std::int64_t kFloat = sizeof(float);
        const bool transposed = source == 1 && t.nb[1] == kFloat && t.nb[0] == t.ne[1] * kFloat;
        if (t.ne[2] != 1 || t.ne[3] != 1 || !(is_contiguous(t) || transposed))
            return refuse_layout(id, query);
    }
    if (dst.ne[2] != 1 || dst.ne[3] != 1 || !is_contiguous(dst)) return refuse_layout(query.node, query);
    return check_size(query, dst.ne[0], dst.ne[1], query.graph[sources[0]].ne[1]);
}

}  // namespace

OpSupport blas_supports(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    if (tensor.op != Op::mul_mat && tensor.op != Op::out_prod)
        return {RefusalRule::op, query.node, tensor.type};
    if (const OpSupport refused = follows_rule(query); !refused) return refused;
    return tensor.op == Op::mul_mat ? supports_mul_mat(query) : supports_out_prod(query);
}

}  // namespace splitscope
