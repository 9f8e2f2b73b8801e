// SPDX-License-Identifier: MIT
// MUL_MAT and MUL_MAT_ID (KIND 1) for few columns: a work group makes OPTION0 rows of the result for one
// column. TYPE0: the weights', TYPE1: the columns'.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
#define GROUP 32u
layout(local_size_x = 32) in;

const uint ROWS = 4;

shared float partial[ROWS][GROUP];

void main() {
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
    const Tensor x = node.src[1];
    const uint lane = gl_LocalInvocationID.x;
    const uint first = gl_WorkGroupID.x * ROWS;
    const uint plane = gl_WorkGroupID.z;
    const uint columns = dst.ne[1];
    for (uint column = gl_WorkGroupID.y; column < columns; column += gl_NumWorkGroups.y) {
        const uvec4 c = uvec4(0, column, plane % dst.ne[2], plane / dst.ne[2]);
        uint64_t matrix;
        uint64_t vector;
        if (KIND == 1) {
            const Tensor ids = node.src[2];
            const int expert = int(read_u32(ids.data + uint64_t(c.y * ids.nb[0] + c.z * ids.nb[1])));
            if (expert < 0 || uint(expert) >= weights.ne[2]) {
                report_fault();
                continue;
            }
            matrix = weights.data + uint64_t(uint(expert) * weights.nb[2]);
            vector = x.data + uint64_t((c.y % x.ne[1]) * x.nb[1] + c.z * x.nb[2]);
        } else {
            matrix = weights.data + uint64_t(c.z / (x.ne[2] / weights.ne[2]) * weights.nb[2] +
                                             c.w / (x.ne[3] / weights.ne[3]) * weights.nb[3]);
            vector = ADDRESS(x, c);
        }
        float total[ROWS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r) total[r] = 0.0;
        const uint whole = weights.ne[0] & ~7u;
        for (uint k = lane * 8u; k < whole; k += GROUP * 8u) {
            float v[8];
            [[unroll]] for (uint e = 0; e < 8; ++e) v[e] = load(TYPE1, vector + uint64_t((k + e) * x.nb[0]));
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const uint row = min(first + r, dst.ne[0] - 1u);
                const Eight w = decode_eight(TYPE0, matrix + uint64_t(row * weights.nb[1]), k);
                [[unroll]] for (uint e = 0; e < 8; ++e) total[r] += v[e] * w.v[e];
            }
        }
        for (uint k = whole + lane; k < weights.ne[0]; k += GROUP) {
            const float v = load(TYPE1, vector + uint64_t(k * x.nb[0]));
            for (uint r = 0; r < ROWS; ++r) {
                const uint row = min(first + r, dst.ne[0] - 1u);
                total[r] += v * decode(TYPE0, matrix + uint64_t(row * weights.nb[1]), k);
            }
        }
        barrier();
        [[unroll]] for (uint r = 0; r < ROWS; ++r) partial[r][lane] = total[r];
        barrier();
        if (lane < ROWS && first + lane < dst.ne[0]) {
            float sum = 0.0;
            for (uint i = 0; i < GROUP; ++i) sum += partial[lane][i];
            F32(ADDRESS(dst, uvec4(first + lane, c.yzw))).v = sum;
        }
    }
}
