// SPDX-License-Identifier: MIT
// What tiled matrix products share: the columns of a tile, of MUL_MAT_ID (KIND 1) those that selected the same
// matrix, and storing its results. Needs GROUP and TILE_COLUMNS.

#include "operands.glsl"

/// MUL_MAT_ID: (slot, token) pairs that selected this matrix, counted per invocation, and the pairs of the tile.
shared uvec4 counts[(GROUP + 3) / 4];
shared uint pairs[TILE_COLUMNS];

/// Finds the pairs of a tile in order; returns how many selected the matrix.
uint find_pairs(const Tensor ids, uint matrices, uint matrix, uint first) {
    const uint lane = gl_LocalInvocationID.x;
    const uint all = ids.ne[0] * ids.ne[1];
    const uint each = (all + GROUP - 1u) / GROUP;
    const uint end = min((lane + 1u) * each, all);
    uint own = 0;
    for (uint i = lane * each; i < end; ++i) {
        const int id = int(read_u32(ids.data + uint64_t(i % ids.ne[0] * ids.nb[0] + i / ids.ne[0] * ids.nb[1])));
        if (id == int(matrix)) ++own;
        if (matrix == 0 && (id < 0 || uint(id) >= matrices)) report_fault();
    }
    barrier();
    counts[lane / 4u][lane % 4u] = own;
    barrier();
    uint before = 0;
    uint found = 0;
    for (uint i = 0; i < GROUP / 4u; ++i) {
        const uvec4 four = counts[i];
        const uvec4 earlier = uvec4(lessThan(uvec4(4u * i) + uvec4(0, 1, 2, 3), uvec4(lane))) * four;
        before += earlier.x + earlier.y + earlier.z + earlier.w;
        found += four.x + four.y + four.z + four.w;
    }
    if (own > 0 && before < first + TILE_COLUMNS && before + own > first) {
        for (uint i = lane * each; i < end; ++i) {
            if (int(read_u32(ids.data + uint64_t(i % ids.ne[0] * ids.nb[0] + i / ids.ne[0] * ids.nb[1]))) != int(matrix)) continue;
            if (before >= first && before < first + TILE_COLUMNS) pairs[before - first] = i;
            ++before;
        }
    }
    barrier();
    return found;
}

/// Stores a result of the tile, unless it is past the last row or column.
void put(const Tensor to, uint row, uint t, uint column0, uint last, uvec4 c, float value) {
    if (row >= to.ne[0] || column0 + t >= last) return;
    uvec4 place = uvec4(row, column0 + t, c.zw);
    if (KIND == 1) place = uvec4(row, pairs[t] % node.src[2].ne[0], pairs[t] / node.src[2].ne[0], 0);
    F32(ADDRESS(to, place)).v = value;
}

/// Column t of a tile that starts at `column0`.
uint64_t column_of(const Tensor x, uint t, uint column0, uvec4 c) {
    if (KIND == 1) {
        const uint pair = pairs[t];
        const uint slots = node.src[2].ne[0];
        return x.data + uint64_t(pair % slots % x.ne[1] * x.nb[1] + pair / slots * x.nb[2]);
    }
    return ADDRESS(x, uvec4(0, column0 + t, c.zw));
}

/// The weights of a work group: `plane` is the number of the plane or, for MUL_MAT_ID, of the expert.
uint64_t matrix_of(const Tensor weights, const Tensor x, uint plane, uvec4 c) {
    if (KIND == 1) return weights.data + uint64_t(plane * weights.nb[2]);
    return matrix_of_plane(weights, x, c);
}
