// SPDX-License-Identifier: MIT
// Reductions, one work group per row. KIND: 0 SUM_ROWS, 1 MEAN, 2 CUMSUM, 3 ARGMAX; over the whole tensor: 4 SUM, 5
// COUNT_EQUAL, 6 CROSS_ENTROPY_LOSS; per element of the result: 7 REPEAT_BACK. OPTION0, over the whole tensor: 1 = each
// of OPTION1 work groups stores its part in node.scratch, 2 = add up these parts.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "scratch.glsl"
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

uint64_t part_at(uint i) { return node.scratch + uint64_t((COUNTERS + i) * 4u); }

/// The sum over all invocations.
void finish(float total, float factor) {
    total = group_sum(total);
    if (gl_LocalInvocationID.x != 0u) return;
    if (OPTION0 == 1) F32(part_at(gl_WorkGroupID.x)).v = total;
    else store(TYPED, node.dst.data, total * factor);
}

float sum_of_parts() {
    float total = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < OPTION1; i += GROUP) total += read_f32(part_at(i));
    return total;
}

float total_of_all(Tensor src) {
    float total = 0.0;
    for (uint i = gl_GlobalInvocationID.x; i < ELEMENTS(src); i += gl_NumWorkGroups.x * GROUP) {
        const uvec4 c = COORDINATES(src, i);
        if (KIND == 4) total += load(TYPE0, ADDRESS(src, c));
        else total += read_u32(ADDRESS(src, c)) == read_u32(ADDRESS(node.src[1], c)) ? 1.0 : 0.0;
    }
    return total;
}

float cross_entropy(Tensor logits, uint rows) {
    const Tensor labels = node.src[1];
    float loss = 0.0;
    for (uint r = gl_WorkGroupID.x; r < rows; r += gl_NumWorkGroups.x) {
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
    return loss;
}

void add_repetitions(uvec4 c, Tensor dst, Tensor src) {
    const uvec4 times = uvec4(src.ne[0], src.ne[1], src.ne[2], src.ne[3]) / uvec4(dst.ne[0], dst.ne[1], dst.ne[2], dst.ne[3]);
    const uint count = times.x * times.y * times.z * times.w;
    float total = 0.0;
    for (uint i = gl_LocalInvocationID.x; i < count; i += GROUP) {
        const uvec4 at = coordinates(i, times.x, times.y, times.z) * uvec4(dst.ne[0], dst.ne[1], dst.ne[2], dst.ne[3]);
        total += load(TYPE0, ADDRESS(src, (c + at)));
    }
    total = group_sum(total);
    if (gl_LocalInvocationID.x == 0u) store(TYPED, ADDRESS(dst, c), total);
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const uint rows = src.ne[1] * src.ne[2] * src.ne[3];
    if (KIND == 7) {
        for (uint i = gl_WorkGroupID.x; i < ELEMENTS(dst); i += gl_NumWorkGroups.x) add_repetitions(COORDINATES(dst, i), dst, src);
        return;
    }
    if (KIND >= 4) {
        const float factor = KIND == 6 ? -1.0 / float(rows) : 1.0;
        if (OPTION0 == 2) finish(sum_of_parts(), factor);
        else if (KIND == 6) finish(cross_entropy(src, rows), factor);
        else finish(total_of_all(src), factor);
        return;
    }
    for (uint row = gl_WorkGroupID.x; row < rows; row += gl_NumWorkGroups.x) {
        const uvec4 c = uvec4(0, row % src.ne[1], row / src.ne[1] % src.ne[2], row / (src.ne[1] * src.ne[2]));
        if (KIND == 2) cumulate_row(c, dst, src);
        else if (KIND == 3) find_largest(c, dst, src);
        else sum_row(c, dst, src);
    }
}
