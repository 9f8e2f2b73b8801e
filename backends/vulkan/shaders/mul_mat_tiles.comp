// SPDX-License-Identifier: MIT
// MUL_MAT for many columns, and MUL_MAT_ID (KIND 1) for the columns that selected the same matrix. A work group
// computes a tile of the result from dequantised weights in shared memory. With HALVES, tiles are F16 and
// accumulators F32; with MATRICES as well, four subgroups multiply them as cooperative matrices. TYPE0: of the
// weights. TYPE1: of the columns. OPTION0: 1 = columns can be read in 8-byte words. OPTION2: invocations of a work
// group. OPTION3, OPTION4: rows and columns of a tile. OPTION1, OPTION5, OPTION6: rows, columns and depth of a
// cooperative matrix.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef HALVES
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#endif
#ifdef MATRICES
// Rewritten for the KHR extension after compilation (backends/vulkan/spirv/rewrite.hpp).
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#endif
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

#ifdef HALVES
#define REAL float16_t
/// Clamps finite numbers to the range of F16: an infinity could turn a whole sum into NaN.
float16_t real(float value) {
    const bool finite = abs(value) <= 3.4028234e38;
    return float16_t(finite ? clamp(value, -65504.0, 65504.0) : value);
}
#else
#define REAL float
float real(float value) { return value; }
#endif

shared REAL tile_w[TILE_ROWS * STRIDE];
shared REAL tile_x[TILE_COLUMNS * STRIDE];
/// MUL_MAT_ID: (slot, token) pairs that selected this matrix, counted per invocation, and the pairs of the tile.
shared uint counts[GROUP];
shared uint pairs[TILE_COLUMNS];

/// Finds the pairs of a tile in order; returns how many selected the matrix.
uint find_pairs(const Tensor ids, uint matrices, uint matrix, uint first) {
    const uint lane = gl_LocalInvocationID.x;
    const uint all = ids.ne[0] * ids.ne[1];
    const uint each = (all + GROUP - 1u) / GROUP;
    const uint end = min((lane + 1u) * each, all);
    uint own = 0;
    for (uint i = lane * each; i < end; ++i) {
        const int id = int(read_u32(ids.data + uint64_t(i % ids.ne[0] * ids.nb[0] + i / ids.ne[0] * ids.nb[1])));
        if (id == int(matrix)) ++own;
        if (matrix == 0 && (id < 0 || uint(id) >= matrices)) report_fault();
    }
    barrier();
    counts[lane] = own;
    barrier();
    uint before = 0;
    uint found = 0;
    for (uint i = 0; i < GROUP; ++i) {
        if (i < lane) before += counts[i];
        found += counts[i];
    }
    if (own > 0 && before < first + TILE_COLUMNS && before + own > first) {
        for (uint i = lane * each; i < end; ++i) {
            if (int(read_u32(ids.data + uint64_t(i % ids.ne[0] * ids.nb[0] + i / ids.ne[0] * ids.nb[1]))) != int(matrix)) continue;
            if (before >= first && before < first + TILE_COLUMNS) pairs[before - first] = i;
            ++before;
        }
    }
    barrier();
    return found;
}

#ifdef MATRICES
const uint M = OPTION1, N = OPTION5, K = OPTION6;
/// Each of four subgroups computes a quarter of the tile.
const uint ACROSS = TILE_ROWS / 2 / M;
const uint DOWN = TILE_COLUMNS / 2 / N;
shared float results[4 * M * N];
#else
/// Results per invocation.
const uint OWN_ROWS = 8;
const uint OWN_COLUMNS = 4;
#endif

/// Stores a result of the tile, unless it is past the last row or column.
void put(uint row, uint t, uint column0, uint last, uvec4 c, float value) {
    if (row >= node.dst.ne[0] || column0 + t >= last) return;
    uvec4 place = uvec4(row, column0 + t, c.zw);
    if (KIND == 1) place = uvec4(row, pairs[t] % node.src[2].ne[0], pairs[t] / node.src[2].ne[0], 0);
    F32(ADDRESS(node.dst, place)).v = value;
}

