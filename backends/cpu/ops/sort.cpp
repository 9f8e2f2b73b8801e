// SPDX-License-Identifier: MIT
// ARGSORT: the order of each row. TOP_K: the indices of its k largest, in unspecified order.
#include <algorithm>
#include <array>
#include <numeric>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

/// NaN compares smallest, which makes the order strict.
bool less(float a, float b) {
    return a < b || (a != a && b == b);
}

void compute_argsort(OpContext& context) {
    const TensorRef& src = context.src(0);
    const std::int64_t n = src->ne[0];
    const bool descending = context.node.param(0) == 1;
    for_thread_rows(context, src->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(src, i1, i2, i3, scratch_row(context, 0));
        auto* order = context.dst().row<std::int32_t>(i1, i2, i3);
        std::iota(order, order + n, 0);
        // Ties keep their order, without the memory of a stable sort.
        std::sort(order, order + n, [x, descending](std::int32_t a, std::int32_t b) {
            const float first = descending ? x[b] : x[a];
            const float second = descending ? x[a] : x[b];
            return less(first, second) || (!less(second, first) && a < b);
        });
    });
}

void compute_top_k(OpContext& context) {
    const TensorRef& src = context.src(0);
    const std::int64_t n = src->ne[0];
    const std::int64_t k = context.dst()->ne[0];
    auto* order = reinterpret_cast<std::int32_t*>(scratch_row(context, 1));
    for_thread_rows(context, src->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(src, i1, i2, i3, scratch_row(context, 0));
        std::iota(order, order + n, 0);
        // Of equal elements, this takes those that ggml's CPU takes, which sorts by the same algorithm.
        std::partial_sort(order, order + k, order + n,
                          [x](std::int32_t a, std::int32_t b) { return less(x[b], x[a]); });
        std::copy_n(order, k, context.dst().row<std::int32_t>(i1, i2, i3));
    });
}

}  // namespace

std::span<const KernelRow> sort_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::argsort, {.compute = compute_argsort}},
        {Op::top_k, {.compute = compute_top_k}},
    });
    return rows;
}

}  // namespace splitscope::cpu
