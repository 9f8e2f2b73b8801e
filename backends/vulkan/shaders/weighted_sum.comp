// SPDX-License-Identifier: MIT
// Sum of the experts' results of each token, in their order: source 0 is [elements, experts, tokens], source 1 their
// weights. OPTION0: 1 = rows of 16-byte words. OPTION1: experts. OPTION2: 1 = biases of all experts, source 2, are added
// before; source 3 are the experts' indices.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "wide.glsl"
layout(local_size_x = 64) in;

vec4 read_some(uint64_t at) { return OPTION0 == 1 ? F32x4(at).v : vec4(read_f32(at)); }

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor weights = node.src[1];
    const uint step = OPTION0 == 1 ? 4 : 1;
    for (uint token = gl_WorkGroupID.y; token < dst.ne[1]; token += gl_NumWorkGroups.y) {
        FOR_ELEMENTS(n, dst.ne[0] / step) {
            const uint i = n * step;
            vec4 x[OPTION1];
            float w[OPTION1];
            [[unroll]] for (uint e = 0; e < OPTION1; ++e) {
                const uint64_t at = ADDRESS(src, uvec4(i, e, token, 0));
                x[e] = read_some(at);
                if (OPTION2 == 1) {
                    const uint expert = read_u32(ADDRESS(node.src[3], uvec4(e, token, 0, 0)));
                    if (expert < node.src[2].ne[1]) x[e] += read_some(ADDRESS(node.src[2], uvec4(i, expert, 0, 0)));
                    else report_fault();
                }
                w[e] = read_f32(ADDRESS(weights, uvec4(0, e, token, 0)));
            }
            vec4 sum = x[0] * w[0];
            [[unroll]] for (uint e = 1; e < OPTION1; ++e) sum += x[e] * w[e];
            const uint64_t to = ADDRESS(dst, uvec4(i, token, 0, 0));
            if (OPTION0 == 1) F32x4(to).v = sum;
            else F32(to).v = sum.x;
        }
    }
}
