// SPDX-License-Identifier: MIT
// FLASH_ATTN_EXT of many queries with cooperative matrices: a work group computes ROWS queries of heads that share
// their keys. Scores and weighted values are products of F16 with F32 accumulators; scores and weights pass through
// shared memory.
// TYPE0, TYPE1, TYPE2: of k, v and the mask. OPTION0: bit 0 = mask; bit 1 = sinks; bits 2, 3 and 4 = 16-byte
// aligned F16 keys, values and mask. OPTION2: invocations. OPTION3: ROWS. OPTION4: elements of a key. OPTION5: elements
// of a value. OPTION1, OPTION6, OPTION7: rows, columns and depth of a cooperative matrix. OPTION8: subgroups.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Rewritten for the KHR extension after compilation (backends/vulkan/spirv/rewrite.hpp).
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#include "node.glsl"
#include "dequantise.glsl"
#include "halves.glsl"
#include "functions.glsl"
#include "alibi.glsl"
layout(local_size_x_id = 7) in;

const bool MASKED = (OPTION0 & 1u) != 0u;
const bool WIDE_KEYS = (OPTION0 & 4u) != 0u;
const bool WIDE_VALUES = (OPTION0 & 8u) != 0u;
const bool WIDE_MASK = (OPTION0 & 16u) != 0u;
const uint GROUP = OPTION2;
const uint ROWS = OPTION3;
const uint KEYS = 32;
const uint M = OPTION1, N = OPTION6, K = OPTION7;
/// Subgroups along the rows; the others divide keys and elements of the result among them.
const uint DOWN = ROWS / M;
const uint ACROSS = OPTION8 > DOWN ? OPTION8 / DOWN : 1;
/// Matrices of a subgroup.
const uint OWN_SCORES = KEYS / N / ACROSS;
const uint OWN = OPTION5 / N / ACROSS;
/// Invocations per row, and consecutive keys of each.
const uint SHARING = GROUP > ROWS ? GROUP / ROWS : 1;
const uint OWN_KEYS = KEYS / SHARING;
/// Words of 16 bytes of a row in shared memory, padded to spread rows over the banks.
const uint QUERY_STRIDE = OPTION4 / 8 + 1;
const uint TILE_STRIDE = (OPTION4 > OPTION5 ? OPTION4 : OPTION5) / 8 + 1;
const uint WEIGHT_STRIDE = KEYS / 8 + 1;
const uint SCORE_STRIDE = KEYS / 4 + 1;
const uint STAGING = M * N / 4;

/// In F16, the weight of the largest score so far is ONE, so that few weights are subnormal; later scores may exceed it
/// by SLACK before results are rescaled. LEAST is the smallest positive F16 number.
const float ONE = 16.0;
const float SLACK = 8.0;
const float LEAST = 5.9604645e-8;

shared uvec4 asked[ROWS * QUERY_STRIDE];
shared uvec4 tile[KEYS * TILE_STRIDE];
shared uvec4 weights[ROWS * WEIGHT_STRIDE];
/// Scores of a tile, or a matrix of results of each subgroup.
shared uvec4 scores[ROWS * SCORE_STRIDE > OPTION8 * STAGING ? ROWS * SCORE_STRIDE : OPTION8 * STAGING];
/// Of each invocation: a maximum or a total.
shared float part[GROUP];
/// Of each row.
shared float factors[ROWS];
/// A bit for each key that some row sees: masks of this tile and of the next two.
shared uint seen[3];
/// The last tile, counted from 1, for which results must be scaled, and with keys or values that are not finite in F16.
shared uint scaled, odd_keys, odd_values;
shared bool odd_queries;

bool fits(const Eight eight) {
    bool all = true;
    [[unroll]] for (uint e = 0; e < 8; ++e) all = all && abs(eight.v[e]) <= 65504.0;
    return all;
}
bool are_finite(uvec4 halves) {
    const uvec4 low = halves & 0x7C00u;
    const uvec4 high = halves & 0x7C000000u;
    return all(notEqual(low, uvec4(0x7C00u))) && all(notEqual(high, uvec4(0x7C000000u)));
}

