// SPDX-License-Identifier: MIT
// Element-wise functions. KIND: a UnaryKind, or 32 and above for operations other than UNARY. OPTION0: 1 = F32,
// contiguous, even number of elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
#include "words.glsl"
layout(local_size_x = 256) in;

float hard_sigmoid(float x) { return clamp((x + 3.0) / 6.0, 0.0, 1.0); }

float xielu(float x) {
    const float linear = param(3);
    if (x > 0.0) return param(2) * x * x + linear * x;
    return (exp_minus_1(min(x, param(4))) - x) * param(1) + linear * x;
}

float apply(float x) {
    switch (KIND) {
        case 0: return abs(x);
        case 1: return sign(x);
        case 2: return -x;
        case 3: return x > 0.0 ? 1.0 : 0.0;
        case 4: return hyperbolic_tangent(x);
        case 5: return x > 0.0 ? x : exp_minus_1(x);
        case 6: return max(x, 0.0);
        case 7: return sigmoid(x);
        case 8: return gelu(x);
        case 9: return gelu_quick(x);
        case 10: return x * sigmoid(x);
        case 11: return x * hard_sigmoid(x);
        case 12: return hard_sigmoid(x);
        case 13: return exp(x);
        case 14: return exp_minus_1(x);
        case 15: return softplus(x);
        case 16: return gelu_erf(x);
        case 17: return xielu(x);
        case 18: return floor(x);
        case 19: return ceil(x);
        case 20: return sign(x) * floor(abs(x) + 0.5);
        case 21: return trunc(x);
        case 32: return x * x;
        case 33: return sqrt(x);
        case 34: return log(x);
        case 35: return sin(reduced_angle(x));
        case 36: return cos(reduced_angle(x));
        case 37: return clamped(x, param(0), param(1));
        case 38: return x > 0.0 ? x : x * param(0);
        case 39: return x * param(0) + param(1);
        default: return param(0);
    }
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    if (OPTION0 == 1) {
        FOR_ELEMENTS(i, ELEMENTS(dst) / 2u) {
            const vec2 two = read_two(src.data + uint64_t(8u * i));
            write_two(dst.data + uint64_t(8u * i), apply(two.x), apply(two.y));
        }
        return;
    }
    FOR_ELEMENTS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        const float x = KIND == 40 ? 0.0 : load(TYPE0, ADDRESS(src, c));
        store(TYPED, ADDRESS(dst, c), apply(x));
    }
}
