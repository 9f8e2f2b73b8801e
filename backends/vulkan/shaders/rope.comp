// SPDX-License-Identifier: MIT
// ROPE and ROPE_BACK (KIND 1): pairs of elements turned by angles that grow with the position, with YaRN.
// OPTION0: the mode; OPTION1: 1 = frequency factors.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "functions.glsl"
layout(local_size_x = 128) in;

const uint NORMAL = 0, MROPE = 8, VISION = 24, INTERLEAVED = 40;

/// The pair at which so many rotations fit into the original context.
float yarn_pair(float rotations) {
    return float(node.params[1]) * log(float(node.params[4]) / (rotations * 6.283185307179586)) / (2.0 * log(param(5)));
}

uint section_of(uint sector) {
    const uint s0 = uint(node.params[11]), s1 = uint(node.params[12]), s2 = uint(node.params[13]);
    if (OPTION0 == INTERLEAVED) {
        if (sector % 3u == 1u && sector < 3u * s1) return 1;
        if (sector % 3u == 2u && sector < 3u * s2) return 2;
        if (sector % 3u == 0u && sector < 3u * s0) return 0;
        return 3;
    }
    if (sector < s0) return 0;
    if (sector < s0 + s1) return 1;
    return sector < s0 + s1 + s2 ? 2 : 3;
}

float angle_of(uint pair, uint token, uint tokens) {
    const Tensor positions = node.src[1];
    uint index = token;
    float exponent = float(pair);
    if ((OPTION0 & MROPE) != 0u) {
        const uint period = uint(max(1, node.params[11] + node.params[12] + node.params[13] + node.params[14]));
        const uint sector = pair % period;
        const uint section = section_of(sector);
        index += section * tokens;
        if (OPTION0 == VISION) {
            uint start = 0;
            for (uint i = 0; i < section; ++i) start += uint(node.params[11 + i]);
            exponent = float(sector - start);
        }
    }
    const float position = float(int(read_u32(positions.data + uint64_t(index * positions.nb[0]))));
    return position * pow(param(5), -2.0 * exponent / float(node.params[1]));
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const uint dims = uint(node.params[1]);
    const uint covered = OPTION0 == VISION ? 2u * dims : dims;
    const uint pairs = covered / 2u;
    const uint apart = OPTION0 == NORMAL ? 1u : OPTION0 == VISION ? dims : dims / 2u;
    const uint first = uint(node.params[15]);
    const float scale = param(6);
    const float extrapolation = param(7);
    float magnitude = param(8);
    if (extrapolation != 0.0) magnitude *= 1.0 + 0.1 * log(1.0 / scale);
    // Each invocation turns a pair; those behind the last pair copy the elements that stay.
    const uint rest = dst.ne[0] - covered;
    const uint width = pairs + rest;
    FOR_ELEMENTS(i, width * dst.ne[1] * dst.ne[2] * dst.ne[3]) {
        uvec4 c = coordinates(i, width, dst.ne[1], dst.ne[2]);
        const uint pair = c.x;
        if (pair >= pairs) {
            const uint k = pair - pairs;
            c.x = k < first ? k : k + covered;
            store(TYPED, ADDRESS(dst, c), load(TYPE0, ADDRESS(src, c)));
            continue;
        }
        float angle = angle_of(pair, c.z, dst.ne[2]);
        if (OPTION1 == 1) angle /= read_f32(node.src[2].data + uint64_t(pair * 4u));
        float turned = scale * angle;
        if (extrapolation != 0.0) {
            const float low = max(0.0, floor(yarn_pair(param(9))));
            const float high = min(float(dims - 1u), ceil(yarn_pair(param(10))));
            const float y = (float(pair) - low) / max(0.001, high - low);
            const float mix_factor = (1.0 - clamp(y, 0.0, 1.0)) * extrapolation;
            turned = turned * (1.0 - mix_factor) + angle * mix_factor;
        }
        turned = reduced_angle(turned);
        const float cosine = cos(turned) * magnitude;
        const float sine = sin(turned) * magnitude * (KIND == 1 ? -1.0 : 1.0);
        c.x = first + (OPTION0 == NORMAL ? 2u * pair : pair);
        const uvec4 d = c + uvec4(apart, 0, 0, 0);
        const float a = load(TYPE0, ADDRESS(src, c));
        const float b = load(TYPE0, ADDRESS(src, d));
        store(TYPED, ADDRESS(dst, c), a * cosine - b * sine);
        store(TYPED, ADDRESS(dst, d), a * sine + b * cosine);
    }
}
