// SPDX-License-Identifier: MIT
// Results that depend on positions, and gradients. KIND: 0 DIAG_MASK_INF, 1 DIAG_MASK_ZERO, 2 TRI, 3 ARANGE, 4
// TIMESTEP_EMBEDDING, 5 ADD_REL_POS, 6 SILU_BACK, 7 REPEAT_BACK.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
layout(local_size_x = 256) in;

bool keeps(uvec4 c) {
    if (KIND <= 1) return int(c.x) <= node.params[0] + int(c.y);
    switch (node.params[0]) {
        case 0: return c.x >= c.y;
        case 1: return c.x > c.y;
        case 2: return c.x <= c.y;
        default: return c.x < c.y;
    }
}

float timestep(uvec4 c) {
    const uint half_dims = uint(node.params[0]) / 2u;
    if (c.x >= 2u * half_dims) return 0.0;
    const float time = load(TYPE0, node.src[0].data + uint64_t(c.y * node.src[0].nb[0]));
    const uint j = c.x % half_dims;
    const float angle = reduced_angle(time * exp(-log(float(node.params[1])) * float(j) / float(half_dims)));
    return c.x < half_dims ? cos(angle) : sin(angle);
}

float with_positions(uvec4 c) {
    const Tensor columns = node.src[1];
    const Tensor rows = node.src[2];
    const uint query = c.y % (columns.ne[1] * columns.ne[2]);
    const uvec4 at = uvec4(c.x % columns.ne[0], query % columns.ne[1], query / columns.ne[1], c.z);
    return load(TYPE0, ADDRESS(node.src[0], c)) + load(TYPE1, ADDRESS(columns, at)) +
           load(TYPE2, ADDRESS(rows, uvec4(c.x / columns.ne[0], at.yzw)));
}

float silu_gradient(uvec4 c) {
    const float x = load(TYPE1, ADDRESS(node.src[1], c));
    const float s = sigmoid(x);
    return load(TYPE0, ADDRESS(node.src[0], c)) * s * (1.0 + x * (1.0 - s));
}

float repeats(uvec4 c, Tensor dst) {
    const Tensor src = node.src[0];
    float total = 0.0;
    for (uint w = c.w; w < src.ne[3]; w += dst.ne[3])
        for (uint z = c.z; z < src.ne[2]; z += dst.ne[2])
            for (uint y = c.y; y < src.ne[1]; y += dst.ne[1])
                for (uint x = c.x; x < src.ne[0]; x += dst.ne[0]) total += load(TYPE0, ADDRESS(src, uvec4(x, y, z, w)));
    return total;
}

void main() {
    const Tensor dst = node.dst;
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        float value;
        if (KIND <= 2) value = keeps(c) ? load(TYPE0, ADDRESS(node.src[0], c)) : (KIND == 0 ? -INFINITY : 0.0);
        else if (KIND == 3) value = param(0) + param(2) * float(c.x);
        else if (KIND == 4) value = timestep(c);
        else if (KIND == 5) value = with_positions(c);
        else if (KIND == 6) value = silu_gradient(c);
        else value = repeats(c, dst);
        store(TYPED, ADDRESS(dst, c), value);
    }
}
