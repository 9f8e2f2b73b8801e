// SPDX-License-Identifier: MIT
// ADD, SUB, MUL, DIV with the second operand repeated, and SCALE. Rows of any type are computed as floats.
#include <array>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

using BinaryRowFunction = void (*)(const float* a, const float* b, float* out, std::int64_t n);

template <BinaryRowFunction f>
void compute_binary(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& a = context.src(0);
    const TensorRef& b = context.src(1);
    const std::int64_t n = dst->ne[0];
    const std::int64_t b_length = b->ne[0];
    float* repeated = scratch_row(context, 3);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(a, i1, i2, i3, scratch_row(context, 0));
        const float* y = load_row(b, i1 % b->ne[1], i2 % b->ne[2], i3 % b->ne[3], scratch_row(context, 1));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 2));
        if (b_length == n) {
            f(x, y, out, n);
        } else {
            for (std::int64_t i = 0; i < n; ++i) repeated[i] = y[i % b_length];
            f(x, repeated, out, n);
        }
        store_row(dst, i1, i2, i3, out);
    });
}

void compute_scale(OpContext& context) {
    const float factor = context.node.param_f32(0);
    const float bias = context.node.param_f32(1);
    map_rows(context, [factor, bias](const float* x, float* out, std::int64_t n) {
        kernels::scale(x, factor, bias, out, n);
    });
}

}  // namespace

std::span<const KernelRow> binary_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::add, {.compute = compute_binary<kernels::add>}},
        {Op::sub, {.compute = compute_binary<kernels::subtract>}},
        {Op::mul, {.compute = compute_binary<kernels::multiply>}},
        {Op::div, {.compute = compute_binary<kernels::divide>}},
        {Op::scale, {.compute = compute_scale}},
    });
    return rows;
}

}  // namespace splitscope::cpu
