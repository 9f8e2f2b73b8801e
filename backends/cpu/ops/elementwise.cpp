// SPDX-License-Identifier: MIT
// One function of each element: SQR, SQRT, LOG, SIN, COS, CLAMP, LEAKY_RELU, FILL; and ADD1, ADD_ID.
#include <array>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cpu {
namespace {

/// Applies f(x) to each element as float.
template <class F>
void map_elements(const OpContext& context, F&& f) {
    map_rows(context, [&](const float* x, float* out, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = f(x[i]);
    });
}

void compute_sqr(OpContext& context) {
    map_elements(context, [](float x) { return x * x; });
}
void compute_sqrt(OpContext& context) {
    map_elements(context, [](float x) { return std::sqrt(x); });
}
void compute_log(OpContext& context) {
    map_elements(context, [](float x) { return std::log(x); });
}
void compute_sin(OpContext& context) {
    map_elements(context, [](float x) { return std::sin(x); });
}
void compute_cos(OpContext& context) {
    map_elements(context, [](float x) { return std::cos(x); });
}
void compute_clamp(OpContext& context) {
    const float low = context.node.param_f32(0);
    const float high = context.node.param_f32(1);
    map_elements(context, [low, high](float x) { return x < low ? low : (x > high ? high : x); });
}
void compute_leaky_relu(OpContext& context) {
    const float slope = context.node.param_f32(0);
    map_elements(context, [slope](float x) { return x > 0.0F ? x : x * slope; });
}

void compute_fill(OpContext& context) {
    const TensorRef& dst = context.dst();
    const float value = context.node.param_f32(0);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 0));
        std::fill_n(out, dst->ne[0], value);
        store_row(dst, i1, i2, i3, out);
    });
}

void compute_add1(OpContext& context) {
    float value = 0.0F;
    decode_row(context.src(1)->type, context.src(1).data, &value, 1);
    map_elements(context, [value](float x) { return x + value; });
}

/// Adds to each column of src0 the row of src1 with that column's id.
void compute_add_id(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& table = context.src(1);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t row = context.src(2).value<std::int32_t>(i1, i2);
        if (row < 0 || row >= table->ne[1]) {
            context.fail(Error(ErrorKind::range, msg::kNoSuchRow(name_of(dst->op), row, table->ne[1]),
                               dst->name, msg::kGiveRowsInside));
            return;
        }
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        kernels::add(x, load_row(table, row, 0, 0, scratch_row(context, 2)), out, dst->ne[0]);
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> elementwise_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::sqr, {.compute = compute_sqr}},
        {Op::sqrt, {.compute = compute_sqrt}},
        {Op::log, {.compute = compute_log}},
        {Op::sin, {.compute = compute_sin}},
        {Op::cos, {.compute = compute_cos}},
        {Op::clamp, {.compute = compute_clamp}},
        {Op::leaky_relu, {.compute = compute_leaky_relu}},
        {Op::fill, {.compute = compute_fill}},
        {Op::add1, {.compute = compute_add1}},
        {Op::add_id, {.compute = compute_add_id}},
    });
    return rows;
}

}  // namespace splitscope::cpu