void main() {
    const Tensor dst = node.dst;
    const Tensor weights = node.src[0];
    const Tensor x = node.src[1];
    const uint lane = gl_LocalInvocationID.x;
    const uint row0 = gl_WorkGroupID.x * TILE_ROWS;
    const uint plane = gl_WorkGroupID.z;
    const uvec4 c = uvec4(0, 0, plane % dst.ne[2], plane / dst.ne[2]);
    const uint depth = weights.ne[0];
    uint64_t matrix;
    if (KIND == 1) matrix = weights.data + uint64_t(plane * weights.nb[2]);
    else matrix = weights.data + uint64_t(c.z / (x.ne[2] / weights.ne[2]) * weights.nb[2] +
                                          c.w / (x.ne[3] / weights.ne[3]) * weights.nb[3]);
    // A matrix may be selected by more pairs than there are tokens, if a token selects it twice.
    for (uint tile = gl_WorkGroupID.y;; tile += gl_NumWorkGroups.y) {
        const uint column0 = tile * TILE_COLUMNS;
        uint last = dst.ne[1];
        if (KIND == 1) last = find_pairs(node.src[2], weights.ne[2], plane, column0);
        if (column0 >= last) break;
#ifdef MATRICES
        fcoopmatNV<32, gl_ScopeSubgroup, M, N> total[ACROSS * DOWN];
        [[unroll]] for (uint i = 0; i < ACROSS * DOWN; ++i) total[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
        const uint own_row = gl_SubgroupID % 2u * (TILE_ROWS / 2u);
        const uint own_column = gl_SubgroupID / 2u * (TILE_COLUMNS / 2u);
#else
        const uint own_row = lane % (TILE_ROWS / OWN_ROWS) * OWN_ROWS;
        const uint own_column = lane / (TILE_ROWS / OWN_ROWS) * OWN_COLUMNS;
        float total[OWN_ROWS][OWN_COLUMNS];
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) total[i][j] = 0.0;
#endif
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
                    else for (uint e = 0; k0 + k + e < depth; ++e) w.v[e] = decode(TYPE0, row, k0 + k + e);
                }
                [[unroll]] for (uint e = 0; e < 8; ++e) tile_w[t * STRIDE + k + e] = real(w.v[e]);
            }
            for (uint task = lane; task < TILE_COLUMNS * (DEPTH / 8u); task += GROUP) {
                const uint t = task / (DEPTH / 8u);
                const uint k = task % (DEPTH / 8u) * 8u;
                float v[8];
                [[unroll]] for (uint e = 0; e < 8; ++e) v[e] = 0.0;
                if (column0 + t < last) {
                    uint64_t column;
                    if (KIND == 1) {
                        const uint pair = pairs[t];
                        const uint slots = node.src[2].ne[0];
                        column = x.data + uint64_t(pair % slots % x.ne[1] * x.nb[1] + pair / slots * x.nb[2]);
                    } else {
                        column = ADDRESS(x, uvec4(0, column0 + t, c.zw));
                    }
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
                [[unroll]] for (uint e = 0; e < 8; ++e) tile_x[t * STRIDE + k + e] = real(v[e]);
            }
            barrier();
#ifdef MATRICES
            [[unroll]] for (uint k = 0; k < DEPTH / K; ++k) {
                fcoopmatNV<16, gl_ScopeSubgroup, M, K> w[ACROSS];
                [[unroll]] for (uint i = 0; i < ACROSS; ++i)
                    coopMatLoadNV(w[i], tile_w, (own_row + i * M) * STRIDE + k * K, STRIDE, false);
                [[unroll]] for (uint j = 0; j < DOWN; ++j) {
                    fcoopmatNV<16, gl_ScopeSubgroup, K, N> v;
                    coopMatLoadNV(v, tile_x, (own_column + j * N) * STRIDE + k * K, STRIDE, true);
                    [[unroll]] for (uint i = 0; i < ACROSS; ++i)
                        total[j * ACROSS + i] = coopMatMulAddNV(w[i], v, total[j * ACROSS + i]);
                }
            }
#else
            for (uint k = 0; k < DEPTH; ++k) {
                float w[OWN_ROWS];
                float v[OWN_COLUMNS];
                [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i) w[i] = float(tile_w[(own_row + i) * STRIDE + k]);
                [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) v[j] = float(tile_x[(own_column + j) * STRIDE + k]);
                [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i)
                    [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j) total[i][j] += w[i] * v[j];
            }
#endif
            barrier();
        }
#ifdef MATRICES
        [[unroll]] for (uint j = 0; j < DOWN; ++j) {
            [[unroll]] for (uint i = 0; i < ACROSS; ++i) {
                coopMatStoreNV(total[j * ACROSS + i], results, gl_SubgroupID * M * N, M, true);
                barrier();
                for (uint e = gl_SubgroupInvocationID; e < M * N; e += gl_SubgroupSize)
                    put(row0 + own_row + i * M + e % M, own_column + j * N + e / M, column0, last, c,
                        results[gl_SubgroupID * M * N + e]);
                barrier();
            }
        }
#else
        [[unroll]] for (uint i = 0; i < OWN_ROWS; ++i)
            [[unroll]] for (uint j = 0; j < OWN_COLUMNS; ++j)
                put(row0 + own_row + i, own_column + j, column0, last, c, total[i][j]);
#endif
        if (KIND != 1) break;
    }
}
