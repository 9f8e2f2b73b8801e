// SPDX-License-Identifier: MIT
// Operations on positions: DIAG, DIAG_MASK_INF, DIAG_MASK_ZERO, TRI, ARANGE, TIMESTEP_EMBEDDING, ADD_REL_POS.
#include <array>
#include <cmath>
#include <limits>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

void compute_diag(OpContext& context) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        auto* out = dst.row<float>(i1, i2, i3);
        std::fill_n(out, dst->ne[0], 0.0F);
        out[i1] = context.src(0).value<float>(i1, 0, i2, i3);
    });
}

/// Copies a row, with `masked` where keep(column, row) is false.
template <class Keep>
void mask_rows(OpContext& context, float masked, Keep&& keep) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) out[i] = keep(i, i1) ? x[i] : masked;
    });
}

void compute_diag_mask(OpContext& context) {
    const std::int64_t past = context.node.param(0);
    const bool infinite = context.dst()->op == Op::diag_mask_inf;
    mask_rows(context, infinite ? -std::numeric_limits<float>::infinity() : 0.0F,
              [past](std::int64_t column, std::int64_t row) { return column <= past + row; });
}

void compute_tri(OpContext& context) {
    const std::int32_t kind = context.node.param(0);
    mask_rows(context, 0.0F, [kind](std::int64_t column, std::int64_t row) {
        switch (kind) {
            case 0:
                return column >= row;
            case 1:
                return column > row;
            case 2:
                return column <= row;
            default:
                return column < row;
        }
    });
}

void compute_arange(OpContext& context) {
    const float start = context.node.param_f32(0);
    const float step = context.node.param_f32(2);
    auto* out = context.dst().row<float>(0, 0, 0);
    for (std::int64_t i = 0; i < context.dst()->ne[0]; ++i) out[i] = start + step * static_cast<float>(i);
}

/// Cosines, then sines of the time step at falling frequencies; an odd last element is zero.
void compute_timestep_embedding(OpContext& context) {
    const TensorRef& dst = context.dst();
    const std::int64_t half = context.node.param(0) / 2;
    const auto period = static_cast<float>(context.node.param(1));
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float time = context.src(0).value<float>(i1);
        auto* out = dst.row<float>(i1, i2, i3);
        std::fill_n(out, dst->ne[0], 0.0F);
        for (std::int64_t j = 0; j < half; ++j) {
            const float angle =
                time * std::exp(-std::log(period) * static_cast<float>(j) / static_cast<float>(half));
            out[j] = std::cos(angle);
            out[j + half] = std::sin(angle);
        }
    });
}

/// Scores of an image attending to an image: a bias by column distance and one by row distance.
void compute_add_rel_pos(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& by_column = context.src(1);
    const TensorRef& by_row = context.src(2);
    const std::int64_t width = by_column->ne[0];
    const std::int64_t queries = by_column->ne[1] * by_column->ne[2];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t query = i1 % queries;
        const std::int64_t q1 = query % by_column->ne[1];
        const std::int64_t q2 = query / by_column->ne[1];
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
            out[i] = x[i] + by_column.value<float>(i % width, q1, q2, i2) +
                     by_row.value<float>(i / width, q1, q2, i2);
        }
    });
}

}  // namespace

std::span<const KernelRow> masks_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::diag, {.compute = compute_diag}},
        {Op::diag_mask_inf, {.compute = compute_diag_mask}},
        {Op::diag_mask_zero, {.compute = compute_diag_mask}},
        {Op::tri, {.compute = compute_tri}},
        {Op::arange, {.compute = compute_arange}},
        {Op::timestep_embedding, {.compute = compute_timestep_embedding}},
        {Op::add_rel_pos, {.compute = compute_add_rel_pos}},
    });
    return rows;
}

}  // namespace splitscope::cpu
