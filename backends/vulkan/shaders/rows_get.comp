// SPDX-License-Identifier: MIT
// GET_ROWS: rows of a table of any type, selected by index. TYPE0: of the table. TYPE1: of the indices. OPTION0: 1
// = 32-bit elements, copied unchanged.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor ids = node.src[1];
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const int row = load_index(TYPE1, ADDRESS(ids, uvec4(c.yzw, 0)));
        if (row < 0 || uint(row) >= src.ne[1]) {
            report_fault();
            continue;
        }
        const uint64_t from = ADDRESS(src, uvec4(0, uint(row), c.zw));
        if (OPTION0 == 1) U32(ADDRESS(dst, c)).v = read_u32(from + uint64_t(c.x * 4u));
        else store(TYPED, ADDRESS(dst, c), decode(TYPE0, from, c.x));
    }
}
