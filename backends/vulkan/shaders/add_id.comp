// SPDX-License-Identifier: MIT
// ADD_ID: adds to each column of the first source the row of the second that its id selects.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 256) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor rows = node.src[1];
    const Tensor ids = node.src[2];
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const int row = int(read_u32(ids.data + uint64_t(c.y * ids.nb[0] + c.z * ids.nb[1])));
        if (row < 0 || uint(row) >= rows.ne[1]) {
            report_fault();
            continue;
        }
        const float added = load(TYPE1, rows.data + uint64_t(c.x * rows.nb[0] + uint(row) * rows.nb[1]));
        store(TYPED, ADDRESS(dst, c), load(TYPE0, ADDRESS(src, c)) + added);
    }
}
