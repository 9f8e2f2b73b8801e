// SPDX-License-Identifier: MIT
// What passes of a matrix product exchange through node.scratch: columns in F16 and, behind them, partial results.

#include "scratch.glsl"

/// Changes a tensor into its copy in node.scratch, made by columns_halves.comp.
void converted_to(inout Tensor x) {
    x.data = node.scratch + uint64_t(COUNTERS * 4u);
    x.nb[0] = 2u;
    x.nb[1] = 2u * x.ne[0];
    x.nb[2] = x.nb[1] * x.ne[1];
    x.nb[3] = x.nb[2] * x.ne[2];
}

/// Part `part` of the results `dst` of a product whose depth is divided, contiguous in node.scratch after the converted
/// columns.
Tensor part_of(const Tensor dst, const Tensor converted, uint part) {
    Tensor to = dst;
    to.nb[0] = 4u;
    [[unroll]] for (uint d = 1; d < 4; ++d) to.nb[d] = to.nb[d - 1u] * to.ne[d - 1u];
    to.data = converted.data + uint64_t(converted.nb[3] * converted.ne[3]) + uint64_t(part * to.nb[3] * to.ne[3]);
    return to;
}
