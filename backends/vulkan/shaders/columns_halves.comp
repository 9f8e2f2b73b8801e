// SPDX-License-Identifier: MIT
// Converts the columns of a matrix product (source 1, of TYPE1) to F16 in node.scratch, once instead of for each tile.
// Their length is a multiple of eight. OPTION0: 1 = F32, 16-byte aligned.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#include "node.glsl"
#include "wide.glsl"
#include "halves.glsl"
#include "converted.glsl"
layout(local_size_x = 128) in;

void main() {
    const Tensor from = node.src[1];
    Tensor to = from;
    converted_to(to);
    FOR_ELEMENTS(i, ELEMENTS(from) / 8u) {
        const uvec4 c = COORDINATES(from, i * 8u);
        const uint64_t at = ADDRESS(from, c);
        float x[8];
        if (OPTION0 == 1u) {
            const vec4 first = F32x4(at).v;
            const vec4 second = F32x4(at + 16ul).v;
            [[unroll]] for (uint e = 0; e < 4; ++e) {
                x[e] = first[e];
                x[e + 4u] = second[e];
            }
        } else {
            [[unroll]] for (uint e = 0; e < 8; ++e) x[e] = load(TYPE1, at + uint64_t(e * from.nb[0]));
        }
        U32x4(to.data + uint64_t(i * 16u)).v = halves_of(x);
    }
}
