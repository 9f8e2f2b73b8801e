// SPDX-License-Identifier: MIT
// MUL_MAT for many columns, and MUL_MAT_ID (KIND 1) for the columns that selected the same matrix, with F16 weights
// and columns in shared memory and F32 accumulators. While a work group multiplies a step of the depth, the next one
// is loaded. With MATRICES, subgroups multiply cooperative matrices. TYPE0: of the weights. TYPE1: of the columns.
// OPTION0: bit 0 = F32 columns, 16-byte aligned; bit 1 = the depth is a multiple of a step; bit 2 = F16 weights,
// 16-byte aligned; bit 3 = columns_halves.comp has converted the columns, to node.scratch; bits 8 and up = the parts
// into which the depth is divided among work groups, for sum_parts.comp. OPTION2: invocations of a work group.
// OPTION3, OPTION4: rows and columns of a tile. OPTION1, OPTION5, OPTION6: rows, columns and depth of a cooperative
// matrix. OPTION7: elements of a step. OPTION8: subgroups along the rows of a tile; OPTION9: along its columns.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#ifdef MATRICES
// Rewritten for the KHR extension after compilation (backends/vulkan/spirv/rewrite.hpp).
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#endif
#include "node.glsl"
#include "dequantise.glsl"
#include "halves.glsl"
#include "converted.glsl"
layout(local_size_x_id = 7) in;

const uint GROUP = OPTION2;
const uint TILE_ROWS = OPTION3;
const uint TILE_COLUMNS = OPTION4;
const uint DEPTH = OPTION7;
const bool WIDE_COLUMNS = (OPTION0 & 1u) != 0u;
const bool WHOLE_STEPS = (OPTION0 & 2u) != 0u;
const bool WIDE_WEIGHTS = (OPTION0 & 4u) != 0u;
const bool CONVERTED = (OPTION0 & 8u) != 0u;
const uint PARTS = OPTION0 >> 8;
#include "tiles.glsl"

/// If the four-bit codes of elements i and i + PAIR_DISTANCE of a step are in the same byte, both are decoded from the
/// same loads; else 0. Conditional expressions, as glslc 2023.2 orders logical ones of specialised constants wrongly.
const uint NIBBLES_DISTANCE = TYPE0 == Q4_0 ? 16 : TYPE0 == Q4_1 ? 16 : TYPE0 == IQ4_NL ? 16 : TYPE0 == MXFP4 ? 16 : 0;
const uint SMALL_DISTANCE = TYPE0 == Q5_0 ? 16 : TYPE0 == Q5_1 ? 16 : NIBBLES_DISTANCE;
const uint K_DISTANCE = TYPE0 == Q4_K ? DEPTH / 2 : TYPE0 == Q5_K ? DEPTH / 2 : 0;
const uint TYPE_DISTANCE = SMALL_DISTANCE + (K_DISTANCE == 32 ? 32 : 0);
const uint PAIR_DISTANCE = WHOLE_STEPS ? TYPE_DISTANCE : 0;

/// Shared memory holds eight elements per word of 16 bytes; one more per row spreads rows over the banks.
const uint EIGHTS = DEPTH / 8;
const uint STRIDE = EIGHTS + 1;
shared uvec4 tile_w[TILE_ROWS * STRIDE];
shared uvec4 tile_x[TILE_COLUMNS * STRIDE];
/// Loads of a step, and those of each invocation.
const uint ROW_LOADS = PAIR_DISTANCE > 0 ? EIGHTS / 2 : EIGHTS;
const uint ALL_W = TILE_ROWS * ROW_LOADS, ALL_X = TILE_COLUMNS * EIGHTS;
const uint OWN_W = (ALL_W + GROUP - 1) / GROUP, OWN_X = (ALL_X + GROUP - 1) / GROUP;

/// The word of 16 bytes, in a row of the tile, that a load begins with.
uint word_of(uint load) {
    const uint i = load % ROW_LOADS;
    const uint words = max(PAIR_DISTANCE / 8u, 1u);
    return PAIR_DISTANCE > 0 ? i / words * 2u * words + i % words : i;
}

