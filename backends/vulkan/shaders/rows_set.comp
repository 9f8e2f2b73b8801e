// SPDX-License-Identifier: MIT
// SET_ROWS into plain types: overwrites rows of the result by index.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor ids = node.src[1];
    FOR_ELEMENTS(i, ELEMENTS(src)) {
        const uvec4 c = COORDINATES(src, i);
        const int row = load_index(TYPE1, ADDRESS(ids, uvec4(c.y, c.z % ids.ne[1], c.w % ids.ne[2], 0)));
        if (row < 0 || uint(row) >= dst.ne[1]) {
            report_fault();
            continue;
        }
        store(TYPED, ADDRESS(dst, uvec4(c.x, uint(row), c.zw)), load(TYPE0, ADDRESS(src, c)));
    }
}
