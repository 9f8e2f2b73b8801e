// SPDX-License-Identifier: MIT
// ARGSORT and TOP_K (KIND 1): the rank of an element is the number of elements that precede it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

/// NaN is smaller than every number, so that the order is total.
bool less(float a, float b) { return a < b || (isnan(a) && !isnan(b)); }

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const bool descending = KIND == 1 || node.params[0] == 1;
    FOR_ELEMENTS(e, ELEMENTS(src)) {
        const uvec4 c = COORDINATES(src, e);
        const uint64_t row = ADDRESS(src, uvec4(0, c.yzw));
        const float own = load(TYPE0, row + uint64_t(c.x * src.nb[0]));
        uint before = 0;
        for (uint i = 0; i < src.ne[0]; ++i) {
            const float other = load(TYPE0, row + uint64_t(i * src.nb[0]));
            const bool first = descending ? less(own, other) : less(other, own);
            const bool later = descending ? less(other, own) : less(own, other);
            // Equal elements keep their order.
            if (first || (!later && i < c.x)) ++before;
        }
        if (before < dst.ne[0]) U32(ADDRESS(dst, uvec4(before, c.yzw))).v = c.x;
    }
}