/// An index with the same decoding parameters as a word's first element: of pairs of k-quants the start of the step,
/// which is uniform; of other pairs the place within half a block.
uint like_first(uint k0, uint word) {
    return PAIR_DISTANCE == 32 ? k0 : PAIR_DISTANCE == 16 ? (word & 1u) * 8u : k0 + word * 8u;
}

/// Eight weights, or what they are decoded from: the loads of a step are issued before its predecessor is multiplied.
Fetched fetch_weights(uint64_t row, uint k, uint depth) {
    if (WHOLE_STEPS && is_quantised(TYPE0)) return fetch_eight(TYPE0, row, k);
    Fetched f;
    f.scales = uvec4(0);
    if (TYPE0 == F16_TYPE && WIDE_WEIGHTS && WHOLE_STEPS) {
        f.codes = U32x4(row + uint64_t(k * 2u)).v;
        return f;
    }
    Eight w;
    if (WHOLE_STEPS || k + 8u <= depth) {
        w = decode_eight(TYPE0, row, k);
    } else {
        [[unroll]] for (uint e = 0; e < 8; ++e) w.v[e] = 0.0;
        for (uint e = 0; k + e < depth; ++e) w.v[e] = plain_element(TYPE0, row, k + e);
    }
    f.codes = halves_of(w.v);
    return f;
}
/// In F16 arithmetic if nothing overflows: integers up to 2048 are exact, larger products and m are rounded to 11 bits.
/// Scales are often subnormal, which drivers may treat as 0: d is multiplied by 1024, the factor divided by it.
uvec4 halves_of(const Scaled s) {
    const float d_end = 8.0;
    const float m_end = 512.0;
    const float smallest_d = 5.9604645e-8;  // that is normal times 1024; only MXFP4 has smaller ones
    const bool fits = abs(s.d) < d_end && abs(s.m) < m_end && (TYPE0 != MXFP4 || s.d >= smallest_d);
    if (!fits) return halves_of(decode_scaled(s).v);
    const f16vec2 d = f16vec2(s.d * 1024.0);
    const f16vec2 factor = f16vec2(s.factor * (1.0 / 1024.0));
    const f16vec2 m = f16vec2(s.m);
    // With these bits in front, a byte is the number 1024 + byte.
    const f16vec2 offset = f16vec2(1024.0 + s.offset);
    uvec4 words;
    [[unroll]] for (uint h = 0; h < 2; ++h) {
        const uint four = s.bytes[h];
        const uvec2 spread = uvec2((four & 255u) | (four & 0xFF00u) << 8, ((four >> 16) & 255u) | ((four >> 8) & 0xFF0000u));
        [[unroll]] for (uint i = 0; i < 2; ++i)
            words[2u * h + i] =
                packFloat2x16(fma(d, (unpackFloat2x16(spread[i] | 0x64006400u) - offset) * factor, m));
    }
    return words;
}
uvec4 decode_weights(const Fetched f, uint k) {
    if (WHOLE_STEPS && is_quantised(TYPE0)) return halves_of(scaled_of(TYPE0, f, k));
    return f.codes;
}

/// Eight elements of a column, in F16 if all are whole.
struct Columns {
    uvec4 first;
    uvec4 second;
};
Columns fetch_columns(uint64_t column, uint step, uint k, uint depth) {
    if (CONVERTED) return Columns(U32x4(column + uint64_t(k * 2u)).v, uvec4(0));
    if (WIDE_COLUMNS && WHOLE_STEPS) return Columns(U32x4(column + uint64_t(k * 4u)).v, U32x4(column + uint64_t(k * 4u + 16u)).v);
    uint x[8];
    [[unroll]] for (uint e = 0; e < 8; ++e)
        x[e] = floatBitsToUint(WHOLE_STEPS || k + e < depth ? load(TYPE1, column + uint64_t((k + e) * step)) : 0.0);
    return Columns(uvec4(x[0], x[1], x[2], x[3]), uvec4(x[4], x[5], x[6], x[7]));
}
uvec4 halves_of(const Columns x) {
    if (CONVERTED) return x.first;
    const vec4 first = uintBitsToFloat(x.first), second = uintBitsToFloat(x.second);
    return uvec4(two_halves(first.x, first.y), two_halves(first.z, first.w),
                 two_halves(second.x, second.y), two_halves(second.z, second.w));
}

