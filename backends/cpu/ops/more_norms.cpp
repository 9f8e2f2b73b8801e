// SPDX-License-Identifier: MIT
// GROUP_NORM over groups of channels, L2_NORM, and the gradients RMS_NORM_BACK, SILU_BACK, SOFT_MAX_BACK.
#include <algorithm>
#include <array>
#include <cmath>

#include "backends/cpu/activations.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

std::int64_t group_size(const Tensor& t) {
    const std::int64_t groups = t.op_params[0];
    return (t.ne[2] + groups - 1) / groups;
}

/// Mean and variance over the planes of a group.
void compute_group_norm(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int64_t groups = context.node.param(0);
    const float eps = context.node.param_f32(1);
    const std::int64_t channels = group_size(*dst);
    const Range mine = context.thread_part(groups * dst->ne[3]);
    for (std::int64_t g = mine.first; g < mine.last; ++g) {
        const std::int64_t i3 = g / groups;
        const std::int64_t first = g % groups * channels;
        const std::int64_t last = std::min(dst->ne[2], first + channels);
        const auto each_row = [&](auto&& body) {
            for (std::int64_t i2 = first; i2 < last && !context.should_stop(); ++i2) {
                for (std::int64_t i1 = 0; i1 < dst->ne[1]; ++i1) {
                    body(src.row<float>(i1, i2, i3), dst.row<float>(i1, i2, i3));
                }
            }
        };
        const std::int64_t n = dst->ne[0];
        const auto count = static_cast<double>(n * dst->ne[1] * std::max<std::int64_t>(0, last - first));
        double total = 0.0;
        each_row([&](const float* x, float*) { total += kernels::sum(x, n); });
        const auto mean = static_cast<float>(total / count);
        double squares = 0.0;
        each_row([&](const float* x, float*) { squares += kernels::sum_of_squares(x, mean, n); });
        const float factor = 1.0F / std::sqrt(static_cast<float>(squares / count) + eps);
        each_row([&](const float* x, float* out) {
            for (std::int64_t i = 0; i < n; ++i) out[i] = (x[i] - mean) * factor;
        });
    }
}

void compute_l2_norm(OpContext& context) {
    const float eps = context.node.param_f32(0);
    map_rows(context, [eps](const float* x, float* out, std::int64_t n) {
        const auto length = static_cast<float>(std::sqrt(kernels::sum_of_squares(x, 0.0F, n)));
        kernels::scale(x, 1.0F / std::max(length, eps), 0.0F, out, n);
    });
}

/// Two sources (the gradient first) of the result's shape, row by row.
template <class F>
void gradient_rows(OpContext& context, F&& f) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* dy = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        const float* x = load_row(context.src(1), i1, i2, i3, scratch_row(context, 1));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 2));
        f(dy, x, out, dst->ne[0]);
        store_row(dst, i1, i2, i3, out);
    });
}

void compute_rms_norm_back(OpContext& context) {
    const float eps = context.node.param_f32(0);
    gradient_rows(context, [eps](const float* dy, const float* x, float* out, std::int64_t n) {
        const auto count = static_cast<float>(n);
        const float squares = static_cast<float>(kernels::sum_of_squares(x, 0.0F, n)) + eps * count;
        const float factor = 1.0F / std::sqrt(squares / count);
        const float along = -kernels::dot(x, dy, n) / squares;
        for (std::int64_t i = 0; i < n; ++i) out[i] = (dy[i] + x[i] * along) * factor;
    });
}

void compute_silu_back(OpContext& context) {
    gradient_rows(context, [](const float* dy, const float* x, float* out, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            const float s = sigmoid(x[i]);
            out[i] = dy[i] * s * (1.0F + x[i] * (1.0F - s));
        }
    });
}

/// The second source is the softmax result.
void compute_soft_max_back(OpContext& context) {
    const float factor = context.node.param_f32(0);
    gradient_rows(context, [factor](const float* dy, const float* y, float* out, std::int64_t n) {
        const float along = kernels::dot(y, dy, n);
        for (std::int64_t i = 0; i < n; ++i) out[i] = (dy[i] - along) * y[i] * factor;
    });
}

std::int64_t group_norm_tasks(const OpNode& node) {
    return node.param(0) * node.dst->ne[3];
}

}  // namespace

std::span<const KernelRow> more_norms_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::group_norm, {.compute = compute_group_norm, .max_tasks = group_norm_tasks}},
        {Op::l2_norm, {.compute = compute_l2_norm}},
        {Op::rms_norm_back, {.compute = compute_rms_norm_back}},
        {Op::silu_back, {.compute = compute_silu_back}},
        {Op::soft_max_back, {.compute = compute_soft_max_back}},
    });
    return rows;
}

}  // namespace splitscope::cpu
