// SPDX-License-Identifier: MIT
// Reductions, one work group per row. KIND: 0 SUM_ROWS, 1 MEAN, 2 CUMSUM, 3 ARGMAX; over the whole tensor: 4 SUM, 5
// COUNT_EQUAL, 6 CROSS_ENTROPY_LOSS.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#define GROUP 128u
#include "reduction.glsl"
layout(local_size_x = 128) in;

shared uint best_index[GROUP];

void sum_row(uvec4 c, Tensor dst, Tensor src) {
    const uint64_t row = ADDRESS(src, c);
    float total = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < src.ne[0]; i += GROUP) total += load(TYPE0, row + uint64_t(i * src.nb[0]));
    total = group_sum(total);
    if (gl_LocalInvocationID.x == 0u) store(TYPED, ADDRESS(dst, c), KIND == 1 ? total / float(src.ne[0]) : total);
}

void cumulate_row(uvec4 c, Tensor dst, Tensor src) {
    const uint64_t from = ADDRESS(src, c);
    const uint64_t to = ADDRESS(dst, c);
    const uint lane = gl_LocalInvocationID.x;
    const uint part = (src.ne[0] + GROUP - 1u) / GROUP;
    const uint first = min(lane * part, src.ne[0]);
    const uint last = min(first + part, src.ne[0]);
    float total = 0.0;
    for (uint i = first; i < last; ++i) total += load(TYPE0, from + uint64_t(i * src.nb[0]));
    barrier();
    partial[lane] = total;
    barrier();
    float running = 0.0;
    for (uint i = 0; i < lane; ++i) running += partial[i];
    for (uint i = first; i < last; ++i) {
        running += load(TYPE0, from + uint64_t(i * src.nb[0]));
        store(TYPED, to + uint64_t(i * dst.nb[0]), running);
    }
}

/// The last of equal values.
void find_largest(uvec4 c, Tensor dst, Tensor src) {
    const uint64_t row = ADDRESS(src, c);
    const uint lane = gl_LocalInvocationID.x;
    float best = -INFINITY;
    uint index = 0;
    for (uint i = lane; i < src.ne[0]; i += GROUP) {
        const float v = load(TYPE0, row + uint64_t(i * src.nb[0]));
        if (v >= best) {
            best = v;
            index = i;
        }
    }
    const float largest = group_max(best);
    barrier();
    best_index[lane] = best == largest ? index : 0u;
    barrier();
    if (lane == 0u) {
        uint last = 0u;
        for (uint i = 0; i < GROUP; ++i) last = max(last, best_index[i]);
        U32(dst.data + uint64_t(c.y * dst.nb[0])).v = last;
    }
}

void total_of_all(Tensor dst, Tensor src) {
    float total = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < ELEMENTS(src); i += GROUP) {
        const uvec4 c = COORDINATES(src, i);
        if (KIND == 4) total += load(TYPE0, ADDRESS(src, c));
        else total += read_u32(ADDRESS(src, c)) == read_u32(ADDRESS(node.src[1], c)) ? 1.0 : 0.0;
    }
    total = group_sum(total);
    if (gl_LocalInvocationID.x == 0u) store(TYPED, dst.data, total);
}

void cross_entropy(Tensor dst, Tensor logits) {
    const Tensor labels = node.src[1];
    const uint rows = logits.ne[1] * logits.ne[2] * logits.ne[3];
    float loss = 0.0;
    for (uint r = 0; r < rows; ++r) {
        const uvec4 c = uvec4(0, r % logits.ne[1], r / logits.ne[1] % logits.ne[2], r / (logits.ne[1] * logits.ne[2]));
        const uint64_t x = ADDRESS(logits, c);
        const uint64_t y = ADDRESS(labels, c);
        float largest = -INFINITY;
        for (uint i = gl_LocalInvocationID.x; i < logits.ne[0]; i += GROUP)
            largest = max(largest, load(TYPE0, x + uint64_t(i * logits.nb[0])));
        largest = group_max(largest);
        float total = 0.0;
        for (uint i = gl_LocalInvocationID.x; i < logits.ne[0]; i += GROUP)
            total += exp(load(TYPE0, x + uint64_t(i * logits.nb[0])) - largest);
        const float shift = largest + log(group_sum(total));
        for (uint i = gl_LocalInvocationID.x; i < logits.ne[0]; i += GROUP)
            loss += load(TYPE1, y + uint64_t(i * labels.nb[0])) * (load(TYPE0, x + uint64_t(i * logits.nb[0])) - shift);
    }
    loss = group_sum(loss);
    if (gl_LocalInvocationID.x == 0u) store(TYPED, dst.data, -loss / float(rows));
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    if (KIND == 6) {
        cross_entropy(dst, src);
        return;
    }
    if (KIND >= 4) {
        total_of_all(dst, src);
        return;
    }
    const uint rows = src.ne[1] * src.ne[2] * src.ne[3];
    for (uint row = gl_WorkGroupID.x; row < rows; row += gl_NumWorkGroups.x) {
        const uvec4 c = uvec4(0, row % src.ne[1], row / src.ne[1] % src.ne[2], row / (src.ne[1] * src.ne[2]));
        if (KIND == 2) cumulate_row(c, dst, src);
        else if (KIND == 3) find_largest(c, dst, src);
        else sum_row(c, dst, src);
    }
}
