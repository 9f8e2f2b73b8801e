// SPDX-License-Identifier: MIT
// GLU: an activation of one half of the input (or of the first input) times the other. KIND: the GluKind. OPTION0:
// 1 = two inputs. OPTION1: 1 = the halves are swapped. OPTION2: 1 = two inputs, all F32 and contiguous with an even
// number of elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
#include "gates.glsl"
#include "words.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor first = node.src[0];
    const Tensor second = node.src[1];
    if (OPTION2 == 1) {
        FOR_ELEMENTS(i, ELEMENTS(dst) / 2u) {
            const vec2 x = read_two(first.data + uint64_t(8u * i));
            const vec2 gate = read_two(second.data + uint64_t(8u * i));
            write_two(dst.data + uint64_t(8u * i), gated(KIND, x.x, gate.x), gated(KIND, x.y, gate.y));
        }
        return;
    }
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        float x;
        float gate;
        if (OPTION0 == 1) {
            x = load(TYPE0, ADDRESS(first, c));
            gate = load(TYPE1, ADDRESS(second, c));
        } else {
            const uvec4 other = c + uvec4(dst.ne[0], 0, 0, 0);
            x = load(TYPE0, ADDRESS(first, OPTION1 == 1 ? other : c));
            gate = load(TYPE0, ADDRESS(first, OPTION1 == 1 ? c : other));
        }
        store(TYPED, ADDRESS(dst, c), gated(KIND, x, gate));
    }
}
