// SPDX-License-Identifier: MIT
// FLASH_ATTN_EXT for F16 or F32 keys and values on devices that execute memory reads lane by lane, such as software
// devices. A work group is one subgroup of eight lanes and computes QUERIES queries of heads that share their keys.
// For scores, lanes divide the keys; for sums, the elements of the values. TYPE0, TYPE1, TYPE2: of k, v and the
// mask. OPTION0: 1 = mask. OPTION1: 1 = sinks. OPTION2, OPTION3: elements of a key and of a value, multiples of 4.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "node.glsl"
#include "functions.glsl"
#include "alibi.glsl"
#include "words.glsl"
layout(local_size_x = 8) in;

const uint LANES = 8;
const uint QUERIES = 4;
const uint KEY_WIDTH = OPTION2;
const uint VALUE_WIDTH = OPTION3;
const uint PER_WORD = TYPE1 == F16_TYPE ? 4 : 2;
// Elements of a query and of a result that a lane keeps, some of which may be unused.
const uint OWN_QUERY = (KEY_WIDTH + 2 * LANES - 1) / (2 * LANES) * 2;
const uint OWN_RESULT = (VALUE_WIDTH + PER_WORD * LANES - 1) / (PER_WORD * LANES) * PER_WORD;

/// Two elements of a key, from an even index.
vec2 two_of(uint64_t word, uint i) {
    if (TYPE0 == F16_TYPE) return unpackHalf2x16((i & 2u) == 0u ? uint(word) : uint(word >> 32));
    return vec2(uintBitsToFloat(uint(word)), uintBitsToFloat(uint(word >> 32)));
}

