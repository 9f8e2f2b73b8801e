// SPDX-License-Identifier: MIT
// KIND: 0 OUT_PROD, 1 SOLVE_TRI, 2 GET_ROWS_BACK. OPTION0: first term of the sums, or row to solve. OPTION1: their
// number, 0 = all; further passes continue with the result.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

#define FOR_STEPS(i, count) for (uint i = OPTION0; i < (OPTION1 == 0 ? (count) : min(count, OPTION0 + OPTION1)); ++i)

/// What earlier passes added up.
float earlier(uint64_t at) { return OPTION0 == 0 ? 0.0 : read_f32(at); }

/// out[:, c] = Σ_k a[:, k] · b[c, k]; the planes of a repeat over those of b.
void outer_product(Tensor dst, Tensor a, Tensor b) {
    FOR_ELEMENTS_ACROSS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const uvec2 plane = uvec2(c.z / (dst.ne[2] / a.ne[2]), c.w / (dst.ne[3] / a.ne[3]));
        float total = earlier(ADDRESS(dst, c));
        FOR_STEPS(k, a.ne[1])
            total += load(TYPE0, ADDRESS(a, uvec4(c.x, k, plane))) * load(TYPE1, ADDRESS(b, uvec4(c.y, k, c.zw)));
        F32(ADDRESS(dst, c)).v = total;
    }
}

/// Forward substitution; an invocation solves a column.
void solve(Tensor dst, Tensor a, Tensor b) {
    FOR_ELEMENTS_ACROSS(i, dst.ne[0] * dst.ne[2] * dst.ne[3]) {
        const uvec4 c = uvec4(i % dst.ne[0], 0, i / dst.ne[0] % dst.ne[2], i / (dst.ne[0] * dst.ne[2]));
        FOR_STEPS(row, dst.ne[1]) {
            float x = read_f32(ADDRESS(b, uvec4(c.x, row, c.zw)));
            for (uint k = 0; k < row; ++k)
                x -= read_f32(ADDRESS(a, uvec4(k, row, c.zw))) * F32(ADDRESS(dst, uvec4(c.x, k, c.zw))).v;
            F32(ADDRESS(dst, uvec4(c.x, row, c.zw))).v = x / read_f32(ADDRESS(a, uvec4(row, row, c.zw)));
        }
    }
}

/// Adds each row to the row that it was read from.
void add_rows_back(Tensor dst, Tensor src, Tensor ids) {
    FOR_ELEMENTS_ACROSS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        float total = earlier(ADDRESS(dst, c));
        FOR_STEPS(r, src.ne[1]) {
            const int row = int(read_u32(ids.data + uint64_t(r * ids.nb[0])));
            if (row < 0 || uint(row) >= dst.ne[1]) report_fault();
            if (row == int(c.y)) total += load(TYPE0, ADDRESS(src, uvec4(c.x, r, 0, 0)));
        }
        F32(ADDRESS(dst, c)).v = total;
    }
}

void main() {
    if (KIND == 0) outer_product(node.dst, node.src[0], node.src[1]);
    else if (KIND == 1) solve(node.dst, node.src[0], node.src[1]);
    else add_rows_back(node.dst, node.src[0], node.src[1]);
}
