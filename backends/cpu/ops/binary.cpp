// SPDX-License-Identifier: MIT
// ADD, SUB, MUL, DIV with the second operand repeated, and SCALE. Rows of any type are computed as floats.
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

using RowFunction = void (*)(const float* a, const float* b, float* out, std::int64_t n);

template <RowFunction f>
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
    const TensorRef& dst = context.dst();
    const float factor = context.node.param_f32(0);
    const float bias = context.node.param_f32(1);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        kernels::scale(x, factor, bias, out, dst->ne[0]);
        store_row(dst, i1, i2, i3, out);
    });
}

OpSupport supports_binary(const OpQuery& query) {
    if (const OpSupport refused = rows_support(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    if (!same_shape(query.graph[sources[0]], query.tensor())) return refuse_layout(sources[0], query);
    if (!can_repeat(query.graph[sources[1]], query.tensor())) return refuse_layout(sources[1], query);
    return {};
}

}  // namespace

const OpKernel kAdd{
    .compute = compute_binary<kernels::add>, .supports = supports_binary, .needed_sources = 2};
const OpKernel kSub{
    .compute = compute_binary<kernels::subtract>, .supports = supports_binary, .needed_sources = 2};
const OpKernel kMul{
    .compute = compute_binary<kernels::multiply>, .supports = supports_binary, .needed_sources = 2};
const OpKernel kDiv{
    .compute = compute_binary<kernels::divide>, .supports = supports_binary, .needed_sources = 2};
const OpKernel kScale{.compute = compute_scale, .supports = rows_support};

}  // namespace splitscope::cpu
