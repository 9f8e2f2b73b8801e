// SPDX-License-Identifier: MIT
// CPY, CONT, DUP: the same elements in the same order, in another plain type, layout or shape.
// OPTION0: 1 = same type, moved as they are; 2 = the source is quantised. OPTION1: bytes of an element.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const uvec4 s = COORDINATES(src, i);
        if (OPTION0 == 2) {
            const uint64_t row = ADDRESS(src, uvec4(0, s.yzw));
            store(TYPED, ADDRESS(dst, c), decode(TYPE0, row, s.x));
        } else if (OPTION0 == 1) {
            move(OPTION1, ADDRESS(src, s), ADDRESS(dst, c));
        } else {
            store(TYPED, ADDRESS(dst, c), load(TYPE0, ADDRESS(src, s)));
        }
    }
}