void main() {
    const Tensor dst = node.dst;
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor v = node.src[2];
    const Tensor mask = node.src[3];
    const uint lane = gl_SubgroupInvocationID;
    const uint sharing = q.ne[2] / k.ne[2];
    const uint count = q.ne[1] * sharing;
    const uint key_head = gl_WorkGroupID.y;
    const uint batch = gl_WorkGroupID.z;
    const float cap = param(2);
    const float scale = cap != 0.0 ? param(0) / cap : param(0);
    const uint64_t k_plane = ADDRESS(k, uvec4(0, 0, key_head, batch / (q.ne[3] / k.ne[3])));
    const uint64_t v_plane = ADDRESS(v, uvec4(0, 0, key_head, batch / (q.ne[3] / v.ne[3])));
    // Vectors of QUERIES: glslc gives an array of this type the layout of those in Tensor, which is not valid here.
    uvec4 head;
    uvec4 query;
    float slope[QUERIES];
    uint64_t bias[QUERIES];
    float asked[QUERIES][OWN_QUERY];
    float result[QUERIES][OWN_RESULT];
    float largest[QUERIES];
    float total[QUERIES];
    [[unroll]] for (uint n = 0; n < QUERIES; ++n) {
        // Queries past the last are computed but not stored.
        const uint index = min(gl_WorkGroupID.x * QUERIES + n, count - 1u);
        head[n] = key_head * sharing + index % sharing;
        query[n] = index / sharing;
        slope[n] = alibi_slope(param(1), head[n], q.ne[2]);
        bias[n] = 0ul;
        if (OPTION0 == 1) bias[n] = ADDRESS(mask, uvec4(0, query[n], head[n] % mask.ne[2], batch % mask.ne[3]));
        const uint64_t row = ADDRESS(q, uvec4(0, query[n], head[n], batch));
        [[unroll]] for (uint i = 0; i < OWN_QUERY; i += 2u) {
            const uint64_t two = read_u64(row + uint64_t(min(i * LANES + 2u * lane, KEY_WIDTH - 2u) * 4u));
            asked[n][i] = uintBitsToFloat(uint(two)) * scale;
            asked[n][i + 1u] = uintBitsToFloat(uint(two >> 32)) * scale;
        }
        [[unroll]] for (uint i = 0; i < OWN_RESULT; ++i) result[n][i] = 0.0;
        largest[n] = -INFINITY;
        total[n] = 0.0;
    }
    const uint keys = k.ne[1];
    for (uint first = 0; first < keys; first += LANES) {
        const uint key = min(first + lane, keys - 1u);
        float b[QUERIES];
        float most = -INFINITY;
        [[unroll]] for (uint n = 0; n < QUERIES; ++n) {
            b[n] = OPTION0 == 1 ? slope[n] * load(TYPE2, bias[n] + uint64_t(key * mask.nb[0])) : 0.0;
            if (first + lane >= keys) b[n] = -INFINITY;
            most = max(most, b[n]);
        }
        if (subgroupMax(most) == -INFINITY) continue;
        const uint64_t k_row = k_plane + uint64_t(key * k.nb[1]);
        float score[QUERIES];
        [[unroll]] for (uint n = 0; n < QUERIES; ++n) score[n] = 0.0;
        uint64_t word = 0ul;
        [[unroll]] for (uint i = 0; i < KEY_WIDTH; i += 2u) {
            if (TYPE0 == F16_TYPE) {
                if (i % 4u == 0u) word = read_u64(k_row + uint64_t(i * 2u));
            } else {
                word = read_u64(k_row + uint64_t(i * 4u));
            }
            const vec2 two = two_of(word, i);
            const uint own = i / (2u * LANES) * 2u;
            [[unroll]] for (uint n = 0; n < QUERIES; ++n) {
                score[n] += two.x * subgroupBroadcast(asked[n][own], i / 2u % LANES);
                score[n] += two.y * subgroupBroadcast(asked[n][own + 1u], i / 2u % LANES);
            }
        }
        float weight[QUERIES];
        float any = 0.0;
        [[unroll]] for (uint n = 0; n < QUERIES; ++n) {
            if (cap != 0.0) score[n] = cap * hyperbolic_tangent(score[n]);
            // Masked cells may contain any value, including NaN.
            score[n] = b[n] == -INFINITY ? -INFINITY : score[n] + b[n];
            const float seen = max(largest[n], subgroupMax(number_or_zero(score[n])));
            const float shrink = largest[n] == seen ? 1.0 : exp(largest[n] - seen);
            weight[n] = score[n] == -INFINITY ? 0.0 : attention_weight(score[n], seen);
            largest[n] = seen;
            total[n] = total[n] * shrink + weight[n];
            any += weight[n];
            [[unroll]] for (uint i = 0; i < OWN_RESULT; ++i) result[n][i] *= shrink;
        }
        [[unroll]] for (uint j = 0; j < LANES; ++j) {
            if (subgroupBroadcast(any, j) == 0.0) continue;
            const uint64_t v_row = v_plane + uint64_t((first + j) * v.nb[1]);
            float of_query[QUERIES];
            [[unroll]] for (uint n = 0; n < QUERIES; ++n) of_query[n] = subgroupBroadcast(weight[n], j);
            [[unroll]] for (uint i = 0; i < OWN_RESULT; i += PER_WORD) {
                const uint at = min(i * LANES + PER_WORD * lane, VALUE_WIDTH - PER_WORD);
                const uint64_t here = read_u64(v_row + uint64_t(at * (8u / PER_WORD)));
                float values[4];
                if (TYPE1 == F16_TYPE) {
                    const vec2 low = unpackHalf2x16(uint(here));
                    const vec2 high = unpackHalf2x16(uint(here >> 32));
                    values[0] = low.x;
                    values[1] = low.y;
                    values[PER_WORD - 2] = high.x;
                    values[PER_WORD - 1] = high.y;
                } else {
                    values[0] = uintBitsToFloat(uint(here));
                    values[1] = uintBitsToFloat(uint(here >> 32));
                }
                // A value that one query sees may be NaN for the others.
                [[unroll]] for (uint e = 0; e < PER_WORD; ++e)
                    [[unroll]] for (uint n = 0; n < QUERIES; ++n)
                        result[n][i + e] += of_query[n] == 0.0 ? 0.0 : of_query[n] * values[e];
            }
        }
    }
    [[unroll]] for (uint n = 0; n < QUERIES; ++n) {
        if (gl_WorkGroupID.x * QUERIES + n >= count) continue;
        float sum = subgroupAdd(total[n]);
        float factor = 1.0;
        if (OPTION1 == 1) {
            const float sink = read_f32(node.src[4].data + uint64_t(head[n] * node.src[4].nb[0]));
            const float seen = max(largest[n], sink);
            factor = largest[n] == -INFINITY ? 0.0 : exp(largest[n] - seen);
            sum = sum * factor + exp(sink - seen);
        }
        if (sum > 0.0) factor /= sum;
        const uint64_t to = ADDRESS(dst, uvec4(0, head[n], query[n], batch));
        [[unroll]] for (uint i = 0; i < OWN_RESULT; i += PER_WORD) {
            const uint at = i * LANES + PER_WORD * lane;
            if (at >= VALUE_WIDTH) continue;
            [[unroll]] for (uint e = 0; e < PER_WORD; e += 2u)
                write_two(to + uint64_t((at + e) * 4u), result[n][i + e] * factor, result[n][i + e + 1u] * factor);
        }
    }
}
