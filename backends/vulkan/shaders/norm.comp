// SPDX-License-Identifier: MIT
// Row-wise norms, one work group per row. KIND: 0 NORM, 1 RMS_NORM, 2 L2_NORM, 3 RMS_NORM_BACK, 4 SOFT_MAX_BACK
// (gradient first). In fused kernels, all F32: OPTION0: 1 = the result is multiplied by source 1, 2 = and source 3
// is added. OPTION1: 1 = the row is the sum of sources 0 and 2, which is also stored in more[0].
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#define GROUP 128u
#include "reduction.glsl"
layout(local_size_x = 128) in;

/// An element of a broadcast tensor.
float repeated(const Tensor t, uvec4 c) {
    return read_f32(ADDRESS(t, (c % uvec4(t.ne[0], t.ne[1], t.ne[2], t.ne[3]))));
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor other = node.src[1];
    const uint n = dst.ne[0];
    const uint rows = dst.ne[1] * dst.ne[2] * dst.ne[3];
    for (uint row = gl_WorkGroupID.x; row < rows; row += gl_NumWorkGroups.x) {
        const uvec4 c = uvec4(0, row % dst.ne[1], row / dst.ne[1] % dst.ne[2], row / (dst.ne[1] * dst.ne[2]));
        uint64_t x = ADDRESS(src, c);
        uint step = src.nb[0];
        if (OPTION1 == 1) {
            // No barrier: each invocation reads only elements that it writes here.
            const uint64_t sum = ADDRESS(node.more[0], c);
            for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
                F32(sum + uint64_t(i * node.more[0].nb[0])).v =
                    read_f32(x + uint64_t(i * step)) + repeated(node.src[2], c + uvec4(i, 0, 0, 0));
            }
            x = sum;
            step = node.more[0].nb[0];
        }
        const uint64_t y = ADDRESS(other, c);
        const uint64_t to = ADDRESS(dst, c);
        float mean = 0.0;
        if (KIND == 0) {
            float total = 0.0;
            for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) total += load(TYPE0, x + uint64_t(i * step));
            mean = group_sum(total) / float(n);
        }
        float squares = 0.0;
        float along = 0.0;
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            const float v = load(TYPE0, x + uint64_t(i * step)) - mean;
            if (KIND >= 3) {
                const float w = load(TYPE1, y + uint64_t(i * other.nb[0]));
                squares += w * w;
                along += v * w;
            } else {
                squares += v * v;
            }
        }
        squares = group_sum(squares);
        if (KIND >= 3) along = group_sum(along);
        float factor = 1.0;
        if (KIND <= 1) factor = 1.0 / sqrt(squares / float(n) + param(0));
        if (KIND == 2) factor = 1.0 / max(sqrt(squares), param(0));
        if (KIND == 3) {
            squares += param(0) * float(n);
            factor = 1.0 / sqrt(squares / float(n));
            along = -along / squares;
        }
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            const float v = load(TYPE0, x + uint64_t(i * step));
            float result = (v - mean) * factor;
            if (KIND == 3) result = (v + load(TYPE1, y + uint64_t(i * other.nb[0])) * along) * factor;
            if (KIND == 4) result = (v - along) * load(TYPE1, y + uint64_t(i * other.nb[0])) * param(0);
            if (OPTION0 >= 1) result *= repeated(other, c + uvec4(i, 0, 0, 0));
            if (OPTION0 == 2) result += repeated(node.src[3], c + uvec4(i, 0, 0, 0));
            store(TYPED, to + uint64_t(i * dst.nb[0]), result);
        }
    }
}
