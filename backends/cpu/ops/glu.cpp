// SPDX-License-Identifier: MIT
// GLU: an activation of one half of the input (or of the first input) times the other half.
#include <array>
#include <cmath>

#include "backends/cpu/activations.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

using GatedRowFunction = void (*)(const OpNode& node, const float* x, const float* gate, float* out,
                                  std::int64_t n);

template <float (*f)(float)>
void gated(const OpNode& /*node*/, const float* x, const float* gate, float* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = f(x[i]) * gate[i];
}

void swiglu_row(const OpNode& /*node*/, const float* x, const float* gate, float* out, std::int64_t n) {
    kernels::silu_multiply(x, gate, out, n);
}

/// With both sides limited and one added to the gate. Parameters 2 and 3: alpha, limit.
void swiglu_oai_row(const OpNode& node, const float* x, const float* gate, float* out, std::int64_t n) {
    const float alpha = node.param_f32(2);
    const float limit = node.param_f32(3);
    for (std::int64_t i = 0; i < n; ++i) {
        const float a = std::fmin(x[i], limit);
        const float g = std::fmax(std::fmin(gate[i], limit), -limit);
        out[i] = a / (1.0F + std::exp(alpha * -a)) * (g + 1.0F);
    }
}

/// With both sides limited. Parameter 3: limit.
void swiglu_clamp_row(const OpNode& node, const float* x, const float* gate, float* out, std::int64_t n) {
    const float limit = node.param_f32(3);
    for (std::int64_t i = 0; i < n; ++i) {
        const float a = std::fmin(x[i], limit);
        const float g = std::fmax(std::fmin(gate[i], limit), -limit);
        out[i] = a / (1.0F + std::exp(-a)) * g;
    }
}

constexpr auto kFunctions = std::to_array<GatedRowFunction>({
    gated<relu>,
    gated<gelu>,
    swiglu_row,
    swiglu_oai_row,
    gated<gelu_erf>,
    gated<gelu_quick>,
    swiglu_clamp_row,
});
static_assert(kFunctions.size() == static_cast<std::size_t>(GluKind::swiglu_clamp) + 1);

void compute_glu(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& first = context.src(0);
    const TensorRef& second = context.src(1);
    const std::int64_t n = dst->ne[0];
    const bool swapped = context.node.param(1) != 0;
    const GatedRowFunction f = kFunctions[static_cast<std::size_t>(context.node.param(0))];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const float* x = load_row(first, i1, i2, i3, scratch_row(context, 0));
        const float* gate = second ? load_row(second, i1, i2, i3, scratch_row(context, 1)) : x + n;
        if (!second && swapped) std::swap(x, gate);
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 2));
        f(context.node, x, gate, out, n);
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> glu_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::glu, {.compute = compute_glu}},
    });
    return rows;
}

}  // namespace splitscope::cpu
