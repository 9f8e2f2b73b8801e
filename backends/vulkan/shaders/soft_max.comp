// SPDX-License-Identifier: MIT
// SOFT_MAX of scale · x + slope · mask, one work group per row. OPTION0: 1 = mask. OPTION1: 1 = sinks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "alibi.glsl"
#define GROUP 128u
#include "reduction.glsl"
layout(local_size_x = 128) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor mask = node.src[1];
    const Tensor sinks = node.src[2];
    const uint n = dst.ne[0];
    const uint rows = dst.ne[1] * dst.ne[2] * dst.ne[3];
    for (uint row = gl_WorkGroupID.x; row < rows; row += gl_NumWorkGroups.x) {
        const uvec4 c = uvec4(0, row % dst.ne[1], row / dst.ne[1] % dst.ne[2], row / (dst.ne[1] * dst.ne[2]));
        const float slope = alibi_slope(param(1), c.z, dst.ne[2]);
        float largest = -INFINITY;
        uint64_t bias = 0ul;
        if (OPTION0 == 1) bias = ADDRESS(mask, uvec4(0, c.y, c.z % mask.ne[2], c.w % mask.ne[3]));
        float sink = 0.0;
        if (OPTION1 == 1) {
            sink = read_f32(sinks.data + uint64_t(c.z * sinks.nb[0]));
            largest = sink;
        }
        const uint64_t from = ADDRESS(src, c);
        const uint64_t to = ADDRESS(dst, c);
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            float v = load(TYPE0, from + uint64_t(i * src.nb[0])) * param(0);
            if (OPTION0 == 1) v += slope * load(TYPE1, bias + uint64_t(i * mask.nb[0]));
            largest = max(largest, v);
        }
        largest = group_max(largest);
        float total = 0.0;
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            float v = load(TYPE0, from + uint64_t(i * src.nb[0])) * param(0);
            if (OPTION0 == 1) v += slope * load(TYPE1, bias + uint64_t(i * mask.nb[0]));
            total += exp(v - largest);
        }
        total = group_sum(total);
        if (OPTION1 == 1) total += exp(sink - largest);
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            float v = load(TYPE0, from + uint64_t(i * src.nb[0])) * param(0);
            if (OPTION0 == 1) v += slope * load(TYPE1, bias + uint64_t(i * mask.nb[0]));
            store(TYPED, to + uint64_t(i * dst.nb[0]), exp(v - largest) / total);
        }
    }
}
