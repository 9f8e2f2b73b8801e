// SPDX-License-Identifier: MIT
// Attention of a few queries without FLASH_ATTN_EXT: a product of keys and queries, SOFT_MAX with a mask, the
// product of values and weights, and a copy that makes the heads of a token contiguous. A work group computes one
// query of one head, with the query and all scores in shared memory; each invocation computes four scores, or its
// part of four results, at a time. TYPE0, TYPE1, TYPE2: of k, v and the mask. OPTION0: 1 = mask. OPTION1: 1 =
// sinks. OPTION2: number of keys, rounded up. OPTION3: 1 = k, 2 = v, 3 = both can be read in 8-byte words. OPTION5:
// elements of a key. Sources: q, k, v, mask, sinks; v is transposed (dimension 0 indexes keys).
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "alibi.glsl"
#include "words.glsl"
#define GROUP 64u
#include "reduction.glsl"
layout(local_size_x = 64) in;
const uint AT_ONCE = 4;
/// Invocations that share an element of the result; adjacent ones, because its values are contiguous.
const uint SHARING = 8;
const uint ELEMENTS_AT_ONCE = GROUP / SHARING * AT_ONCE;

shared float asked[OPTION5];
shared float scores[OPTION2];
shared float parts[AT_ONCE][GROUP];

/// Four consecutive elements of a plain type.
vec4 load_four(const uint type, const bool words, uint64_t at, uint step) {
    if (words && type == F32_TYPE) return vec4(read_two(at), read_two(at + 8ul));
    if (words && (type == F16_TYPE || type == BF16_TYPE)) {
        const uint64_t word = read_u64(at);
        const uint low = uint(word);
        const uint high = uint(word >> 32);
        if (type == F16_TYPE) return vec4(unpackHalf2x16(low), unpackHalf2x16(high));
        return vec4(uintBitsToFloat(low << 16), uintBitsToFloat(low & 0xFFFF0000u), uintBitsToFloat(high << 16),
                    uintBitsToFloat(high & 0xFFFF0000u));
    }
    return vec4(load(type, at), load(type, at + uint64_t(step)), load(type, at + uint64_t(2u * step)),
                load(type, at + uint64_t(3u * step)));
}

