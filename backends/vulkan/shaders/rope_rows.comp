// SPDX-License-Identifier: MIT
// Up to three parts, each processed by ROPE, SET_ROWS or both; gl_WorkGroupID.y is the part. Part p reads F32 from
// source 0, 3 or 5; its result is dst, more[0] or more[1], of type TYPE0, TYPE2 or TYPED; its indices, of type
// TYPE1, are more[2], source 4 or source 6. OPTION2: two bits per part: 1 = rotated, 2 = stored by index. All heads
// of a rotated part form one stored row. For the other constants see rope.glsl.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
#include "rope.glsl"
layout(local_size_x = 128) in;

void store_as(const uint part, uint64_t at, float value) {
    if (part == 0) store(TYPE0, at, value);
    else if (part == 1) store(TYPE2, at, value);
    else store(TYPED, at, value);
}

void main() {
    const uint part = gl_WorkGroupID.y;
    Tensor src = node.src[0];
    Tensor dst = node.dst;
    Tensor ids = node.more[2];
    if (part == 1) {
        src = node.src[3];
        dst = node.more[0];
        ids = node.src[4];
    }
    if (part == 2) {
        src = node.src[5];
        dst = node.more[1];
        ids = node.src[6];
    }
    const uint does = (OPTION2 >> (2u * part)) & 3u;
    const bool turns = (does & 1u) != 0u;
    const bool stores = (does & 2u) != 0u;
    const Turning t = turning();
    const uint width = turns ? t.pairs + src.ne[0] - t.covered : src.ne[0];
    FOR_ELEMENTS(i, width * src.ne[1] * src.ne[2] * src.ne[3]) {
        uvec4 c = coordinates(i, width, src.ne[1], src.ne[2]);
        const uint pair = c.x;
        // Address of element 0 of the destination row.
        uint64_t to;
        if (stores) {
            const uvec4 from = turns ? uvec4(0, c.z, 0, 0) : c;
            const int row = load_index(TYPE1, ADDRESS(ids, uvec4(from.y, from.z % ids.ne[1], from.w % ids.ne[2], 0)));
            if (row < 0 || uint(row) >= dst.ne[1]) {
                U32(node.fault).v = node.id + part;
                continue;
            }
            const uvec4 place = turns ? uvec4(c.y * src.ne[0], uint(row), 0, 0) : uvec4(0, uint(row), c.zw);
            to = ADDRESS(dst, place);
        } else {
            to = ADDRESS(dst, uvec4(0, c.yzw));
        }
        if (!turns || pair >= t.pairs) {
            c.x = turns ? rest_of(t, pair - t.pairs) : pair;
            store_as(part, to + uint64_t(c.x * dst.nb[0]), read_f32(ADDRESS(src, c)));
            continue;
        }
        const vec2 turn = direction(t, pair, c.z, src.ne[2]);
        c.x = place_of(t, pair);
        const uvec4 d = c + uvec4(t.apart, 0, 0, 0);
        const float a = read_f32(ADDRESS(src, c));
        const float b = read_f32(ADDRESS(src, d));
        store_as(part, to + uint64_t(c.x * dst.nb[0]), a * turn.x - b * turn.y);
        store_as(part, to + uint64_t(d.x * dst.nb[0]), a * turn.y + b * turn.x);
    }
}
