// SPDX-License-Identifier: MIT
// OUT_PROD, SOLVE_TRI and GET_ROWS_BACK.

#include <array>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/error.hpp"

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

std::int64_t plane_count(const OpNode& node) {
    return node.dst->ne[2] * node.dst->ne[3];
}

}  // namespace

std::span<const KernelRow> linear_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::out_prod, {.compute = compute_out_prod}},
        {Op::solve_tri, {.compute = compute_solve_tri, .max_tasks = plane_count}},
        {Op::get_rows_back, {.compute = compute_get_rows_back, .max_tasks = one_task}},
    });
    return rows;
}

}  // namespace splitscope::cpu
