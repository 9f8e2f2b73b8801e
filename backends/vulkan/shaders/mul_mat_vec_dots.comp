// SPDX-License-Identifier: MIT
// MUL_MAT and MUL_MAT_ID (KIND 1) for few F32 columns by dot products of packed bytes (dots.glsl). A work group
// quantises its column to eight bits once, in shared memory, and computes several rows: each subgroup ROWS of them, of
// every PARTS-th stretch of the depth. TYPE0: of the weights. OPTION2: invocations of a work group. OPTION5: ROWS.
// OPTION6: PARTS. OPTION7: blocks of 32 elements that shared memory holds, at least those of a column, which is 16-byte
// aligned. See products.glsl for fused kernels.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "node.glsl"
#include "dequantise.glsl"
#include "operands.glsl"
#include "products.glsl"
#include "dots.glsl"
layout(local_size_x_id = 7) in;

const uint GROUP = OPTION2;
const uint ROWS = OPTION5;
const uint PARTS = OPTION6;
const uint ROOM = OPTION7;
/// Invocations that quantise a block, four elements each.
const uint QUADS = 8;
/// Maximum number of subgroups.
const uint SUBGROUPS = 8;

/// Quantised blocks, and their factors.
shared uvec4 codes[ROOM * 2];
shared float factors[ROOM];
/// Largest magnitude of each invocation's four elements, as bits: of these, NaN is the largest.
shared uvec4 peaks[(GROUP + 3) / 4];
/// Of both sides.
shared float partial[2 * SUBGROUPS * ROWS];

void quantise_column(uint64_t column, uint blocks, uint lane) {
    for (uint task = lane; task < blocks * QUADS; task += GROUP) {
        const vec4 x = F32x4(column + uint64_t(task * 16u)).v;
        const uvec4 size = floatBitsToUint(abs(x));
        // All invocations of a block belong to the same subgroup.
        subgroupBarrier();
        peaks[lane / 4u][lane % 4u] = max(max(size.x, size.y), max(size.z, size.w));
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        const uvec4 both = max(peaks[lane / QUADS * 2u], peaks[lane / QUADS * 2u + 1u]);
        const float largest = uintBitsToFloat(max(max(both.x, both.y), max(both.z, both.w)));
        const float inverse = largest > 0.0 ? 127.0 / largest : 0.0;
        const ivec4 rounded = ivec4(roundEven(x * inverse)) & 255;
        codes[task / 4u][task % 4u] = uint(rounded.x | rounded.y << 8 | rounded.z << 16 | rounded.w << 24);
        if (task % QUADS == 0u) factors[task / QUADS] = largest / 127.0;
    }
}

Rounded quantised_block(uint block) {
    Rounded x;
    const uvec4 first = codes[block * 2u];
    const uvec4 second = codes[block * 2u + 1u];
    x.sums[0] = 0;
    x.sums[1] = 0;
    [[unroll]] for (uint h = 0; h < 4; ++h) {
        x.v[h] = first[h];
        x.v[h + 4u] = second[h];
        x.sums[0] += dot4(first[h], 0x01010101u);
        x.sums[1] += dot4(second[h], 0x01010101u);
    }
    x.d = factors[block];
    return x;
}

void main() {
    const Tensor x = node.src[1];
    const uint lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    const uint sets = gl_NumSubgroups / PARTS;
    const uint set = gl_SubgroupID / PARTS;
    const uint part = gl_SubgroupID % PARTS;
    const uint rows_of_group = sets * ROWS;
    uint group = gl_WorkGroupID.x;
    const uint product = product_of(rows_of_group, group);
    OF_PRODUCT(dst, product, node.dst, 1)
    OF_PRODUCT(weights, product, node.src[0], 0)
    const uint first = group * rows_of_group;
    const uint plane = gl_WorkGroupID.z;
    const uint columns = dst.ne[1];
    const uint blocks = weights.ne[0] / 32u;
    for (uint column = gl_WorkGroupID.y; column < columns; column += gl_NumWorkGroups.y) {
        const uvec4 c = uvec4(0, column, plane % dst.ne[2], plane / dst.ne[2]);
        Operands operands;
        if (!find_operands(weights, x, c, operands)) continue;
        barrier();
        quantise_column(operands.column, blocks, lane);
        barrier();
        for (uint side = 0; side < SIDES; ++side) {
            // Both matrices of a gated result have the same layout.
            if (side == 1) operands.matrix = node.more[0].data + (operands.matrix - weights.data);
            uint64_t rows[ROWS];
            float total[ROWS];
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                rows[r] = operands.matrix + uint64_t(min(first + set * ROWS + r, dst.ne[0] - 1u) * weights.nb[1]);
                total[r] = 0.0;
            }
            for (uint block = part * gl_SubgroupSize + gl_SubgroupInvocationID; block < blocks;
                 block += PARTS * gl_SubgroupSize) {
                const Rounded quantised = quantised_block(block);
                [[unroll]] for (uint r = 0; r < ROWS; ++r)
                    total[r] += dot_of_block(TYPE0, rows[r], block, quantised);
            }
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const float sum = subgroupAdd(total[r]);
                if (subgroupElect()) partial[side * SUBGROUPS * ROWS + (set * ROWS + r) * PARTS + part] = sum;
            }
        }
        barrier();
        if (lane < rows_of_group && first + lane < dst.ne[0]) {
            const uvec4 place = uvec4(first + lane, c.yzw);
            float made = 0.0;
            for (uint side = 0; side < SIDES; ++side) {
                float sum = 0.0;
                for (uint i = 0; i < PARTS; ++i) sum += partial[side * SUBGROUPS * ROWS + lane * PARTS + i];
                sum = with_addends(product + side, place, operands.expert, sum);
                made = side == 0 ? sum : gated(OPTION4 - 1u, made, sum);
            }
            F32(ADDRESS(dst, place)).v = made;
        }
    }
}
