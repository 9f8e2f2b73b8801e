// SPDX-License-Identifier: MIT
// FLASH_ATTN_EXT: a work group computes one query of one head with a running maximum, without storing the scores.
// Quantised values are decoded once, into shared memory, for all its invocations.
// TYPE0, TYPE1, TYPE2: of k, v and the mask. OPTION0: 1 = mask. OPTION1: 1 = sinks. OPTION2: elements of a value,
// rounded up to a multiple of the group. OPTION3: keys whose values are decoded together, 0 for plain values. OPTION4:
// keys of a pass, 0 = all; until the last, the result and node.scratch hold its state. OPTION5: 1 = continues. OPTION6: the
// first query.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
#include "scratch.glsl"
#include "functions.glsl"
#include "alibi.glsl"
#define GROUP 64u
#include "reduction.glsl"
layout(local_size_x = 64) in;

const uint SLICES = OPTION2 / GROUP;

const uint EIGHTS = GROUP / 8u;

shared float weights[GROUP];
shared float values[OPTION3 * GROUP + 1u];

void main() {
    const Tensor dst = node.dst;
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor v = node.src[2];
    const Tensor mask = node.src[3];
    const Tensor sinks = node.src[4];
    const uint lane = gl_LocalInvocationID.x;
    const uint query = OPTION6 + gl_WorkGroupID.x;
    const uint head = gl_WorkGroupID.y;
    const uint batch = gl_WorkGroupID.z;
    const uint keys = k.ne[1];
    const float cap = param(2);
    const float scale = cap != 0.0 ? param(0) / cap : param(0);
    const float slope = alibi_slope(param(1), head, q.ne[2]);
    const uint64_t q_row = ADDRESS(q, uvec4(0, query, head, batch));
    const uint64_t k_plane = ADDRESS(k, uvec4(0, 0, head / (q.ne[2] / k.ne[2]), batch / (q.ne[3] / k.ne[3])));
    const uint64_t v_plane = ADDRESS(v, uvec4(0, 0, head / (q.ne[2] / v.ne[2]), batch / (q.ne[3] / v.ne[3])));
    uint64_t bias = 0ul;
    if (OPTION0 == 1) bias = ADDRESS(mask, uvec4(0, query, head % mask.ne[2], batch % mask.ne[3]));

    float result[SLICES];
    for (uint s = 0; s < SLICES; ++s) result[s] = 0.0;
    float largest = -INFINITY;
    float total = 0.0;
    uint begin_key = 0;
    const uint slot = (batch * q.ne[2] + head) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint64_t kept = node.scratch + uint64_t((COUNTERS + slot * 3u) * 4u);
    if (OPTION5 == 1) {
        largest = read_f32(kept);
        total = read_f32(kept + 4ul);
        begin_key = read_u32(kept + 8ul);
        for (uint s = 0; s < SLICES; ++s) {
            const uint i = s * GROUP + lane;
            if (i < v.ne[0]) result[s] = read_f32(ADDRESS(dst, uvec4(i, head, query, batch)));
        }
    }
    const uint end_key = OPTION4 == 0 ? keys : min(keys, begin_key + OPTION4);
    for (uint first = begin_key; first < end_key; first += GROUP) {
        const uint key = first + lane;
        float score = -INFINITY;
        if (key < keys) {
            float b = 0.0;
            if (OPTION0 == 1) b = slope * load(TYPE2, bias + uint64_t(key * mask.nb[0]));
            if (b > -INFINITY) {
                score = 0.0;
                const uint64_t row = k_plane + uint64_t(key * k.nb[1]);
                const uint whole = k.ne[0] & ~7u;
                for (uint i = 0; i < whole; i += 8u) {
                    const Eight w = decode_eight(TYPE0, row, i);
                    [[unroll]] for (uint e = 0; e < 8; ++e) score += read_f32(q_row + uint64_t((i + e) * 4u)) * w.v[e];
                }
                for (uint i = whole; i < k.ne[0]; ++i) score += read_f32(q_row + uint64_t(i * 4u)) * plain_element(TYPE0, row, i);
                score *= scale;
                if (cap != 0.0) score = cap * hyperbolic_tangent(score);
                score += b;
            }
        }
        const float seen = max(largest, group_max(number_or_zero(score)));
        if (seen == -INFINITY) continue;
        const float shrink = largest == -INFINITY ? 0.0 : exp(largest - seen);
        const float weight = score == -INFINITY ? 0.0 : attention_weight(score, seen);
        largest = seen;
        total = total * shrink + group_sum(weight);
        weights[lane] = weight;
        barrier();
        const uint count = min(GROUP, keys - first);
        for (uint s = 0; s < SLICES; ++s) {
            const uint i = s * GROUP + lane;
            float sum = result[s] * shrink;
            // Masked cells may contain any value, including NaN.
            if (OPTION3 > 0u) {
                for (uint begin = 0; begin < count; begin += OPTION3) {
                    const uint keys_here = min(OPTION3, count - begin);
                    for (uint n = lane; n < keys_here * EIGHTS; n += GROUP) {
                        const uint from = s * GROUP + n % EIGHTS * 8u;
                        const uint j = n / EIGHTS;
                        if (from >= v.ne[0] || weights[begin + j] == 0.0) continue;
                        const uint64_t row = v_plane + uint64_t((first + begin + j) * v.nb[1]);
                        const Eight eight = decode_eight(TYPE1, row, from);
                        [[unroll]] for (uint e = 0; e < 8; ++e) values[j * GROUP + n % EIGHTS * 8u + e] = eight.v[e];
                    }
                    barrier();
                    if (i < v.ne[0]) {
                        for (uint j = 0; j < keys_here; ++j) {
                            if (weights[begin + j] != 0.0) sum += weights[begin + j] * values[j * GROUP + lane];
                        }
                    }
                    barrier();
                }
            } else if (i < v.ne[0]) {
                for (uint j = 0; j < count; ++j) {
                    const uint64_t row = v_plane + uint64_t((first + j) * v.nb[1]);
                    if (weights[j] != 0.0) sum += weights[j] * plain_element(TYPE1, row, i);
                }
            }
            result[s] = sum;
        }
        barrier();
    }
    if (end_key < keys) {
        if (lane == 0) {
            F32(kept).v = largest;
            F32(kept + 4ul).v = total;
            U32(kept + 8ul).v = end_key;
        }
        for (uint s = 0; s < SLICES; ++s) {
            const uint i = s * GROUP + lane;
            if (i < v.ne[0]) F32(ADDRESS(dst, uvec4(i, head, query, batch))).v = result[s];
        }
        return;
    }
    float factor = 1.0;
    if (OPTION1 == 1) {
        const float sink = read_f32(sinks.data + uint64_t(head * sinks.nb[0]));
        const float seen = max(largest, sink);
        factor = largest == -INFINITY ? 0.0 : exp(largest - seen);
        total = total * factor + exp(sink - seen);
    }
    if (total > 0.0) factor /= total;
    for (uint s = 0; s < SLICES; ++s) {
        const uint i = s * GROUP + lane;
        if (i < v.ne[0]) F32(ADDRESS(dst, uvec4(i, head, query, batch))).v = result[s] * factor;
    }
}