#ifdef MATRICES
const uint M = OPTION1, N = OPTION5, K = OPTION6;
const uint SUBGROUP_ROWS = TILE_ROWS / OPTION8, SUBGROUP_COLUMNS = TILE_COLUMNS / OPTION9;
const uint ACROSS = SUBGROUP_ROWS / M;
const uint DOWN = SUBGROUP_COLUMNS / N;
shared float results[OPTION8 * OPTION9 * M * N];
layout(buffer_reference, std430, buffer_reference_align = 16) buffer F32s { float v[]; };
#else
/// Results per invocation; its rows are a stride apart, so that neighbours read neighbouring rows.
const uint OWN_ROWS = 8;
const uint OWN_COLUMNS = 4;
const uint ROW_STEP = TILE_ROWS / OWN_ROWS;
#endif

void main() {
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
    Tensor x = node.src[1];
    if (CONVERTED) converted_to(x);
    const uint lane = gl_LocalInvocationID.x;
    const uint row0 = gl_WorkGroupID.x * TILE_ROWS;
    const uint plane = gl_WorkGroupID.z;
    const uvec4 c = uvec4(0, 0, plane % dst.ne[2], plane / dst.ne[2]);
    const uint depth = weights.ne[0];
    const uint64_t matrix = matrix_of(weights, x, plane, c);
    const uint part = gl_WorkGroupID.y % PARTS;
    const uint steps = (depth + DEPTH - 1u) / DEPTH;
    const uint begin = part * steps / PARTS * DEPTH;
    const uint end = (part + 1u) * steps / PARTS * DEPTH;
    Tensor to = dst;
    if (PARTS > 1) to = part_of(dst, x, part);
    // MUL_MAT_ID: there are work groups for twice the average number of pairs; a more popular expert takes several turns.
    for (uint tile = gl_WorkGroupID.y / PARTS;; tile += gl_NumWorkGroups.y / PARTS) {
        const uint column0 = tile * TILE_COLUMNS;
        uint last = dst.ne[1];
        if (KIND == 1) last = find_pairs(node.src[2], weights.ne[2], plane, column0);
        if (column0 >= last) break;
        // Rows and columns past the last are computed from the last, but not stored.
        uint64_t own_w[OWN_W];
        uint64_t own_x[OWN_X];
        [[unroll]] for (uint i = 0; i < OWN_W; ++i)
            own_w[i] = matrix + uint64_t(min(row0 + (lane + i * GROUP) / ROW_LOADS, dst.ne[0] - 1u) * weights.nb[1]);
        [[unroll]] for (uint i = 0; i < OWN_X; ++i) {
            const uint t = min((lane + i * GROUP) / EIGHTS, min(TILE_COLUMNS, last - column0) - 1u);
            own_x[i] = column_of(x, t, column0, c);
        }
        Fetched next_w[OWN_W];
        Columns next_x[OWN_X];
#define FETCH(k0)                                                                                      \
    [[unroll]] for (uint i = 0; i < OWN_W; ++i)                                                        \
        next_w[i] = fetch_weights(own_w[i], (k0) + word_of(lane + i * GROUP) * 8u, depth);             \
    [[unroll]] for (uint i = 0; i < OWN_X; ++i)                                                        \
        next_x[i] = fetch_columns(own_x[i], x.nb[0], (k0) + (lane + i * GROUP) % EIGHTS * 8u, depth);
#ifdef MATRICES
        fcoopmatNV<32, gl_ScopeSubgroup, M, N> total[ACROSS * DOWN];
        [[unroll]] for (uint i = 0; i < ACROSS * DOWN; ++i) total[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
        const uint own_row = gl_SubgroupID % OPTION8 * SUBGROUP_ROWS;
        const uint own_column = gl_SubgroupID / OPTION8 * SUBGROUP_COLUMNS;
#else
        const uint own_row = lane % ROW_STEP;
        const uint own_column = lane / ROW_STEP * OWN_COLUMNS;
        float total[OWN_ROWS][OWN_COLUMNS];
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) total[i][j] = 0.0;
#endif
        FETCH(begin)
        for (uint k0 = begin; k0 < end; k0 += DEPTH) {
            [[unroll]] for (uint i = 0; i < OWN_W; ++i) {
                const uint task = lane + i * GROUP;
                const uint place = task / ROW_LOADS * STRIDE + word_of(task);
                const bool own = ALL_W % GROUP == 0 || task < ALL_W;
                const uint k = like_first(k0, word_of(task));
                const uvec4 words = decode_weights(next_w[i], k);
                if (own) tile_w[place] = words;
                if (PAIR_DISTANCE > 0) {
                    const uvec4 others = decode_weights(next_w[i], k | PAIR_DISTANCE);
                    if (own) tile_w[place + PAIR_DISTANCE / 8u] = others;
                }
            }
            [[unroll]] for (uint i = 0; i < OWN_X; ++i) {
                const uint task = lane + i * GROUP;
                const uvec4 words = halves_of(next_x[i]);
                if (ALL_X % GROUP == 0 || task < ALL_X) tile_x[task / EIGHTS * STRIDE + task % EIGHTS] = words;
            }
            barrier();
            // After the last step, loads it again: without a branch, loads overlap with the products.
            const uint next = k0 + DEPTH < end ? k0 + DEPTH : k0;
            FETCH(next)
#ifdef MATRICES
            [[unroll]] for (uint k = 0; k < DEPTH / K; ++k) {
                fcoopmatNV<16, gl_ScopeSubgroup, M, K> w[ACROSS];
                fcoopmatNV<16, gl_ScopeSubgroup, K, N> v[DOWN];
                [[unroll]] for (uint i = 0; i < ACROSS; ++i)
                    coopMatLoadNV(w[i], tile_w, (own_row + i * M) * STRIDE + k * (K / 8u), STRIDE, false);
                [[unroll]] for (uint j = 0; j < DOWN; ++j)
                    coopMatLoadNV(v[j], tile_x, (own_column + j * N) * STRIDE + k * (K / 8u), STRIDE, true);
                // A single loop: NVIDIA's compiler unrolls only the innermost of nested ones.
                [[unroll]] for (uint t = 0; t < ACROSS * DOWN; ++t)
                    total[t] = coopMatMulAddNV(w[t % ACROSS], v[t / ACROSS], total[t]);
            }
#else
            for (uint k = 0; k < EIGHTS; ++k) {
                uvec4 w[OWN_ROWS];
                [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) w[i] = tile_w[(own_row + i * ROW_STEP) * STRIDE + k];
                [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) {
                    const uvec4 v = tile_x[(own_column + j) * STRIDE + k];
                    [[unroll]] for (uint e = 0; e < 4; ++e) {
                        const vec2 two = vec2(unpackFloat2x16(v[e]));
                        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) {
                            const vec2 weight = vec2(unpackFloat2x16(w[i][e]));
                            total[i][j] += weight.x * two.x;
                            total[i][j] += weight.y * two.y;
                        }
                    }
                }
            }
#endif
            barrier();
        }
#ifdef MATRICES
        // Columns of a matrix in memory must be 16-byte aligned.
        const bool aligned = (to.nb[1] & 15u) == 0u && (uint(to.data) & 15u) == 0u;
        if (KIND != 1 && aligned && row0 + TILE_ROWS <= to.ne[0] && column0 + TILE_COLUMNS <= last) {
            const uint64_t at = ADDRESS(to, uvec4(row0 + own_row, column0 + own_column, c.zw));
            const uint distance = to.nb[1] / 4u;
            [[unroll]] for (uint t = 0; t < ACROSS * DOWN; ++t)
                coopMatStoreNV(total[t], F32s(at).v, t / ACROSS * N * distance + t % ACROSS * M, distance, true);
            break;
        }
        for (uint t = 0; t < ACROSS * DOWN; ++t) {
            [[unroll]] for (uint n = 0; n < ACROSS * DOWN; ++n)
                if (n == t) coopMatStoreNV(total[n], results, gl_SubgroupID * M * N, M, true);
            barrier();
            for (uint e = gl_SubgroupInvocationID; e < M * N; e += gl_SubgroupSize)
                put(to, row0 + own_row + t % ACROSS * M + e % M, own_column + t / ACROSS * N + e / M, column0, last, c,
                    results[gl_SubgroupID * M * N + e]);
            barrier();
        }
#else
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i)
            [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j)
                put(to, row0 + own_row + i * ROW_STEP, own_column + j, column0, last, c, total[i][j]);
#endif
        if (KIND != 1) break;
    }
}