/// Loads keys or values from `first` on into the tile; `odd` becomes the tile's number if some are not finite in F16.
#define BRING(type, width, plane, stride, wide, odd)                                                   \
    for (uint task = lane; task < KEYS * (width / 8u); task += GROUP) {                                \
        const uint of_key = task / (width / 8u);                                                       \
        const uint e = task % (width / 8u);                                                            \
        uvec4 words = uvec4(0);                                                                        \
        if ((visible >> of_key & 1u) != 0u) {                                                          \
            const uint64_t from = plane + uint64_t((first + of_key) * stride);                         \
            bool usual = true;                                                                         \
            if (wide) {                                                                                \
                words = U32x4(from + uint64_t(e * 16u)).v;                                             \
                usual = are_finite(words);                                                             \
            } else {                                                                                   \
                const Eight eight = decode_eight(type, from, e * 8u);                                  \
                usual = fits(eight);                                                                   \
                words = halves_of(eight.v);                                                            \
            }                                                                                          \
            if (!usual) odd = t + 1u;                                                                  \
        }                                                                                              \
        tile[of_key * TILE_STRIDE + e] = words;                                                        \
    }

/// In F32, from memory.
float product_of(uint64_t query, uint step, uint64_t key) {
    float sum = 0.0;
    for (uint i = 0; i < OPTION4; i += 8u) {
        const Eight eight = decode_eight(TYPE0, key, i);
        [[unroll]] for (uint e = 0; e < 8; ++e) sum += read_f32(query + uint64_t((i + e) * step)) * eight.v[e];
    }
    return sum;
}
float value_of(uint64_t row, uint i) {
    const Eight eight = decode_eight(TYPE1, row, i & ~7u);
    float value = 0.0;
    [[unroll]] for (uint e = 0; e < 8; ++e)
        if (e == (i & 7u)) value = eight.v[e];
    return value;
}
float weight_of(uint row, uint key) {
    const vec2 two = unpackHalf2x16(weights[row * WEIGHT_STRIDE + key / 8u][key / 2u & 3u]);
    return (key & 1u) == 0u ? two.x : two.y;
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
    const uint own_row = gl_SubgroupID % DOWN * M;
    const uint own_scores = gl_SubgroupID / DOWN * OWN_SCORES;
    const uint own_results = gl_SubgroupID / DOWN * OWN;
    const uint staging = gl_SubgroupID * STAGING;
    const uint key_head = gl_WorkGroupID.y;
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
    if (MASKED) bias = ADDRESS(mask, uvec4(0, query, head % mask.ne[2], batch % mask.ne[3]));
    if (lane == 0) {
        seen[0] = seen[1] = seen[2] = 0u;
        scaled = odd_keys = odd_values = 0u;
        odd_queries = false;
    }
    barrier();
    for (uint task = lane; task < ROWS * (OPTION4 / 8u); task += GROUP) {
        const uint other = min(first_row + task / (OPTION4 / 8u), count - 1u);
        const uint e = task % (OPTION4 / 8u);
        const uint64_t from = ADDRESS(q, uvec4(e * 8u, other / heads, key_head * heads + other % heads, batch));
        Eight eight;
        [[unroll]] for (uint i = 0; i < 8; ++i) eight.v[i] = read_f32(from + uint64_t(i * q.nb[0]));
        if (!fits(eight)) odd_queries = true;
        asked[task / (OPTION4 / 8u) * QUERY_STRIDE + e] = halves_of(eight.v);
    }

    // Indexed by counters of innermost loops only: NVIDIA's compiler does not unroll the others.
    fcoopmatNV<32, gl_ScopeSubgroup, M, N> result[OWN];
    [[unroll]] for (uint i = 0; i < OWN; ++i) result[i] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
    float largest = -INFINITY;
    float total = 0.0;  // of this invocation's keys
    const uint tiles = (keys + KEYS - 1u) / KEYS;
    for (uint t = 0; t < tiles; ++t) {
        const uint first = t * KEYS;
        const uint own_first = first + share * OWN_KEYS;
        float score[OWN_KEYS];  // at first what the mask adds
        [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n) score[n] = own_first + n < keys ? 0.0 : -INFINITY;
        if (MASKED && WIDE_MASK) {
            uvec4 words = uvec4(0);
            [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n) {
                if (own_first + n >= keys) continue;
                if (n % 8u == 0u) words = U32x4(bias + uint64_t((own_first + n) * 2u)).v;
                const vec2 two = unpackHalf2x16(words[n % 8u / 2u]);
                score[n] = slope * (n % 2u == 0u ? two.x : two.y);
            }
        } else if (MASKED) {
            [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n)
                if (own_first + n < keys) score[n] = slope * load(TYPE2, bias + uint64_t((own_first + n) * mask.nb[0]));
        }
        uint own = 0u;
        [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n) own |= score[n] != -INFINITY ? 1u << n : 0u;
        if (own != 0u) atomicOr(seen[t % 3u], own << (share * OWN_KEYS));
        barrier();
        // Invocations are at most one barrier apart, so nobody uses this mask yet.
        if (lane == 0) seen[(t + 2u) % 3u] = 0u;
        const uint visible = seen[t % 3u];
        // Skips tiles that are masked for every row, such as later tokens of a prompt.
        if (visible == 0u) continue;

        BRING(TYPE0, OPTION4, k_plane, k.nb[1], WIDE_KEYS, odd_keys)
        barrier();
        fcoopmatNV<32, gl_ScopeSubgroup, M, N> products[OWN_SCORES];
        [[unroll]] for (uint j = 0; j < OWN_SCORES; ++j) products[j] = fcoopmatNV<32, gl_ScopeSubgroup, M, N>(0.0);
        [[unroll]] for (uint d = 0; d < OPTION4 / K; ++d) {
            fcoopmatNV<16, gl_ScopeSubgroup, M, K> a;
            coopMatLoadNV(a, asked, own_row * QUERY_STRIDE + d * (K / 8u), QUERY_STRIDE, false);
            [[unroll]] for (uint j = 0; j < OWN_SCORES; ++j) {
                fcoopmatNV<16, gl_ScopeSubgroup, K, N> b;
                coopMatLoadNV(b, tile, (own_scores + j) * N * TILE_STRIDE + d * (K / 8u), TILE_STRIDE, true);
                products[j] = coopMatMulAddNV(a, b, products[j]);
            }
        }
        [[unroll]] for (uint j = 0; j < OWN_SCORES; ++j)
            coopMatStoreNV(products[j], scores, own_row * SCORE_STRIDE + (own_scores + j) * (N / 4u), SCORE_STRIDE,
                           false);
        barrier();
        BRING(TYPE1, OPTION5, v_plane, v.nb[1], WIDE_VALUES, odd_values)
        if (odd_queries || odd_keys == t + 1u) {
            for (uint key = share * OWN_KEYS; key < (share + 1u) * OWN_KEYS && first + key < keys; ++key)
                scores[row * SCORE_STRIDE + key / 4u][key % 4u] = floatBitsToUint(
                    product_of(ADDRESS(q, uvec4(0, query, head, batch)), q.nb[0],
                               k_plane + uint64_t((first + key) * k.nb[1])));
        }
        float most = -INFINITY;
        vec4 four;
        [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n) {
            if (n % 4u == 0u) four = uintBitsToFloat(scores[row * SCORE_STRIDE + (share * OWN_KEYS + n) / 4u]);
            // Masked cells may contain any value, including NaN.
            if (score[n] == -INFINITY) continue;
            float x = scale * four[n % 4u];
            if (cap != 0.0) x = cap * hyperbolic_tangent(x);
            score[n] += x;
            most = max(most, number_or_zero(score[n]));
        }
        part[lane] = most;
        barrier();
        [[unroll]] for (uint i = 0; i < SHARING; ++i) most = max(most, part[row * SHARING + i]);
        float shrink = 1.0;
        if (most > largest + SLACK) {
            if (largest != -INFINITY) {
                shrink = exp(largest - most);
                scaled = t + 1u;
            }
            largest = most;
        }
        total *= shrink;
        if (share == 0u) factors[row] = shrink;
        const bool odd = odd_values == t + 1u;
        [[unroll]] for (uint n = 0; n < OWN_KEYS; ++n) {
            score[n] = score[n] == -INFINITY ? 0.0 : ONE * attention_weight(score[n], largest);
            total += score[n];
            // 0 would hide a value that is NaN.
            if (odd && score[n] > 0.0 && score[n] < LEAST) score[n] = LEAST;
        }
        [[unroll]] for (uint n = 0; n < OWN_KEYS; n += 8u) {
            weights[row * WEIGHT_STRIDE + (share * OWN_KEYS + n) / 8u] = uvec4(
                packHalf2x16(vec2(score[n], score[n + 1u])), packHalf2x16(vec2(score[n + 2u], score[n + 3u])),
                packHalf2x16(vec2(score[n + 4u], score[n + 5u])), packHalf2x16(vec2(score[n + 6u], score[n + 7u])));
        }
        barrier();
        if (odd || scaled == t + 1u) {
            for (uint i = 0; i < OWN; ++i) {
                [[unroll]] for (uint n = 0; n < OWN; ++n)
                    if (n == i) coopMatStoreNV(result[n], scores, staging, N / 4u, false);
                barrier();
                for (uint e = gl_SubgroupInvocationID; e < M * N; e += gl_SubgroupSize) {
                    const uint of_row = own_row + e / N;
                    float sum = uintBitsToFloat(scores[staging + e / 4u][e % 4u]) * factors[of_row];
                    for (uint key = 0; odd && key < KEYS; ++key) {
                        const float weight = weight_of(of_row, key);
                        const uint64_t from = v_plane + uint64_t((first + key) * v.nb[1]);
                        // A value that one row sees may be NaN for the others.
                        if (weight == 0.0) continue;
                        const float value = value_of(from, (own_results + i) * N + e % N);
                        if (weight > LEAST || !(abs(value) <= 3.4028234e38)) sum += weight * value;
                    }
                    scores[staging + e / 4u][e % 4u] = floatBitsToUint(sum);
                }
                barrier();
                [[unroll]] for (uint n = 0; n < OWN; ++n)
                    if (n == i) coopMatLoadNV(result[n], scores, staging, N / 4u, false);
                barrier();
            }
        }
        if (odd) continue;
        [[unroll]] for (uint d = 0; d < KEYS / K; ++d) {
            fcoopmatNV<16, gl_ScopeSubgroup, M, K> a;
            coopMatLoadNV(a, weights, own_row * WEIGHT_STRIDE + d * (K / 8u), WEIGHT_STRIDE, false);
            [[unroll]] for (uint i = 0; i < OWN; ++i) {
                fcoopmatNV<16, gl_ScopeSubgroup, K, N> b;
                coopMatLoadNV(b, tile, d * K * TILE_STRIDE + (own_results + i) * (N / 8u), TILE_STRIDE, false);
                result[i] = coopMatMulAddNV(a, b, result[i]);
            }
        }
    }

    barrier();
    part[lane] = total;
    barrier();
    total = 0.0;
    [[unroll]] for (uint i = 0; i < SHARING; ++i) total += part[row * SHARING + i];
    float factor = 1.0;
    if ((OPTION0 & 2u) != 0u) {
        const float sink = read_f32(node.src[4].data + uint64_t(head * node.src[4].nb[0]));
        const float most = max(largest, sink);
        factor = largest == -INFINITY ? 0.0 : exp(largest - most);
        total = total * factor + ONE * exp(sink - most);
    }
    if (total > 0.0) factor /= total;
    if (share == 0u) factors[row] = factor;
    barrier();
    for (uint i = 0; i < OWN; ++i) {
        [[unroll]] for (uint n = 0; n < OWN; ++n)
            if (n == i) coopMatStoreNV(result[n], scores, staging, N / 4u, false);
        barrier();
        for (uint e = gl_SubgroupInvocationID; e < M * N; e += gl_SubgroupSize) {
            const uint of_row = own_row + e / N;
            const uint other = first_row + of_row;
            if (other >= count) continue;
            const uint of_head = key_head * heads + other % heads;
            const uvec4 at = uvec4((own_results + i) * N + e % N, of_head, other / heads, batch);
            F32(ADDRESS(dst, at)).v = uintBitsToFloat(scores[staging + e / 4u][e % 4u]) * factors[of_row];
        }
        barrier();
    }
}
