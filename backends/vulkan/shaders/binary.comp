// SPDX-License-Identifier: MIT
// ADD, SUB, MUL, DIV with the second operand broadcast; ADD1 broadcasts a scalar. KIND: the operation. OPTION0: 1 =
// all F32, contiguous, even number of elements; 2 = likewise, and the whole second operand repeats.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "words.glsl"
layout(local_size_x = 256) in;

float combine(float a, float b) {
    if (KIND == 0) return a + b;
    if (KIND == 1) return a - b;
    return KIND == 2 ? a * b : a / b;
}

void main() {
    const Tensor dst = node.dst;
    const Tensor a = node.src[0];
    const Tensor b = node.src[1];
    if (OPTION0 != 0) {
        const uint pairs = ELEMENTS(b) / 2u;
        FOR_ELEMENTS(i, ELEMENTS(dst) / 2u) {
            const vec2 first = read_two(a.data + uint64_t(8u * i));
            const vec2 second = read_two(b.data + uint64_t(8u * (OPTION0 == 2 ? i % pairs : i)));
            write_two(dst.data + uint64_t(8u * i), combine(first.x, second.x), combine(first.y, second.y));
        }
        return;
    }
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const uvec4 d = c % uvec4(b.ne[0], b.ne[1], b.ne[2], b.ne[3]);
        store(TYPED, ADDRESS(dst, c), combine(load(TYPE0, ADDRESS(a, c)), load(TYPE1, ADDRESS(b, d))));
    }
}
