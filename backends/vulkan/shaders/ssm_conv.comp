// SPDX-License-Identifier: MIT
// SSM_CONV: out[channel, t, sequence] = Σ_k x[t + k, channel, sequence] · kernel[k, channel].
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

void main() {
    const Tensor dst = node.dst;
    const Tensor x = node.src[0];
    const Tensor kernel = node.src[1];
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        float total = 0.0;
        for (uint k = 0; k < kernel.ne[0]; ++k)
            total += read_f32(ADDRESS(x, uvec4(c.y + k, c.x, c.z, 0))) * read_f32(ADDRESS(kernel, uvec4(k, c.x, 0, 0)));
        F32(ADDRESS(dst, c)).v = total;
    }
}
