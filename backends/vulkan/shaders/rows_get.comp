// SPDX-License-Identifier: MIT
// GET_ROWS: rows of a table of any type, selected by index. TYPE0: of the table. TYPE1: of the indices. OPTION0: 1
// = 32-bit elements, copied unchanged. An invocation decodes eight elements of a quantised type.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "dequantise.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor ids = node.src[1];
    const uint at_once = is_quantised(TYPE0) ? 8u : 1u;
    FOR_ELEMENTS(i, ELEMENTS(dst) / at_once) {
        const uvec4 c = COORDINATES(dst, i * at_once);
        const int row = load_index(TYPE1, ADDRESS(ids, uvec4(c.yzw, 0)));
        if (row < 0 || uint(row) >= src.ne[1]) {
            report_fault();
            continue;
        }
        const uint64_t from = ADDRESS(src, uvec4(0, uint(row), c.zw));
        if (is_quantised(TYPE0)) {
            const Eight eight = decode_eight(TYPE0, from, c.x);
            [[unroll]] for (uint e = 0; e < 8; ++e) store(TYPED, ADDRESS(dst, uvec4(c.x + e, c.yzw)), eight.v[e]);
        } else if (OPTION0 == 1) {
            U32(ADDRESS(dst, c)).v = read_u32(from + uint64_t(c.x * 4u));
        } else {
            store(TYPED, ADDRESS(dst, c), load(TYPE0, from + uint64_t(c.x * bytes_of(TYPE0))));
        }
    }
}
