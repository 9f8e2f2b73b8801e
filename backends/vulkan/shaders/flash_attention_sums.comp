// SPDX-License-Identifier: MIT
// FLASH_ATTN_EXT of few queries: a work group computes ROWS queries of heads that share their keys. Each subgroup
// takes LANES keys at a time, without barriers for the work group: every lane computes the scores of one key for all
// rows, then lanes divide the elements of the values among them. Subgroups are merged once, at the end. TYPE0, TYPE1,
// TYPE2: of k, v and the mask. KIND: 1 = all rows have the same mask. OPTION0: 1 = mask. OPTION1: 1 = sinks.
// OPTION2: invocations. OPTION3: number of parts of the cache, one work group each; the last to finish merges their
// results, which are stored in node.scratch. OPTION4: elements of a key. OPTION5: elements of a value. OPTION6:
// LANES, ROWS and the number of rows merged at once, a byte each.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "node.glsl"
#include "dequantise.glsl"
#include "scratch.glsl"
#include "functions.glsl"
#include "alibi.glsl"
layout(local_size_x_id = 7) in;

const uint GROUP = OPTION2;
const uint PARTS = OPTION3;
const uint LANES = OPTION6 & 255u;
const uint ROWS = (OPTION6 >> 8) & 255u;
const uint AT_ONCE = OPTION6 >> 16;
const uint SUBGROUPS = GROUP / LANES;
const uint MASKS = KIND == 1 ? 1 : ROWS;
const uint KEY_EIGHTS = OPTION4 / 8u;
const uint VALUE_EIGHTS = OPTION5 / 8u;
/// Lanes that share a value, eights of it for each, and values that a subgroup adds at once.
const uint SHARING = VALUE_EIGHTS < LANES ? VALUE_EIGHTS : LANES;
const uint OWN = (VALUE_EIGHTS + SHARING - 1) / SHARING;
const uint VALUES = LANES / SHARING;
/// Partial results of a row.
const uint SUMS = SUBGROUPS * VALUES;

shared vec4 asked[ROWS * KEY_EIGHTS * 2];
/// Weights of each subgroup's keys; then partial results.
shared float pool[AT_ONCE * SUMS * OPTION5 > GROUP * ROWS ? AT_ONCE * SUMS * OPTION5 : GROUP * ROWS];
shared float maxima[SUBGROUPS * ROWS];
shared float totals[SUBGROUPS * ROWS];
shared uint finished;

/// Data exchanged between work groups of a dispatch.
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Partial { float v; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Counter { uint v; };

/// Eight elements of a key or value.
void read_eight_wide(const uint type, uint64_t row, uint eighth, out vec4 low, out vec4 high) {
    if (type == F32_TYPE) {
        low = F32x4(row + uint64_t(eighth * 32u)).v;
        high = F32x4(row + uint64_t(eighth * 32u + 16u)).v;
    } else if (type == F16_TYPE) {
        const uvec4 words = U32x4(row + uint64_t(eighth * 16u)).v;
        low = vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y));
        high = vec4(unpackHalf2x16(words.z), unpackHalf2x16(words.w));
    } else {
        const Eight eight = decode_eight(type, row, eighth * 8u);
        low = vec4(eight.v[0], eight.v[1], eight.v[2], eight.v[3]);
        high = vec4(eight.v[4], eight.v[5], eight.v[6], eight.v[7]);
    }
}

/// Of a query's row: its head and number.
uvec2 head_and_query(uint index, uint key_head, uint heads) {
    return heads == 1u ? uvec2(key_head, index) : uvec2(key_head * heads + index % heads, index / heads);
}

float factor_of(float most, float largest) { return most == -INFINITY ? 0.0 : exp(most - largest); }

