// SPDX-License-Identifier: MIT
// MUL_MAT for many columns, and MUL_MAT_ID (KIND 1) for the columns that selected the same matrix. A work group
// computes a tile of the result from dequantised F32 weights in shared memory. TYPE0: of the weights. TYPE1: of
// the columns. OPTION0: 1 = columns can be read in 8-byte words. OPTION2: invocations of a work group. OPTION3,
// OPTION4: rows and columns of a tile.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
#include "words.glsl"
layout(local_size_x_id = 7) in;

const uint GROUP = OPTION2;
const uint TILE_ROWS = OPTION3;
const uint TILE_COLUMNS = OPTION4;
const uint DEPTH = 32;
/// Padded, so that rows of shared memory start in different banks.
const uint STRIDE = DEPTH + 8;
/// Results per invocation.
const uint OWN_ROWS = 8;
const uint OWN_COLUMNS = 4;
#include "tiles.glsl"

shared float tile_w[TILE_ROWS * STRIDE];
shared float tile_x[TILE_COLUMNS * STRIDE];

void main() {
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
    const Tensor x = node.src[1];
    const uint lane = gl_LocalInvocationID.x;
    const uint row0 = gl_WorkGroupID.x * TILE_ROWS;
    const uint plane = gl_WorkGroupID.z;
    const uvec4 c = uvec4(0, 0, plane % dst.ne[2], plane / dst.ne[2]);
    const uint depth = weights.ne[0];
    const uint64_t matrix = matrix_of(weights, x, plane, c);
    // MUL_MAT_ID: there are work groups for twice the average number of pairs; a more popular expert takes several turns.
    for (uint tile = gl_WorkGroupID.y;; tile += gl_NumWorkGroups.y) {
        const uint column0 = tile * TILE_COLUMNS;
        uint last = dst.ne[1];
        if (KIND == 1) last = find_pairs(node.src[2], weights.ne[2], plane, column0);
        if (column0 >= last) break;
        const uint own_row = lane % (TILE_ROWS / OWN_ROWS) * OWN_ROWS;
        const uint own_column = lane / (TILE_ROWS / OWN_ROWS) * OWN_COLUMNS;
        float total[OWN_ROWS][OWN_COLUMNS];
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) total[i][j] = 0.0;
        for (uint k0 = 0; k0 < depth; k0 += DEPTH) {
            // Each invocation loads eight weights of a row and eight elements of a column at a time.
            for (uint task = lane; task < TILE_ROWS * (DEPTH / 8u); task += GROUP) {
                const uint t = task / (DEPTH / 8u);
                const uint k = task % (DEPTH / 8u) * 8u;
                Eight w;
                [[unroll]] for (uint e = 0; e < 8; ++e) w.v[e] = 0.0;
                if (row0 + t < dst.ne[0]) {
                    const uint64_t row = matrix + uint64_t((row0 + t) * weights.nb[1]);
                    if (k0 + k + 8u <= depth) w = decode_eight(TYPE0, row, k0 + k);
                    else for (uint e = 0; k0 + k + e < depth; ++e) w.v[e] = plain_element(TYPE0, row, k0 + k + e);
                }
                [[unroll]] for (uint e = 0; e < 8; ++e) tile_w[t * STRIDE + k + e] = w.v[e];
            }
            for (uint task = lane; task < TILE_COLUMNS * (DEPTH / 8u); task += GROUP) {
                const uint t = task / (DEPTH / 8u);
                const uint k = task % (DEPTH / 8u) * 8u;
                float v[8];
                [[unroll]] for (uint e = 0; e < 8; ++e) v[e] = 0.0;
                if (column0 + t < last) {
                    const uint64_t column = column_of(x, t, column0, c);
                    if (OPTION0 == 1 && k0 + k + 8u <= depth) {
                        [[unroll]] for (uint e = 0; e < 8; e += 2u) {
                            const vec2 two = read_two(column + uint64_t((k0 + k + e) * 4u));
                            v[e] = two.x;
                            v[e + 1u] = two.y;
                        }
                    } else {
                        for (uint e = 0; e < 8 && k0 + k + e < depth; ++e)
                            v[e] = load(TYPE1, column + uint64_t((k0 + k + e) * x.nb[0]));
                    }
                }
                [[unroll]] for (uint e = 0; e < 8; ++e) tile_x[t * STRIDE + k + e] = v[e];
            }
            barrier();
            for (uint k = 0; k < DEPTH; ++k) {
                float w[OWN_ROWS];
                float v[OWN_COLUMNS];
                [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) w[i] = tile_w[(own_row + i) * STRIDE + k];
                [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) v[j] = tile_x[(own_column + j) * STRIDE + k];
                [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i)
                    [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) total[i][j] += w[i] * v[j];
            }
            barrier();
        }
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i)
            [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j)
                put(dst, row0 + own_row + i, own_column + j, column0, last, c, total[i][j]);
        if (KIND != 1) break;
    }
}
