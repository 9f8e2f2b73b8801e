// SPDX-License-Identifier: MIT
// UNARY: one function applied to each element, computed in float for every type.
#include <array>
#include <cmath>

#include "backends/cpu/activations.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

using UnaryRowFunction = void (*)(const OpNode& node, const float* x, float* out, std::int64_t n);

template <float (*f)(float)>
void each(const OpNode& /*node*/, const float* x, float* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = f(x[i]);
}

float absolute(float x) {
    return std::fabs(x);
}
float sign(float x) {
    return x > 0.0F ? 1.0F : (x < 0.0F ? -1.0F : 0.0F);
}
float negative(float x) {
    return -x;
}
float step(float x) {
    return x > 0.0F ? 1.0F : 0.0F;
}
float hyperbolic_tangent(float x) {
    return std::tanh(x);
}
float elu(float x) {
    return x > 0.0F ? x : std::expm1(x);
}
float hard_sigmoid(float x) {
    return std::fmin(1.0F, std::fmax(0.0F, (x + 3.0F) / 6.0F));
}
float hard_swish(float x) {
    return x * hard_sigmoid(x);
}
float exponential(float x) {
    return std::exp(x);
}
float exponential_minus_one(float x) {
    return std::expm1(x);
}
float soft_plus(float x) {
    return x > 20.0F ? x : std::log1p(std::exp(x));
}
float round_down(float x) {
    return std::floor(x);
}
float round_up_to_integer(float x) {
    return std::ceil(x);
}
float round_half_away(float x) {
    return std::round(x);
}
float round_to_zero(float x) {
    return std::trunc(x);
}

void silu_row(const OpNode& /*node*/, const float* x, float* out, std::int64_t n) {
    kernels::silu(x, out, n);
}

/// Parameters: slope below zero, slope above zero, linear part, upper end of the exponential.
void xielu_row(const OpNode& node, const float* x, float* out, std::int64_t n) {
    const float below = node.param_f32(1);
    const float above = node.param_f32(2);
    const float linear = node.param_f32(3);
    const float eps = node.param_f32(4);
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = x[i];
        out[i] =
            v > 0.0F ? above * v * v + linear * v : (std::expm1(std::fmin(v, eps)) - v) * below + linear * v;
    }
}

constexpr auto kFunctions = std::to_array<UnaryRowFunction>({
    each<absolute>,
    each<sign>,
    each<negative>,
    each<step>,
    each<hyperbolic_tangent>,
    each<elu>,
    each<relu>,
    each<sigmoid>,
    each<gelu>,
    each<gelu_quick>,
    silu_row,
    each<hard_swish>,
    each<hard_sigmoid>,
    each<exponential>,
    each<exponential_minus_one>,
    each<soft_plus>,
    each<gelu_erf>,
    xielu_row,
    each<round_down>,
    each<round_up_to_integer>,
    each<round_half_away>,
    each<round_to_zero>,
});
static_assert(kFunctions.size() == static_cast<std::size_t>(UnaryKind::trunc) + 1);

void compute_unary(OpContext& context) {
    const UnaryRowFunction f = kFunctions[static_cast<std::size_t>(context.node.param(0))];
    map_rows(context, [&](const float* x, float* out, std::int64_t n) { f(context.node, x, out, n); });
}

}  // namespace

std::span<const KernelRow> unary_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::unary, {.compute = compute_unary}},
    });
    return rows;
}

}  // namespace splitscope::cpu
