// SPDX-License-Identifier: MIT
// MUL_MAT and MUL_MAT_ID (KIND 1) for few columns: a work group computes ROWS rows of the result for one column.
// TYPE0: of the weights. TYPE1: of the columns. OPTION0: 1 = columns can be read in 8-byte words. With SUBGROUPS,
// sums are reduced within subgroups; OPTION2 = invocations of a work group and OPTION5 = ROWS. See products.glsl for
// fused kernels.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUPS
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#include "node.glsl"
#include "dequantise.glsl"
#include "operands.glsl"
#include "products.glsl"
#include "words.glsl"
#ifdef SUBGROUPS
layout(local_size_x_id = 7) in;
const uint GROUP = OPTION2;
const uint ROWS = OPTION5;
/// Maximum number of subgroups: work groups of smaller subgroups have fewer invocations.
const uint PARTS = 32;
shared float partial[ROWS][PARTS];
#else
layout(local_size_x = 32) in;
const uint GROUP = 32;
const uint ROWS = 4;
shared float partial[ROWS][GROUP];
#endif

/// Products of ROWS rows of a matrix, starting at row `first`; invocation r returns row r.
float sums(uint64_t matrix, uint stride, uint depth, uint first, uint rows, uint64_t vector, uint step) {
    const uint lane = gl_LocalInvocationID.x;
    float total[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) total[r] = 0.0;
    const uint whole = depth & ~7u;
    for (uint k = lane * 8u; k < whole; k += GROUP * 8u) {
        float v[8];
        if (OPTION0 == 1) {
            [[unroll]] for (uint e = 0; e < 8; e += 2u) {
                const vec2 two = read_two(vector + uint64_t((k + e) * 4u));
                v[e] = two.x;
                v[e + 1u] = two.y;
            }
        } else {
            [[unroll]] for (uint e = 0; e < 8; ++e) v[e] = load(TYPE1, vector + uint64_t((k + e) * step));
        }
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uint row = min(first + r, rows - 1u);
            const Eight w = decode_eight(TYPE0, matrix + uint64_t(row * stride), k);
            [[unroll]] for (uint e = 0; e < 8; ++e) total[r] += v[e] * w.v[e];
        }
    }
    for (uint k = whole + lane; k < depth; k += GROUP) {
        const float v = load(TYPE1, vector + uint64_t(k * step));
        for (uint r = 0; r < ROWS; ++r) {
            const uint row = min(first + r, rows - 1u);
            total[r] += v * plain_element(TYPE0, matrix + uint64_t(row * stride), k);
        }
    }
    barrier();
#ifdef SUBGROUPS
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const float sum = subgroupAdd(total[r]);
        if (subgroupElect()) partial[r][gl_SubgroupID] = sum;
    }
    const uint parts = gl_NumSubgroups;
#else
    [[unroll]] for (uint r = 0; r < ROWS; ++r) partial[r][lane] = total[r];
    const uint parts = GROUP;
#endif
    barrier();
    float sum = 0.0;
    if (lane < ROWS) for (uint i = 0; i < parts; ++i) sum += partial[lane][i];
    return sum;
}

void main() {
    const Tensor x = node.src[1];
    const uint lane = gl_LocalInvocationID.x;
    uint group = gl_WorkGroupID.x;
    const uint product = product_of(ROWS, group);
    OF_PRODUCT(dst, product, node.dst, 1)
    OF_PRODUCT(weights, product, node.src[0], 0)
    const uint first = group * ROWS;
    const uint plane = gl_WorkGroupID.z;
    const uint columns = dst.ne[1];
    for (uint column = gl_WorkGroupID.y; column < columns; column += gl_NumWorkGroups.y) {
        const uvec4 c = uvec4(0, column, plane % dst.ne[2], plane / dst.ne[2]);
        Operands operands;
        if (!find_operands(weights, x, c, operands)) continue;
        const uvec4 place = uvec4(first + lane, c.yzw);
        float made = 0.0;
        for (uint side = 0; side < SIDES; ++side) {
            // Both matrices of a gated result have the same layout.
            if (side == 1) operands.matrix = node.more[0].data + (operands.matrix - weights.data);
            float sum = sums(operands.matrix, weights.nb[1], weights.ne[0], first, dst.ne[0], operands.column, x.nb[0]);
            sum = with_addends(product + side, place, operands.expert, sum);
            made = side == 0 ? sum : gated(OPTION4 - 1u, made, sum);
        }
        if (lane < ROWS && first + lane < dst.ne[0]) F32(ADDRESS(dst, place)).v = made;
    }
}
