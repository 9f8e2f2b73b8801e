// SPDX-License-Identifier: MIT
// GROUP_NORM: normalises each group of channels to mean 0 and variance 1; one work group per group.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#define GROUP 128u
#include "reduction.glsl"
layout(local_size_x = 128) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const uint groups = uint(node.params[0]);
    const uint channels = (src.ne[2] + groups - 1u) / groups;
    for (uint g = gl_WorkGroupID.x; g < groups * src.ne[3]; g += gl_NumWorkGroups.x) {
        const uint first = min(src.ne[2], g % groups * channels);
        const uint n = src.ne[0] * src.ne[1] * (min(src.ne[2], first + channels) - first);
        const uvec4 origin = uvec4(0, 0, first, g / groups);
        float total = 0.0;
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP)
            total += read_f32(ADDRESS(src, origin + COORDINATES(src, i)));
        const float mean = group_sum(total) / float(n);
        float squares = 0.0;
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            const float d = read_f32(ADDRESS(src, origin + COORDINATES(src, i))) - mean;
            squares += d * d;
        }
        const float factor = 1.0 / sqrt(group_sum(squares) / float(n) + param(1));
        for (uint i = gl_LocalInvocationID.x; i < n; i += GROUP) {
            const uvec4 c = origin + COORDINATES(src, i);
            F32(ADDRESS(dst, c)).v = (read_f32(ADDRESS(src, c)) - mean) * factor;
        }
    }
}
