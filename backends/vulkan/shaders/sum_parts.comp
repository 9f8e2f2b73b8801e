// SPDX-License-Identifier: MIT
// Adds the parts of a product whose depth is divided among work groups. OPTION0: number of parts.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "converted.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    Tensor x = node.src[1];
    converted_to(x);
    const Tensor first = part_of(dst, x, 0u);
    const uint64_t distance = uint64_t(first.nb[3] * first.ne[3]);
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        uint64_t at = first.data + uint64_t(i * 4u);
        float sum = read_f32(at);
        [[unroll]] for (uint part = 1; part < OPTION0; ++part) {
            at += distance;
            sum += read_f32(at);
        }
        F32(ADDRESS(dst, COORDINATES(dst, i))).v = sum;
    }
}