void main() {
    const Tensor dst = node.dst;
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor v = node.src[2];
    const Tensor mask = node.src[3];
    const uint lane = gl_LocalInvocationID.x;
    const uint query = gl_WorkGroupID.x;
    const uint head = gl_WorkGroupID.y;
    const uint batch = gl_WorkGroupID.z;
    const uint keys = k.ne[1];
    const float slope = alibi_slope(param(1), head, q.ne[2]);
    const uint64_t q_row = ADDRESS(q, uvec4(0, query, head, batch));
    const uint64_t k_plane = ADDRESS(k, uvec4(0, 0, head / (q.ne[2] / k.ne[2]), batch / (q.ne[3] / k.ne[3])));
    const uint64_t v_plane = ADDRESS(v, uvec4(0, 0, head / (q.ne[2] / v.ne[2]), batch / (q.ne[3] / v.ne[3])));
    uint64_t bias = 0ul;
    if (OPTION0 == 1) bias = ADDRESS(mask, uvec4(0, query, head % mask.ne[2], batch % mask.ne[3]));
    for (uint i = lane; i < OPTION5; i += GROUP) asked[i] = read_f32(q_row + uint64_t(i * q.nb[0]));
    barrier();
    float sink = -INFINITY;
    if (OPTION1 == 1) sink = read_f32(node.src[4].data + uint64_t(head * node.src[4].nb[0]));
    float largest = sink;
    const uint whole = OPTION5 & ~3u;
    for (uint first = lane * AT_ONCE; first < keys; first += GROUP * AT_ONCE) {
        float b[AT_ONCE];
        float score[AT_ONCE];
        uint64_t row[AT_ONCE];
        float most = -INFINITY;
        [[unroll]] for (uint j = 0; j < AT_ONCE; ++j) {
            const uint key = min(first + j, keys - 1u);
            b[j] = OPTION0 == 1 ? slope * load(TYPE2, bias + uint64_t(key * mask.nb[0])) : 0.0;
            score[j] = 0.0;
            row[j] = k_plane + uint64_t(key * k.nb[1]);
            most = max(most, b[j]);
        }
        if (most > -INFINITY) {
            for (uint i = 0; i < whole; i += 4u) {
                const vec4 a = vec4(asked[i], asked[i + 1u], asked[i + 2u], asked[i + 3u]);
                [[unroll]] for (uint j = 0; j < AT_ONCE; ++j) {
                    const vec4 four = load_four(TYPE0, (OPTION3 & 1u) != 0u, row[j] + uint64_t(i * k.nb[0]), k.nb[0]);
                    score[j] += a.x * four.x + a.y * four.y + a.z * four.z + a.w * four.w;
                }
            }
            for (uint i = whole; i < OPTION5; ++i) {
                [[unroll]] for (uint j = 0; j < AT_ONCE; ++j)
                    score[j] += asked[i] * load(TYPE0, row[j] + uint64_t(i * k.nb[0]));
            }
        }
        [[unroll]] for (uint j = 0; j < AT_ONCE; ++j) {
            // Masked cells may contain any value, including NaN.
            const float value = b[j] == -INFINITY ? -INFINITY : score[j] * param(0) + b[j];
            if (first + j < keys) {
                scores[first + j] = value;
                largest = max(largest, value);
            }
        }
    }
    largest = group_max(largest);
    float total = 0.0;
    for (uint key = lane; key < keys; key += GROUP) {
        const float weight = exp(scores[key] - largest);
        scores[key] = weight;
        total += weight;
    }
    total = group_sum(total);
    if (OPTION1 == 1) total += exp(sink - largest);
    const uint part = lane % SHARING;
    const uint even = keys & ~3u;
    // Invocations past the end recompute the last element.
    for (uint first = lane / SHARING; first - lane / SHARING < v.ne[1]; first += ELEMENTS_AT_ONCE) {
        float sum[AT_ONCE];
        uint64_t row[AT_ONCE];
        [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
            sum[n] = 0.0;
            row[n] = v_plane + uint64_t(min(first + n * (GROUP / SHARING), v.ne[1] - 1u) * v.nb[1]);
        }
        for (uint key = part * 4u; key < even; key += SHARING * 4u) {
            const vec4 weight = vec4(scores[key], scores[key + 1u], scores[key + 2u], scores[key + 3u]);
            const bvec4 seen = notEqual(weight, vec4(0.0));
            if (!any(seen)) continue;
            [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
                const vec4 four =
                    mix(vec4(0.0), load_four(TYPE1, (OPTION3 & 2u) != 0u, row[n] + uint64_t(key * v.nb[0]), v.nb[0]), seen);
                sum[n] += weight.x * four.x + weight.y * four.y + weight.z * four.z + weight.w * four.w;
            }
        }
        for (uint key = even + part; key < keys; key += SHARING) {
            if (scores[key] == 0.0) continue;
            [[unroll]] for (uint n = 0; n < AT_ONCE; ++n)
                sum[n] += scores[key] * load(TYPE1, row[n] + uint64_t(key * v.nb[0]));
        }
        barrier();
        [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) parts[n][lane] = sum[n];
        barrier();
        // Of the invocations that share elements, number n adds up the parts of element n.
        if (part < AT_ONCE) {
            const uint i = first + part * (GROUP / SHARING);
            float result = 0.0;
            for (uint n = 0; n < SHARING; ++n) result += parts[part][lane - part + n];
            if (i < v.ne[1]) F32(ADDRESS(dst, uvec4(i, head, query, batch))).v = result / total;
        }
    }
}
