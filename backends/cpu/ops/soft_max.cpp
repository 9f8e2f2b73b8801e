// SPDX-License-Identifier: MIT
// SOFT_MAX of scale · x + slope · mask, with attention sinks.
#include <array>
#include <cmath>

#include "backends/cpu/alibi.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

void compute_soft_max(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& mask = context.src(1);
    const TensorRef& sinks = context.src(2);
    const std::int64_t n = dst->ne[0];
    const float factor = context.node.param_f32(0);
    const AlibiSlopes slopes(context.node.param_f32(1), dst->ne[2]);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        kernels::scale(x, factor, 0.0F, out, n);
        if (mask) {
            const float* bias =
                load_row(mask, i1, i2 % mask->ne[2], i3 % mask->ne[3], scratch_row(context, 2));
            kernels::add_scaled(bias, slopes.of_head(i2), out, n);
        }
        float largest = kernels::maximum(out, n);
        if (sinks) largest = std::fmax(largest, sinks.value<float>(i2));
        double total = kernels::exp_shifted(out, largest, out, n);
        if (sinks) total += static_cast<double>(std::exp(sinks.value<float>(i2) - largest));
        kernels::scale(out, static_cast<float>(1.0 / total), 0.0F, out, n);
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> soft_max_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::soft_max, {.compute = compute_soft_max}},
    });
    return rows;
}

}  // namespace splitscope::cpu
