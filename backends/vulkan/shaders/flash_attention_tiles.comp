// SPDX-License-Identifier: MIT
// Tiled FLASH_ATTN_EXT: a work group computes ROWS queries of heads that share their keys, and loads KEYS keys,
// then their values, into shared memory once for all of them. OPTION3: number of parts of the cache, one work group
// each; the last to finish merges their results, which are stored in node.scratch. TYPE0, TYPE1, TYPE2: of k, v and
// the mask. OPTION0: 1 = mask. OPTION1: 1 = sinks. OPTION2: ROWS. OPTION4: elements of a key. OPTION5: elements of
// a value.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
#include "scratch.glsl"
#include "functions.glsl"
#include "alibi.glsl"
layout(local_size_x = 128) in;

const uint GROUP = 128;
const uint KEYS = 32;
const uint ROWS = OPTION2;
const uint PARTS = OPTION3;
/// Words of four elements.
const uint KEY_WORDS = OPTION4 / 4;
const uint VALUE_WORDS = OPTION5 / 4;
/// Invocations per row; scores of a tile and words of the result per invocation.
const uint SHARING = GROUP / ROWS;
const uint SCORES = KEYS / SHARING;
const uint OWN = (VALUE_WORDS + SHARING - 1) / SHARING;
/// One more than the words, which are even, so that adjacent keys fall into different banks.
const uint STRIDE = (KEY_WORDS > VALUE_WORDS ? KEY_WORDS : VALUE_WORDS) + 1;

shared vec4 asked[ROWS * KEY_WORDS];
shared vec4 tile[KEYS * STRIDE];
shared float scores[ROWS * KEYS];
shared uint seen;
shared uint finished;

/// Data exchanged between work groups of a dispatch.
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Partial { float v; };
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Counter { uint v; };

/// Loads the keys or values from `first` on into the tile, eight elements at a time.
#define BRING(type, width, plane, stride)                                                                 \
    for (uint task = lane; task < KEYS * (width / 8u); task += GROUP) {                                   \
        const uint of_key = task / (width / 8u);                                                          \
        const uint e = task % (width / 8u) * 8u;                                                          \
        vec4 low = vec4(0.0);                                                                             \
        vec4 high = vec4(0.0);                                                                            \
        if (first + of_key < keys) {                                                                      \
            const Eight eight = decode_eight(type, plane + uint64_t((first + of_key) * stride), e);       \
            low = vec4(eight.v[0], eight.v[1], eight.v[2], eight.v[3]);                                   \
            high = vec4(eight.v[4], eight.v[5], eight.v[6], eight.v[7]);                                  \
        }                                                                                                 \
        tile[of_key * STRIDE + e / 4u] = low;                                                             \
        tile[of_key * STRIDE + e / 4u + 1u] = high;                                                       \
    }

