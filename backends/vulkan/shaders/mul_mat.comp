// SPDX-License-Identifier: MIT
// MUL_MAT for many columns: a work group makes a tile of 32 rows and 32 columns, through shared memory that
// holds the weights dequantised.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
layout(local_size_x = 64) in;

const uint TILE = 32;
const uint DEPTH = 16;

shared float tile_w[DEPTH][TILE + 1];
shared float tile_x[DEPTH][TILE + 1];

void main() {
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
    const Tensor x = node.src[1];
    const uint lane = gl_LocalInvocationID.x;
    const uint row0 = gl_WorkGroupID.x * TILE;
    const uint column0 = gl_WorkGroupID.y * TILE;
    const uint plane = gl_WorkGroupID.z;
    const uvec4 c = uvec4(0, 0, plane % dst.ne[2], plane / dst.ne[2]);
    const uint64_t matrix = weights.data + uint64_t(c.z / (x.ne[2] / weights.ne[2]) * weights.nb[2] +
                                                    c.w / (x.ne[3] / weights.ne[3]) * weights.nb[3]);
    const uint64_t columns = ADDRESS(x, c);
    // Each invocation keeps 4 × 4 results.
    const uint r = (lane % 8u) * 4u;
    const uint s = (lane / 8u) * 4u;
    float total[4][4];
    [[unroll]] for (uint i = 0; i < 4; ++i) [[unroll]] for (uint j = 0; j < 4; ++j) total[i][j] = 0.0;
    const uint depth = weights.ne[0];
    for (uint k0 = 0; k0 < depth; k0 += DEPTH) {
        // Each invocation brings eight weights of a row and eight elements of a column.
        const uint t = lane / 2u;
        const uint k8 = (lane % 2u) * 8u;
        Eight w8;
        [[unroll]] for (uint e = 0; e < 8; ++e) w8.v[e] = 0.0;
        const uint64_t row = matrix + uint64_t((row0 + t) * weights.nb[1]);
        if (row0 + t < dst.ne[0]) {
            if (k0 + k8 + 8u <= depth) w8 = decode_eight(TYPE0, row, k0 + k8);
            else for (uint e = 0; k0 + k8 + e < depth; ++e) w8.v[e] = decode(TYPE0, row, k0 + k8 + e);
        }
        [[unroll]] for (uint e = 0; e < 8; ++e) {
            const uint k = k0 + k8 + e;
            float v = 0.0;
            if (k < depth && column0 + t < dst.ne[1])
                v = load(TYPE1, columns + uint64_t((column0 + t) * x.nb[1] + k * x.nb[0]));
            tile_w[k8 + e][t] = w8.v[e];
            tile_x[k8 + e][t] = v;
        }
        barrier();
        for (uint k = 0; k < DEPTH; ++k) {
            float w[4];
            float v[4];
            [[unroll]] for (uint i = 0; i < 4; ++i) w[i] = tile_w[k][r + i];
            [[unroll]] for (uint j = 0; j < 4; ++j) v[j] = tile_x[k][s + j];
            [[unroll]] for (uint i = 0; i < 4; ++i) [[unroll]] for (uint j = 0; j < 4; ++j) total[i][j] += w[i] * v[j];
        }
        barrier();
    }
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        [[unroll]] for (uint j = 0; j < 4; ++j) {
            if (row0 + r + i < dst.ne[0] && column0 + s + j < dst.ne[1])
                F32(ADDRESS(dst, uvec4(row0 + r + i, column0 + s + j, c.zw))).v = total[i][j];
        }
    }
}
