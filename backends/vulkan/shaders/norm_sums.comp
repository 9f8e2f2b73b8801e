// SPDX-License-Identifier: MIT
// NORM, RMS_NORM and L2_NORM (KIND 0, 1, 2) of contiguous F32 rows, one work group per row: every element is read
// once, 16 bytes at a time and before the reduction, and kept in registers. The constants of fused kernels are those
// of norm.comp, with vectors of one row as sources 1 and 3 and an addend of the same shape. OPTION2: invocations.
// OPTION3: vec4 per invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "node.glsl"
#include "wide.glsl"
layout(local_size_x_id = 7) in;
const uint GROUP = OPTION2;
const uint OWN = OPTION3;

/// Of each subgroup, for two reductions without a barrier in between.
shared float partial[2][GROUP];

float group_sum(uint which, float value) {
    const float sum = subgroupAdd(value);
    if (gl_NumSubgroups == 1) return sum;
    if (subgroupElect()) partial[which][gl_SubgroupID] = sum;
    barrier();
    // Not by subgroups again: some drivers run fewer invocations per subgroup than gl_SubgroupSize.
    float total = 0.0;
    for (uint i = 0; i < gl_NumSubgroups; ++i) total += partial[which][i];
    return total;
}

void main() {
    const uint n = node.dst.ne[0];
    const uvec4 c = uvec4(0, gl_WorkGroupID);
    const uint64_t from = ADDRESS(node.src[0], c);
    vec4 x[OWN];
    vec4 y[OWN];
    vec4 factors[OWN];
    vec4 shifts[OWN];
    [[unroll]] for (uint j = 0; j < OWN; ++j) {
        const uint i = (gl_LocalInvocationID.x + j * GROUP) * 4u;
        const uint64_t at = uint64_t(i * 4u);
        x[j] = vec4(0.0);
        if (i >= n) continue;
        x[j] = F32x4(from + at).v;
        if (OPTION1 == 1) y[j] = F32x4(ADDRESS(node.src[2], c) + at).v;
        if (OPTION0 >= 1) factors[j] = F32x4(node.src[1].data + at).v;
        if (OPTION0 == 2) shifts[j] = F32x4(node.src[3].data + at).v;
    }
    if (OPTION1 == 1) {
        [[unroll]] for (uint j = 0; j < OWN; ++j) {
            const uint i = (gl_LocalInvocationID.x + j * GROUP) * 4u;
            if (i >= n) continue;
            x[j] += y[j];
            F32x4(ADDRESS(node.more[0], c) + uint64_t(i * 4u)).v = x[j];
        }
    }
    float mean = 0.0;
    if (KIND == 0) {
        vec4 total = vec4(0.0);
        [[unroll]] for (uint j = 0; j < OWN; ++j) total += x[j];
        mean = group_sum(0, (total.x + total.y) + (total.z + total.w)) / float(n);
    }
    float squares = 0.0;
    [[unroll]] for (uint j = 0; j < OWN; ++j) {
        if ((gl_LocalInvocationID.x + j * GROUP) * 4u >= n) continue;
        x[j] -= mean;
        squares += dot(x[j], x[j]);
    }
    squares = group_sum(1, squares);
    const float factor = KIND == 2 ? 1.0 / max(sqrt(squares), param(0)) : 1.0 / sqrt(squares / float(n) + param(0));
    const uint64_t to = ADDRESS(node.dst, c);
    [[unroll]] for (uint j = 0; j < OWN; ++j) {
        const uint i = (gl_LocalInvocationID.x + j * GROUP) * 4u;
        if (i >= n) continue;
        vec4 result = x[j] * factor;
        if (OPTION0 >= 1) result *= factors[j];
        if (OPTION0 == 2) result += shifts[j];
        F32x4(to + uint64_t(i * 4u)).v = result;
    }
}
