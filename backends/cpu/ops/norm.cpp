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
    const float eps = context.node.param_f32(0);
    map_rows(context, [eps](const float* x, float* out, std::int64_t n) {
        const auto count = static_cast<double>(n);
        const float mean = kSubtractMean ? static_cast<float>(kernels::sum(x, n) / count) : 0.0F;
        const auto variance = static_cast<float>(kernels::sum_of_squares(x, mean, n) / count);
        const float factor = 1.0F / std::sqrt(variance + eps);
        if (kSubtractMean) {
            for (std::int64_t i = 0; i < n; ++i) out[i] = (x[i] - mean) * factor;
        } else {
            kernels::scale(x, factor, 0.0F, out, n);
        }
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
