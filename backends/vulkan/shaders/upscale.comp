// SPDX-License-Identifier: MIT
// UPSCALE of F32. KIND: 0 nearest, 1 bilinear, 2 bicubic, 3 bilinear with antialiasing. OPTION0: 1 = align corners.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

/// How one dimension of the result maps to the source.
struct Axis {
    int size;
    float offset;
    float factor;
};

Axis axis(uint to, uint from, bool corners) {
    const bool aligned = corners && from > 1u && to > 1u;
    return Axis(int(from), corners ? 0.0 : 0.5, aligned ? float(to - 1u) / float(from - 1u) : float(to) / float(from));
}
float position(Axis a, uint i) { return (float(i) + a.offset) / a.factor - a.offset; }
uint within(Axis a, int i) { return uint(clamp(i, 0, a.size - 1)); }
uint nearest(Axis a, uint i) { return within(a, int(float(i) / a.factor)); }

float at(Tensor src, uint x, uint y, uvec2 plane) { return read_f32(ADDRESS(src, uvec4(x, y, plane))); }

float bilinear(Tensor src, Axis x, Axis y, uvec2 c, uvec2 plane) {
    const vec2 p = vec2(position(x, c.x), position(y, c.y));
    const ivec2 corner = ivec2(floor(p));
    const uint x0 = within(x, corner.x), x1 = within(x, corner.x + 1);
    const uint y0 = within(y, corner.y), y1 = within(y, corner.y + 1);
    const float dx = clamp(p.x - float(x0), 0.0, 1.0);
    const float dy = clamp(p.y - float(y0), 0.0, 1.0);
    return at(src, x0, y0, plane) * (1.0 - dx) * (1.0 - dy) + at(src, x1, y0, plane) * dx * (1.0 - dy) +
           at(src, x0, y1, plane) * (1.0 - dx) * dy + at(src, x1, y1, plane) * dx * dy;
}

/// Cubic convolution kernel with a = −0.75, for distances up to 1 and up to 2.
float cubic_near(float d) { return (1.25 * d - 2.25) * d * d + 1.0; }
float cubic_far(float d) { return ((-0.75 * d + 3.75) * d - 6.0) * d + 3.0; }
vec4 cubic_weights(float t) { return vec4(cubic_far(t + 1.0), cubic_near(t), cubic_near(1.0 - t), cubic_far(2.0 - t)); }

float bicubic(Tensor src, Axis x, Axis y, uvec2 c, uvec2 plane) {
    const vec2 p = vec2(position(x, c.x), position(y, c.y));
    const ivec2 corner = ivec2(floor(p));
    const vec4 wx = cubic_weights(p.x - float(corner.x));
    const vec4 wy = cubic_weights(p.y - float(corner.y));
    float total = 0.0;
    for (int j = 0; j < 4; ++j) {
        float line = 0.0;
        for (int i = 0; i < 4; ++i)
            line += wx[i] * at(src, within(x, corner.x - 1 + i), within(y, corner.y - 1 + j), plane);
        total += wy[j] * line;
    }
    return total;
}

/// Triangle filter as wide as the source elements that one result element covers.
float antialiased(Tensor src, Axis x, Axis y, uvec2 c, uvec2 plane) {
    const vec2 factor = vec2(x.factor, y.factor);
    const vec2 offset = vec2(x.offset, y.offset);
    const vec2 support = max(vec2(1.0), 1.0 / factor);
    const vec2 centre = (vec2(c) + offset) / factor;
    const ivec2 first = max(ivec2(0), ivec2(centre - support + offset));
    const ivec2 last = min(ivec2(x.size, y.size), ivec2(centre + support + offset));
    float total = 0.0;
    float weights = 0.0;
    for (int j = first.y; j < last.y; ++j) {
        for (int i = first.x; i < last.x; ++i) {
            const vec2 w = max(1.0 - abs((vec2(i, j) - centre + offset) / support), 0.0);
            total += at(src, uint(i), uint(j), plane) * w.x * w.y;
            weights += w.x * w.y;
        }
    }
    return weights > 0.0 ? total / weights : 0.0;
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Axis x = axis(dst.ne[0], src.ne[0], OPTION0 == 1);
    const Axis y = axis(dst.ne[1], src.ne[1], OPTION0 == 1);
    const Axis z = axis(dst.ne[2], src.ne[2], false);
    const Axis w = axis(dst.ne[3], src.ne[3], false);
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const uvec2 plane = uvec2(nearest(z, c.z), nearest(w, c.w));
        float value;
        if (KIND == 0) value = at(src, nearest(x, c.x), nearest(y, c.y), plane);
        else if (KIND == 1) value = bilinear(src, x, y, c.xy, plane);
        else if (KIND == 2) value = bicubic(src, x, y, c.xy, plane);
        else value = antialiased(src, x, y, c.xy, plane);
        F32(ADDRESS(dst, c)).v = value;
    }
}
