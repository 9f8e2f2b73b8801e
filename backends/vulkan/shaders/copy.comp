// SPDX-License-Identifier: MIT
// CPY, CONT, DUP: the same elements in the same order, in another plain type, layout or shape. OPTION0: 1 = same
// type, bytes are copied; 2 = the source is quantised, and an invocation decodes eight elements; 3 = same quantised
// type, whole blocks are copied. OPTION1: bytes of an element or block. OPTION2: elements of a block.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    if (OPTION0 == 3) {
        FOR_ELEMENTS(i, ELEMENTS(dst) / OPTION2) {
            const uvec4 c = COORDINATES(dst, i * OPTION2);
            const uvec4 s = COORDINATES(src, i * OPTION2);
            const uint64_t to = ADDRESS(dst, uvec4(0, c.yzw)) + uint64_t(c.x / OPTION2 * OPTION1);
            const uint64_t from = ADDRESS(src, uvec4(0, s.yzw)) + uint64_t(s.x / OPTION2 * OPTION1);
            for (uint b = 0; b < OPTION1; ++b) U8(to + uint64_t(b)).v = U8(from + uint64_t(b)).v;
        }
        return;
    }
    if (OPTION0 == 2) {
        FOR_ELEMENTS(i, ELEMENTS(dst) / 8u) {
            const uvec4 s = COORDINATES(src, i * 8u);
            const Eight eight = decode_eight(TYPE0, ADDRESS(src, uvec4(0, s.yzw)), s.x);
            [[unroll]] for (uint e = 0; e < 8; ++e) store(TYPED, ADDRESS(dst, COORDINATES(dst, i * 8u + e)), eight.v[e]);
        }
        return;
    }
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const uvec4 s = COORDINATES(src, i);
        if (OPTION0 == 1) {
            move(OPTION1, ADDRESS(src, s), ADDRESS(dst, c));
        } else {
            store(TYPED, ADDRESS(dst, c), load(TYPE0, ADDRESS(src, s)));
        }
    }
}
