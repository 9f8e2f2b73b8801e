// SPDX-License-Identifier: MIT
// NORM and RMS_NORM: each row divided by its standard deviation, or by its root mean square.
#include <array>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

template <bool kSubtractMean>
void compute_norm(OpContext& context) {
    const TensorRef& dst = context.dst();
    const std::int64_t n = dst->ne[0];
    const float eps = context.node.param_f32(0);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        const auto count = static_cast<double>(n);
        const float mean = kSubtractMean ? static_cast<float>(kernels::sum(x, n) / count) : 0.0F;
        const auto variance = static_cast<float>(kernels::sum_of_squares(x, mean, n) / count);
        const float factor = 1.0F / std::sqrt(variance + eps);
        if (kSubtractMean) {
            for (std::int64_t i = 0; i < n; ++i) out[i] = (x[i] - mean) * factor;
        } else {
            kernels::scale(x, factor, 0.0F, out, n);
        }
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> norm_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::norm, {.compute = compute_norm<true>}},
        {Op::rms_norm, {.compute = compute_norm<false>}},
    });
    return rows;
}

}  // namespace splitscope::cpu
