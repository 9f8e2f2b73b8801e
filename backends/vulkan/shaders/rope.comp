// SPDX-License-Identifier: MIT
// ROPE and ROPE_BACK (KIND 1); see rope.glsl.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
#include "rope.glsl"
layout(local_size_x = 128) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Turning t = turning();
    // Each invocation rotates a pair; those past the last pair copy the remaining elements.
    const uint width = t.pairs + dst.ne[0] - t.covered;
    FOR_ELEMENTS(i, width * dst.ne[1] * dst.ne[2] * dst.ne[3]) {
        uvec4 c = coordinates(i, width, dst.ne[1], dst.ne[2]);
        const uint pair = c.x;
        if (pair >= t.pairs) {
            c.x = rest_of(t, pair - t.pairs);
            store(TYPED, ADDRESS(dst, c), load(TYPE0, ADDRESS(src, c)));
            continue;
        }
        const vec2 turn = direction(t, pair, c.z, dst.ne[2]);
        c.x = place_of(t, pair);
        const uvec4 d = c + uvec4(t.apart, 0, 0, 0);
        const float a = load(TYPE0, ADDRESS(src, c));
        const float b = load(TYPE0, ADDRESS(src, d));
        store(TYPED, ADDRESS(dst, c), a * turn.x - b * turn.y);
        store(TYPED, ADDRESS(dst, d), a * turn.y + b * turn.x);
    }
}
