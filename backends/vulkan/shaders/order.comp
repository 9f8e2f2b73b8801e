// SPDX-License-Identifier: MIT
// ARGSORT and TOP_K (KIND 1).
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "order.glsl"
layout(local_size_x = 64) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const bool descending = KIND == 1 || node.params[0] == 1;
    FOR_ELEMENTS_ACROSS(e, ELEMENTS(src)) {
        const uvec4 c = COORDINATES(src, e);
        const uint64_t row = ADDRESS(src, uvec4(0, c.yzw));
        const float own = load(TYPE0, row + uint64_t(c.x * src.nb[0]));
        uint before = 0;
        for (uint i = 0; i < src.ne[0]; ++i) {
            if (precedes(load(TYPE0, row + uint64_t(i * src.nb[0])), i, own, c.x, descending)) ++before;
        }
        if (before < dst.ne[0]) U32(ADDRESS(dst, uvec4(before, c.yzw))).v = c.x;
    }
}