void main() {
    const Tensor dst = node.dst;
    const Tensor q = node.src[0];
    const Tensor k = node.src[1];
    const Tensor v = node.src[2];
    const Tensor mask = node.src[3];
    const uint lane = gl_LocalInvocationID.x;
    const uint row = lane / SHARING;
    const uint share = lane % SHARING;
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
    const uint index = min(first_row + row, count - 1u);
    const uint head = key_head * heads + index % heads;
    const uint query = index / heads;
    const float slope = alibi_slope(param(1), head, q.ne[2]);
    uint64_t bias = 0ul;
    if (OPTION0 == 1) bias = ADDRESS(mask, uvec4(0, query, head % mask.ne[2], batch % mask.ne[3]));
    for (uint i = lane; i < ROWS * KEY_WORDS; i += GROUP) {
        const uint other = min(first_row + i / KEY_WORDS, count - 1u);
        const uint64_t from =
            ADDRESS(q, uvec4(i % KEY_WORDS * 4u, other / heads, key_head * heads + other % heads, batch));
        const uint step = q.nb[0];
        asked[i] = scale * vec4(read_f32(from), read_f32(from + uint64_t(step)), read_f32(from + uint64_t(2u * step)),
                                read_f32(from + uint64_t(3u * step)));
    }

    vec4 result[OWN];
    [[unroll]] for (uint n = 0; n < OWN; ++n) result[n] = vec4(0.0);
    float largest = -INFINITY;
    float total = 0.0;
    const uint tiles = (keys + KEYS - 1u) / KEYS;
    for (uint t = tiles * part / PARTS; t < tiles * (part + 1u) / PARTS; ++t) {
        const uint first = t * KEYS;
        float b[SCORES];
        bool any = false;
        [[unroll]] for (uint n = 0; n < SCORES; ++n) {
            const uint key = first + share + n * SHARING;
            b[n] = key < keys ? 0.0 : -INFINITY;
            if (OPTION0 == 1 && key < keys) b[n] = slope * load(TYPE2, bias + uint64_t(key * mask.nb[0]));
            any = any || b[n] > -INFINITY;
        }
        // Skips tiles that are masked for every row, such as later tokens of a prompt.
        barrier();
        if (lane == 0) seen = 0;
        barrier();
        if (any) seen = 1;
        barrier();
        if (seen == 0) continue;
        BRING(TYPE0, OPTION4, k_plane, k.nb[1])
        barrier();
        float score[SCORES];
        vec4 sums[SCORES];
        [[unroll]] for (uint n = 0; n < SCORES; ++n) sums[n] = vec4(0.0);
        for (uint i = 0; i < KEY_WORDS; ++i) {
            const vec4 word = asked[row * KEY_WORDS + i];
            [[unroll]] for (uint n = 0; n < SCORES; ++n)
                sums[n] = fma(word, tile[(share + n * SHARING) * STRIDE + i], sums[n]);
        }
        [[unroll]] for (uint n = 0; n < SCORES; ++n) {
            const uint of_key = share + n * SHARING;
            float sum = (sums[n].x + sums[n].y) + (sums[n].z + sums[n].w);
            if (cap != 0.0) sum = cap * hyperbolic_tangent(sum);
            // Masked cells may contain any value, including NaN.
            score[n] = b[n] == -INFINITY ? -INFINITY : sum + b[n];
            scores[row * KEYS + of_key] = score[n];
        }
        barrier();
        float most = largest;
        for (uint j = 0; j < KEYS; ++j) most = max(most, number_or_zero(scores[row * KEYS + j]));
        const float shrink = largest == -INFINITY ? 0.0 : exp(largest - most);
        largest = most;
        barrier();
        [[unroll]] for (uint n = 0; n < SCORES; ++n)
            scores[row * KEYS + share + n * SHARING] = score[n] == -INFINITY ? 0.0 : attention_weight(score[n], most);
        BRING(TYPE1, OPTION5, v_plane, v.nb[1])
        barrier();
        total *= shrink;
        [[unroll]] for (uint n = 0; n < OWN; ++n) result[n] *= shrink;
        for (uint j = 0; j < KEYS; ++j) {
            const float weight = scores[row * KEYS + j];
            if (weight == 0.0) continue;
            total += weight;
            [[unroll]] for (uint n = 0; n < OWN; ++n) {
                const uint i = share + n * SHARING;
                if (i < VALUE_WORDS) result[n] = fma(vec4(weight), tile[j * STRIDE + i], result[n]);
            }
        }
    }

    if (PARTS > 1) {
        const uint slot = (batch * k.ne[2] + key_head) * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        const uint64_t counter = node.scratch + uint64_t(slot * 4u);
        const uint length = OPTION5 + 2u;
        const uint64_t base = node.scratch + uint64_t(COUNTERS * 4u) + uint64_t((slot * PARTS * ROWS + row) * length * 4u);
        const uint64_t own = base + uint64_t(part * ROWS * length * 4u);
        if (share == 0) {
            Partial(own).v = largest;
            Partial(own + 4ul).v = total;
        }
        [[unroll]] for (uint n = 0; n < OWN; ++n) {
            const uint i = share + n * SHARING;
            if (i >= VALUE_WORDS) continue;
            const uint64_t to = own + uint64_t((i * 4u + 2u) * 4u);
            Partial(to).v = result[n].x;
            Partial(to + 4ul).v = result[n].y;
            Partial(to + 8ul).v = result[n].z;
            Partial(to + 12ul).v = result[n].w;
        }
        memoryBarrierBuffer();
        barrier();
        if (lane == 0) finished = atomicAdd(Counter(counter).v, 1u);
        barrier();
        if (finished + 1u < PARTS) return;
        memoryBarrierBuffer();
        // For the next dispatch.
        if (lane == 0) Counter(counter).v = 0u;
        largest = -INFINITY;
        for (uint p = 0; p < PARTS; ++p) largest = max(largest, Partial(base + uint64_t(p * ROWS * length * 4u)).v);
        total = 0.0;
        [[unroll]] for (uint n = 0; n < OWN; ++n) result[n] = vec4(0.0);
        for (uint p = 0; p < PARTS; ++p) {
            const uint64_t from = base + uint64_t(p * ROWS * length * 4u);
            const float most = Partial(from).v;
            if (most == -INFINITY) continue;
            const float factor = exp(most - largest);
            total += factor * Partial(from + 4ul).v;
            [[unroll]] for (uint n = 0; n < OWN; ++n) {
                const uint i = share + n * SHARING;
                if (i >= VALUE_WORDS) continue;
                const uint64_t at = from + uint64_t((i * 4u + 2u) * 4u);
                result[n] +=
                    factor * vec4(Partial(at).v, Partial(at + 4ul).v, Partial(at + 8ul).v, Partial(at + 12ul).v);
            }
        }
    }
    float factor = 1.0;
    if (OPTION1 == 1) {
        const float sink = read_f32(node.src[4].data + uint64_t(head * node.src[4].nb[0]));
        const float most = max(largest, sink);
        factor = largest == -INFINITY ? 0.0 : exp(largest - most);
        total = total * factor + exp(sink - most);
    }
    if (total > 0.0) factor /= total;
    if (first_row + row >= count) return;
    [[unroll]] for (uint n = 0; n < OWN; ++n) {
        const uint i = share + n * SHARING;
        if (i >= VALUE_WORDS) continue;
        const uint64_t to = ADDRESS(dst, uvec4(i * 4u, head, query, batch));
        const vec4 word = result[n] * factor;
        F32(to).v = word.x;
        F32(to + 4ul).v = word.y;
        F32(to + 8ul).v = word.z;
        F32(to + 12ul).v = word.w;
    }
}