void main() {
    const Tensor dst = node.dst;
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor v = node.src[2];
    const Tensor mask = node.src[3];
    const uint invocation = gl_LocalInvocationID.x;
    const uint lane = gl_SubgroupInvocationID;
    const uint subgroup = gl_SubgroupID;
    const uint key_head = gl_WorkGroupID.y / PARTS;
    const uint part = gl_WorkGroupID.y % PARTS;
    const uint batch = gl_WorkGroupID.z;
    const uint keys = k.ne[1];
    const uint heads = q.ne[2] / k.ne[2];
    const uint count = q.ne[1] * heads;
    const float cap = param(2);
    const float scale = cap != 0.0 ? param(0) / cap : param(0);
    const uint64_t k_plane = ADDRESS(k, uvec4(0, 0, key_head, batch / (q.ne[3] / k.ne[3])));
    const uint64_t v_plane = ADDRESS(v, uvec4(0, 0, key_head, batch / (q.ne[3] / v.ne[3])));
    // Rows past the last are computed but not stored.
    const uint first_row = gl_WorkGroupID.x * ROWS;
    float slope[ROWS];
    uint64_t bias[MASKS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uvec2 at = head_and_query(min(first_row + r, count - 1u), key_head, heads);
        slope[r] = alibi_slope(param(1), at.x, q.ne[2]);
        if (OPTION0 == 1 && r < MASKS)
            bias[r] = ADDRESS(mask, uvec4(0, at.y, at.x % mask.ne[2], batch % mask.ne[3]));
    }
    const uint turns = (keys + GROUP - 1u) / GROUP;
    const uint end = turns * (part + 1u) / PARTS;
    uint turn = turns * part / PARTS;
    // The mask is read one turn ahead: whether keys are read depends on it.
    float ahead[MASKS];
#define READ_MASK(into, turn)                                                                        \
    {                                                                                                \
        const uint of_lane = (turn) * GROUP + subgroup * LANES + lane;                               \
        [[unroll]] for (uint r = 0; r < MASKS; ++r) {                                                \
            into[r] = of_lane < keys ? 0.0 : -INFINITY;                                              \
            if (OPTION0 == 1 && of_lane < keys) into[r] = load(TYPE2, bias[r] + uint64_t(of_lane * mask.nb[0])); \
        }                                                                                            \
    }
    READ_MASK(ahead, turn)
    for (uint i = invocation; i < ROWS * KEY_EIGHTS * 2u; i += GROUP) {
        const uvec2 at = head_and_query(min(first_row + i / (KEY_EIGHTS * 2u), count - 1u), key_head, heads);
        const uint64_t row = ADDRESS(q, uvec4(0, at.y, at.x, batch));
        asked[i] = scale * F32x4(row + uint64_t(i % (KEY_EIGHTS * 2u) * 16u)).v;
    }
    barrier();

    // Indexed by counters of innermost loops only: NVIDIA's compiler does not unroll the others.
    vec4 result[ROWS * OWN * 2];
    float largest[ROWS];
    float total[ROWS];  // of this lane's keys
    [[unroll]] for (uint n = 0; n < ROWS * OWN * 2; ++n) result[n] = vec4(0.0);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        largest[r] = -INFINITY;
        total[r] = 0.0;
    }
    const uint own_value = lane / SHARING;
    const uint share = lane % SHARING;
    for (; turn < end; ++turn) {
        const uint first = turn * GROUP + subgroup * LANES;
        float b[MASKS];
        bool any = false;
        [[unroll]] for (uint r = 0; r < MASKS; ++r) {
            b[r] = ahead[r];
            any = any || b[r] > -INFINITY;
        }
        if (turn + 1u < end) READ_MASK(ahead, turn + 1u)
        // Every subgroup executes every barrier: llvmpipe's (Mesa 26) wait for the whole work group.
        const bool some = subgroupBallot(any) != uvec4(0);
        vec4 sum[ROWS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r) sum[r] = vec4(0.0);
        if (any) {
            const uint64_t row = k_plane + uint64_t((first + lane) * k.nb[1]);
            [[unroll]] for (uint e = 0; e < KEY_EIGHTS; ++e) {
                vec4 low;
                vec4 high;
                read_eight_wide(TYPE0, row, e, low, high);
                [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                    sum[r] = fma(asked[(r * KEY_EIGHTS + e) * 2u], low, sum[r]);
                    sum[r] = fma(asked[(r * KEY_EIGHTS + e) * 2u + 1u], high, sum[r]);
                }
            }
        }
        // Lanes exchange weights within their subgroup only.
        subgroupBarrier();
        float shrink[ROWS];
        if (some) {
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                float score = (sum[r].x + sum[r].y) + (sum[r].z + sum[r].w);
                if (cap != 0.0) score = cap * hyperbolic_tangent(score);
                // Masked cells may contain any value, including NaN.
                const float shift = b[r < MASKS ? r : 0];
                score = shift == -INFINITY ? -INFINITY : fma(slope[r], shift, score);
                const float most = max(largest[r], subgroupMax(number_or_zero(score)));
                shrink[r] = factor_of(largest[r], most);
                const float weight = score == -INFINITY ? 0.0 : attention_weight(score, most);
                largest[r] = most;
                total[r] = total[r] * shrink[r] + weight;
                pool[(subgroup * LANES + lane) * ROWS + r] = weight;
            }
        }
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        if (!some) continue;
        [[unroll]] for (uint i = 0; i < ROWS * OWN * 2; ++i) result[i] *= shrink[i / (OWN * 2u)];
        [[unroll]] for (uint j = 0; j < LANES; j += VALUES) {
            const uint of_key = j + own_value;
            if (own_value >= VALUES || of_key >= LANES) continue;
            float weight[ROWS];
            bool seen = false;
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                weight[r] = pool[(subgroup * LANES + of_key) * ROWS + r];
                seen = seen || weight[r] != 0.0;
            }
            // Also of keys past the last.
            if (!seen) continue;
            const uint64_t row = v_plane + uint64_t((first + of_key) * v.nb[1]);
            for (uint n = 0; n < OWN; ++n) {
                const uint eighth = share + n * SHARING;
                if (eighth >= VALUE_EIGHTS) continue;
                vec4 low;
                vec4 high;
                read_eight_wide(TYPE1, row, eighth, low, high);
                [[unroll]] for (uint i = 0; i < ROWS * OWN; ++i) {
                    // With different masks, a value that one row sees may be NaN for the others.
                    if (i % OWN != n || (KIND != 1 && weight[i / OWN] == 0.0)) continue;
                    result[2u * i] = fma(vec4(weight[i / OWN]), low, result[2u * i]);
                    result[2u * i + 1u] = fma(vec4(weight[i / OWN]), high, result[2u * i + 1u]);
                }
            }
        }
    }

    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const float sum = subgroupAdd(total[r]);
        if (subgroupElect()) {
            maxima[subgroup * ROWS + r] = largest[r];
            totals[subgroup * ROWS + r] = sum;
        }
    }
    barrier();
    const uint slot = (batch * k.ne[2] + key_head) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint length = OPTION5 + 2u;
    const uint64_t parts = node.scratch + uint64_t(COUNTERS * 4u) + uint64_t(slot * PARTS * ROWS * length * 4u);
    float factors[ROWS];  // at first the largest score of each row
    [[unroll]] for (uint r = 0; r < ROWS; ++r) factors[r] = -INFINITY;
    [[unroll]] for (uint i = 0; i < SUBGROUPS * ROWS; ++i) factors[i % ROWS] = max(factors[i % ROWS], maxima[i]);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) factors[r] = factor_of(largest[r], factors[r]);
    for (uint from = 0; from < ROWS; from += AT_ONCE) {
        if (from > 0u) barrier();
        [[unroll]] for (uint i = 0; i < ROWS * OWN; ++i) {
            const uint j = i / OWN - from;  // wraps around below `from`
            const uint eighth = share + i % OWN * SHARING;
            if (own_value >= VALUES || j >= AT_ONCE || eighth >= VALUE_EIGHTS) continue;
            const uint at = ((j * SUBGROUPS + subgroup) * VALUES + own_value) * OPTION5 + eighth * 8u;
            const vec4 low = factors[i / OWN] * result[2u * i];
            const vec4 high = factors[i / OWN] * result[2u * i + 1u];
            pool[at] = low.x;
            pool[at + 1u] = low.y;
            pool[at + 2u] = low.z;
            pool[at + 3u] = low.w;
            pool[at + 4u] = high.x;
            pool[at + 5u] = high.y;
            pool[at + 6u] = high.z;
            pool[at + 7u] = high.w;
        }
        barrier();
        for (uint task = invocation; task < AT_ONCE * OPTION5; task += GROUP) {
            const uint r = from + task / OPTION5;
            const uint i = task % OPTION5;
            float most = -INFINITY;
            [[unroll]] for (uint s = 0; s < SUBGROUPS; ++s) most = max(most, maxima[s * ROWS + r]);
            float all = 0.0;
            [[unroll]] for (uint s = 0; s < SUBGROUPS; ++s)
                all += totals[s * ROWS + r] * factor_of(maxima[s * ROWS + r], most);
            float sum = 0.0;
            [[unroll]] for (uint s = 0; s < SUMS; ++s) sum += pool[(task / OPTION5 * SUMS + s) * OPTION5 + i];
            if (PARTS > 1) {
                const uint64_t to = parts + uint64_t((part * ROWS + r) * length * 4u);
                if (i == 0u) {
                    Partial(to).v = most;
                    Partial(to + 4ul).v = all;
                }
                Partial(to + uint64_t((i + 2u) * 4u)).v = sum;
                continue;
            }
            if (first_row + r >= count) continue;
            const uvec2 at = head_and_query(first_row + r, key_head, heads);
            float factor = 1.0;
            if (OPTION1 == 1) {
                const float sink = read_f32(node.src[4].data + uint64_t(at.x * node.src[4].nb[0]));
                const float highest = max(most, sink);
                factor = factor_of(most, highest);
                all = all * factor + exp(sink - highest);
            }
            if (all > 0.0) factor /= all;
            F32(ADDRESS(dst, uvec4(i, at.x, at.y, batch))).v = sum * factor;
        }
    }
    if (PARTS == 1) return;

    memoryBarrierBuffer();
    barrier();
    const uint64_t counter = node.scratch + uint64_t(slot * 4u);
    if (invocation == 0) finished = atomicAdd(Counter(counter).v, 1u);
    barrier();
    if (finished + 1u < PARTS) return;
    memoryBarrierBuffer();
    // For the next dispatch.
    if (invocation == 0) Counter(counter).v = 0u;
    for (uint task = invocation; task < ROWS * OPTION5; task += GROUP) {
        const uint r = task / OPTION5;
        const uint i = task % OPTION5;
        if (first_row + r >= count) continue;
        const uint64_t from = parts + uint64_t(r * length * 4u);
        const uvec2 at = head_and_query(first_row + r, key_head, heads);
        float highest = -INFINITY;
        float all = 0.0;
        if (OPTION1 == 1) {
            highest = read_f32(node.src[4].data + uint64_t(at.x * node.src[4].nb[0]));
            all = 1.0;
        }
        const float sink = highest;
        // Independent reads, so that their latencies overlap.
        [[unroll]] for (uint p = 0; p < PARTS; ++p)
            highest = max(highest, Partial(from + uint64_t(p * ROWS * length * 4u)).v);
        if (OPTION1 == 1) all = factor_of(sink, highest);
        float sum = 0.0;
        [[unroll]] for (uint p = 0; p < PARTS; ++p) {
            const uint64_t of_part = from + uint64_t(p * ROWS * length * 4u);
            const float factor = factor_of(Partial(of_part).v, highest);
            // Nothing was added to what no key contributed to.
            all += factor * Partial(of_part + 4ul).v;
            sum += factor * Partial(of_part + uint64_t((i + 2u) * 4u)).v;
        }
        F32(ADDRESS(dst, uvec4(i, at.x, at.y, batch))).v = all > 0.0 ? sum / all : sum;
    }
}
