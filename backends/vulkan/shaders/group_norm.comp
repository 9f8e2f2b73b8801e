// SPDX-License-Identifier: MIT
// GROUP_NORM: normalises each group of channels to mean 0 and variance 1; one work group per group.
// OPTION0: elements of an invocation in an iteration.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#define GROUP 128u
#include "reduction.glsl"
layout(local_size_x = 128) in;

/// Runs the statement that follows for each of an invocation's elements.
#define FOR_OWN(i, count)                                                                            \
    for (uint first = gl_LocalInvocationID.x; first < (count); first += GROUP * OPTION0)             \
        [[unroll]] for (uint j = 0, i = first; j < OPTION0; ++j, i += GROUP)                         \
            if (i < (count))

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const uint groups = uint(node.params[0]);
    const uint channels = (src.ne[2] + groups - 1u) / groups;
    for (uint g = gl_WorkGroupID.x; g < groups * src.ne[3]; g += gl_NumWorkGroups.x) {
        const uint channel = min(src.ne[2], g % groups * channels);
        const uint n = src.ne[0] * src.ne[1] * (min(src.ne[2], channel + channels) - channel);
        const uvec4 origin = uvec4(0, 0, channel, g / groups);
        float total = 0.0;
        FOR_OWN(i, n) total += read_f32(ADDRESS(src, origin + COORDINATES(src, i)));
        const float mean = group_sum(total) / float(n);
        float squares = 0.0;
        FOR_OWN(i, n) {
            const float d = read_f32(ADDRESS(src, origin + COORDINATES(src, i))) - mean;
            squares += d * d;
        }
        const float factor = 1.0 / sqrt(group_sum(squares) / float(n) + param(1));
        FOR_OWN(i, n) {
            const uvec4 c = origin + COORDINATES(src, i);
            F32(ADDRESS(dst, c)).v = (read_f32(ADDRESS(src, c)) - mean) * factor;
        }
    }
}
