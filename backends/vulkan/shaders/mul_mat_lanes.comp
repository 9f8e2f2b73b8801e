// SPDX-License-Identifier: MIT
// MUL_MAT and MUL_MAT_ID (KIND 1) for devices that execute memory reads lane by lane, such as software devices. A
// work group is one subgroup; each lane keeps ROWS rows of weights in registers, and elements of the columns are
// broadcast. TYPE0: of the weights. TYPE1: of the columns. OPTION0: 1 = columns can be read in 8-byte words.
// OPTION2: lanes of a subgroup. A work group computes ROWS rows per lane and COLUMNS columns. See products.glsl for
// fused kernels of one column.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "node.glsl"
#include "dequantise.glsl"
#include "chunk.glsl"
#include "operands.glsl"
#ifdef ONE_COLUMN
#include "products.glsl"
#define ADD_TO_ALL(element) if (HAS_OFFSET) all += element;
#else
#define ADD_TO_ALL(element)
#endif
layout(local_size_x_id = 7) in;

/// Products of ROWS rows of a matrix with the columns; the rows start at `row0` and are a subgroup apart.
void products_of(uint64_t matrix, uint stride, uint depth, uint row0, uint last, uint64_t columns[COLUMNS], uint step,
                 out float total[ROWS][COLUMNS]) {
    const uint lanes = OPTION2;
    const uint lane = gl_SubgroupInvocationID;
    uint64_t rows[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r)
        rows[r] = matrix + uint64_t(min(row0 + r * lanes, last) * stride);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) [[unroll]] for (uint j = 0; j < COLUMNS; ++j) total[r][j] = 0.0;

    const uint whole = depth / CHUNK * CHUNK;
    for (uint k0 = 0; k0 < whole; k0 += CHUNK) {
        Chunk v[ROWS];
#ifdef ONE_COLUMN
        // Scales and offsets are applied to the sums.
        float before[ROWS];
        float all = 0.0;
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            v[r] = decode_codes(rows[r], k0);
            before[r] = total[r][0];
            total[r][0] = 0.0;
        }
#else
        [[unroll]] for (uint r = 0; r < ROWS; ++r) v[r] = decode_chunk(rows[r], k0);
#endif
        [[unroll]] for (uint j = 0; j < COLUMNS; ++j) {
            if (OPTION0 == 1) {
                // Each lane loads two of every sixteen elements.
                [[unroll]] for (uint part = 0; part < CHUNK; part += 16u) {
                    const uint64_t two = read_u64(columns[j] + uint64_t((k0 + part + 2u * (lane & 7u)) * 4u));
                    const float even = uintBitsToFloat(uint(two));
                    const float odd = uintBitsToFloat(uint(two >> 32));
                    [[unroll]] for (uint e = 0; e < 16; ++e) {
                        const float element = subgroupBroadcast((e & 1u) == 0u ? even : odd, e / 2u);
                        ADD_TO_ALL(element)
                        [[unroll]] for (uint r = 0; r < ROWS; ++r) total[r][j] += v[r].v[part + e] * element;
                    }
                }
            } else {
                [[unroll]] for (uint part = 0; part < CHUNK; part += 8u) {
                    const float own = load(TYPE1, columns[j] + uint64_t((k0 + part + (lane & 7u)) * step));
                    [[unroll]] for (uint e = 0; e < 8; ++e) {
                        const float element = subgroupBroadcast(own, e);
                        ADD_TO_ALL(element)
                        [[unroll]] for (uint r = 0; r < ROWS; ++r) total[r][j] += v[r].v[part + e] * element;
                    }
                }
            }
        }
#ifdef ONE_COLUMN
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
            total[r][0] = before[r] + v[r].d * total[r][0] + (HAS_OFFSET ? v[r].m * all : 0.0);
#endif
    }
    for (uint k = whole; k < depth; ++k) {
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const float weight = plain_element(TYPE0, rows[r], k);
            [[unroll]] for (uint j = 0; j < COLUMNS; ++j) total[r][j] += weight * load(TYPE1, columns[j] + uint64_t(k * step));
        }
    }
}

void main() {
    const Tensor x = node.src[1];
    const uint lanes = OPTION2;
    const uint lane = gl_SubgroupInvocationID;
    uint group = gl_WorkGroupID.x;
#ifdef ONE_COLUMN
    const uint product = product_of(lanes * ROWS, group);
    OF_PRODUCT(dst, product, node.dst, 1)
    OF_PRODUCT(weights, product, node.src[0], 0)
#else
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
#endif
    const uint row0 = group * lanes * ROWS + lane;
    const uint column0 = gl_WorkGroupID.y * COLUMNS;
    const uint plane = gl_WorkGroupID.z;
    const uvec4 c = uvec4(0, column0, plane % dst.ne[2], plane / dst.ne[2]);
    Operands operands;
    if (!find_operands(weights, x, c, operands)) return;
    // Columns past the last are computed but not stored.
    uint64_t columns[COLUMNS];
    [[unroll]] for (uint j = 0; j < COLUMNS; ++j)
        columns[j] = operands.column + uint64_t(min(j, dst.ne[1] - 1u - column0) * x.nb[1]);
    float total[ROWS][COLUMNS];
#ifdef ONE_COLUMN
    float made[ROWS];
    for (uint side = 0; side < SIDES; ++side) {
        // Both matrices of a gated result have the same layout.
        if (side == 1) operands.matrix = node.more[0].data + (operands.matrix - weights.data);
        products_of(operands.matrix, weights.nb[1], weights.ne[0], row0, dst.ne[0] - 1u, columns, x.nb[0], total);
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uvec4 place = uvec4(row0 + r * lanes, c.yzw);
            const float sum = with_addends(product + side, place, operands.expert, total[r][0]);
            made[r] = side == 0 ? sum : gated(OPTION4 - 1u, made[r], sum);
        }
    }
    [[unroll]] for (uint r = 0; r < ROWS; ++r) total[r][0] = made[r];
#else
    products_of(operands.matrix, weights.nb[1], weights.ne[0], row0, dst.ne[0] - 1u, columns, x.nb[0], total);
#endif
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        [[unroll]] for (uint j = 0; j < COLUMNS; ++j) {
            if (row0 + r * lanes < dst.ne[0] && column0 + j < dst.ne[1])
                F32(dst.data + uint64_t((row0 + r * lanes) * dst.nb[0] + (column0 + j) * dst.nb[1] + c.z * dst.nb[2] + c.w * dst.nb[3])).v = total[r][j];
        }
    }
}
