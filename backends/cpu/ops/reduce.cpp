// SPDX-License-Identifier: MIT
// SUM, SUM_ROWS, MEAN, CUMSUM, ARGMAX, COUNT_EQUAL, REPEAT_BACK, CROSS_ENTROPY_LOSS.
#include <array>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

double sum_of_row(const float* x, std::int64_t n) {
    double total = 0.0;
    for (std::int64_t i = 0; i < n; ++i) total += x[i];
    return total;
}

void compute_sum(OpContext& context) {
    const TensorRef& src = context.src(0);
    double total = 0.0;
    for_thread_rows(context, src->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        total += sum_of_row(load_row(src, i1, i2, i3, scratch_row(context, 0)), src->ne[0]);
    });
    const auto result = static_cast<float>(total);
    store_row(context.dst(), 0, 0, 0, &result);
}

template <bool kMeanOfRow>
void compute_sum_rows(OpContext& context) {
    const TensorRef& src = context.src(0);
    for_thread_rows(context, context.dst()->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t n = src->ne[0];
        const double total = sum_of_row(load_row(src, i1, i2, i3, scratch_row(context, 0)), n);
        const auto result = static_cast<float>(kMeanOfRow ? total / static_cast<double>(n) : total);
        store_row(context.dst(), i1, i2, i3, &result);
    });
}

void compute_cumsum(OpContext& context) {
    map_rows(context, [](const float* x, float* out, std::int64_t n) {
        double total = 0.0;
        for (std::int64_t i = 0; i < n; ++i) {
            total += x[i];
            out[i] = static_cast<float>(total);
        }
    });
}

/// On ties the last.
void compute_argmax(OpContext& context) {
    const TensorRef& src = context.src(0);
    for_thread_part(context, src->ne[1], [&](std::int64_t row) {
        const float* x = load_row(src, row, 0, 0, scratch_row(context, 0));
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < src->ne[0]; ++i) {
            if (x[i] >= x[best]) best = i;
        }
        context.dst().value<std::int32_t>(row) = static_cast<std::int32_t>(best);
    });
}

void compute_count_equal(OpContext& context) {
    const TensorRef& a = context.src(0);
    const TensorRef& b = context.src(1);
    std::int64_t equal = 0;
    for_thread_rows(context, a->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        for (std::int64_t i = 0; i < a->ne[0]; ++i) {
            equal += a.value<std::int32_t>(i, i1, i2, i3) == b.value<std::int32_t>(i, i1, i2, i3) ? 1 : 0;
        }
    });
    context.dst().value<std::int64_t>(0) = equal;
}

/// Each element of the result is the sum of those that REPEAT would have copied it to.
void compute_repeat_back(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int64_t n = dst->ne[0];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        std::fill_n(out, n, 0.0F);
        for (std::int64_t j3 = i3; j3 < src->ne[3]; j3 += dst->ne[3]) {
            for (std::int64_t j2 = i2; j2 < src->ne[2]; j2 += dst->ne[2]) {
                for (std::int64_t j1 = i1; j1 < src->ne[1]; j1 += dst->ne[1]) {
                    const float* x = load_row(src, j1, j2, j3, scratch_row(context, 0));
                    for (std::int64_t j0 = 0; j0 < src->ne[0]; j0 += n) kernels::add(out, x + j0, out, n);
                }
            }
        }
        store_row(dst, i1, i2, i3, out);
    });
}

/// −mean over the rows of Σ labels · log softmax(logits).
void compute_cross_entropy_loss(OpContext& context) {
    const TensorRef& logits = context.src(0);
    const TensorRef& labels = context.src(1);
    const std::int64_t n = logits->ne[0];
    double total = 0.0;
    for_thread_rows(context, logits->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(logits, i1, i2, i3, scratch_row(context, 0));
        const float* y = load_row(labels, i1, i2, i3, scratch_row(context, 1));
        const float largest = kernels::maximum(x, n);
        double exponentials = 0.0;
        for (std::int64_t i = 0; i < n; ++i) exponentials += std::exp(double{x[i]} - largest);
        const double shift = largest + std::log(exponentials);
        for (std::int64_t i = 0; i < n; ++i) total += y[i] * (x[i] - shift);
    });
    const auto result = static_cast<float>(-total / static_cast<double>(row_count(*logits)));
    store_row(context.dst(), 0, 0, 0, &result);
}

}  // namespace

std::span<const KernelRow> reduce_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::sum, {.compute = compute_sum, .max_tasks = one_task}},
        {Op::sum_rows, {.compute = compute_sum_rows<false>}},
        {Op::mean, {.compute = compute_sum_rows<true>}},
        {Op::cumsum, {.compute = compute_cumsum}},
        {Op::argmax, {.compute = compute_argmax}},
        {Op::count_equal, {.compute = compute_count_equal, .max_tasks = one_task}},
        {Op::repeat_back, {.compute = compute_repeat_back}},
        {Op::cross_entropy_loss, {.compute = compute_cross_entropy_loss, .max_tasks = one_task}},
    });
    return rows;
}

}  // namespace splitscope::cpu
