// SPDX-License-Identifier: MIT
// Moves elements without conversion. KIND: 0 CONCAT, 1 REPEAT, 2 PAD, 3 PAD_REFLECT_1D, 4 ROLL, 5 WIN_PART, 6
// WIN_UNPART, 7 GET_REL_POS, 8 DIAG; 9 SET and 10 ACC (F32) write only the window, after copy.comp. OPTION1:
// bytes of an element.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 256) in;

ivec4 shape(Tensor t) { return ivec4(int(t.ne[0]), int(t.ne[1]), int(t.ne[2]), int(t.ne[3])); }
ivec4 params4(uint first, uint step) {
    return ivec4(node.params[first], node.params[first + step], node.params[first + 2u * step],
                 node.params[first + 3u * step]);
}
/// i modulo n, for any sign of i.
ivec4 wrapped(ivec4 i, ivec4 n) {
    const ivec4 rest = i - n * (i / n);
    return rest + n * ivec4(lessThan(rest, ivec4(0)));
}

/// Source coordinates of an element of the result; negative x: none, the element is zero.
ivec4 origin(ivec4 c, Tensor dst, Tensor src) {
    const ivec4 nowhere = ivec4(-1);
    if (KIND == 1) return c % shape(src);
    if (KIND == 2) {
        ivec4 s = c - params4(0, 2);
        if (node.params[8] != 0) s = wrapped(s, shape(src));
        const bool inside = all(greaterThanEqual(s, ivec4(0))) && all(lessThan(s, shape(src)));
        return inside ? s : nowhere;
    }
    if (KIND == 3) {
        const int last = int(src.ne[0]) - 1;
        int x = abs(c.x - node.params[0]);
        if (x > last) x = 2 * last - x;
        return ivec4(x, c.yzw);
    }
    if (KIND == 4) return wrapped(c - params4(0, 1), shape(src));
    if (KIND == 5) {
        const int across = node.params[0];
        const int size = node.params[2];
        const ivec2 at = ivec2(c.w % across, c.w / across) * size + c.yz;
        return at.x < int(src.ne[1]) && at.y < int(src.ne[2]) ? ivec4(c.x, at, 0) : nowhere;
    }
    if (KIND == 6) {
        const int size = node.params[0];
        const int across = (int(dst.ne[1]) + size - 1) / size;
        return ivec4(c.x, c.y % size, c.z % size, c.z / size * across + c.y / size);
    }
    if (KIND == 7) return ivec4(c.x, int(dst.ne[1]) - 1 - c.y + c.z, 0, 0);
    return c.x == c.y ? ivec4(c.x, 0, c.zw) : nowhere;
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor other = node.src[1];
    if (KIND >= 9) {
        FOR_ELEMENTS(i, ELEMENTS(other)) {
            const uvec4 c = COORDINATES(other, i);
            const uint64_t to = dst.data + uint64_t(uint(node.params[3]) + c.x * 4u + c.y * uint(node.params[0]) +
                                                    c.z * uint(node.params[1]) + c.w * uint(node.params[2]));
            if (KIND == 9) move(4u, ADDRESS(other, c), to);
            else F32(to).v = read_f32(to) + read_f32(ADDRESS(other, c));
        }
        return;
    }
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        if (KIND == 0) {
            const uint d = uint(node.params[0]);
            uvec4 s = c;
            const bool second = c[d] >= src.ne[d];
            if (second) s[d] -= src.ne[d];
            move(OPTION1, second ? ADDRESS(other, s) : ADDRESS(src, s), ADDRESS(dst, c));
            continue;
        }
        const ivec4 s = origin(ivec4(c), dst, src);
        if (s.x < 0) F32(ADDRESS(dst, c)).v = 0.0;
        else move(OPTION1, ADDRESS(src, uvec4(s)), ADDRESS(dst, c));
    }
}
