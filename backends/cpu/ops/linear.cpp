// SPDX-License-Identifier: MIT
// OUT_PROD, SOLVE_TRI and GET_ROWS_BACK.
#include <cstring>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

/// out[:, c] = Σ_k a[:, k] · b[c, k]; the planes of a repeat over those of b.
void compute_out_prod(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& a = context.src(0);
    const TensorRef& b = context.src(1);
    const std::int64_t n = dst->ne[0];
    const std::int64_t repeat2 = dst->ne[2] / a->ne[2];
    const std::int64_t repeat3 = dst->ne[3] / a->ne[3];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        auto* out = dst.row<float>(i1, i2, i3);
        std::fill_n(out, n, 0.0F);
        for (std::int64_t k = 0; k < a->ne[1]; ++k) {
            const float* column = load_row(a, k, i2 / repeat2, i3 / repeat3, scratch_row(context, 0));
            kernels::add_scaled(column, b.value<float>(i1, k, i2, i3), out, n);
        }
    });
}

/// X of A · X = B with A lower triangular: forward substitution, all columns of B side by side.
void compute_solve_tri(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& a = context.src(0);
    const TensorRef& b = context.src(1);
    const std::int64_t n = dst->ne[0];
    const Range mine = context.thread_part(dst->ne[2] * dst->ne[3]);
    for (std::int64_t plane = mine.first; plane < mine.last; ++plane) {
        const std::int64_t i2 = plane % dst->ne[2];
        const std::int64_t i3 = plane / dst->ne[2];
        for (std::int64_t row = 0; row < dst->ne[1]; ++row) {
            if (context.should_stop()) return;
            auto* x = dst.row<float>(row, i2, i3);
            for (std::int64_t i = 0; i < n; ++i) x[i] = b.value<float>(i, row, i2, i3);
            for (std::int64_t k = 0; k < row; ++k) {
                kernels::add_scaled(dst.row<float>(k, i2, i3), -a.value<float>(k, row, i2, i3), x, n);
            }
            kernels::scale(x, 1.0F / a.value<float>(row, row, i2, i3), 0.0F, x, n);
        }
    }
}

/// Gradient of GET_ROWS: each row is added to the row it was taken from.
void compute_get_rows_back(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    for (std::int64_t row = 0; row < dst->ne[1]; ++row)
        std::fill_n(dst.row<float>(row, 0, 0), dst->ne[0], 0.0F);
    for (std::int64_t i = 0; i < src->ne[1] && !context.should_stop(); ++i) {
        const std::int64_t row = context.src(1).value<std::int32_t>(i);
        if (row < 0 || row >= dst->ne[1]) {
            context.fail(Error(ErrorKind::range, msg::kNoSuchRow(name_of(dst->op), row, dst->ne[1]),
                               dst->name, msg::kGiveRowsInside));
            return;
        }
        auto* out = dst.row<float>(row, 0, 0);
        kernels::add(out, load_row(src, i, 0, 0, scratch_row(context, 0)), out, dst->ne[0]);
    }
}

OpSupport supports_out_prod(const OpQuery& query) {
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

OpSupport supports_solve_tri(const OpQuery& query) {
    if (const OpSupport refused = float_rows_support(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const Shape square{dst.ne[1], dst.ne[1], dst.ne[2], dst.ne[3]};
    if (query.graph[sources[0]].ne != square) return refuse_layout(sources[0], query);
    return same_shape(query.graph[sources[1]], dst) ? OpSupport{} : refuse_layout(sources[1], query);
}

OpSupport supports_get_rows_back(const OpQuery& query) {
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
std::int64_t planes(const OpNode& node) {
    return node.dst->ne[2] * node.dst->ne[3];
}

}  // namespace

const OpKernel kOutProd{.compute = compute_out_prod, .supports = supports_out_prod, .needed_sources = 2};
const OpKernel kSolveTri{
    .compute = compute_solve_tri, .supports = supports_solve_tri, .needed_sources = 2, .max_tasks = planes};
const OpKernel kGetRowsBack{.compute = compute_get_rows_back,
                            .supports = supports_get_rows_back,
                            .needed_sources = 2,
                            .max_tasks = one_task};

}  // namespace splitscope::cpu
