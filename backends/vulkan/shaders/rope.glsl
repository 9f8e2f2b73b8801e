// SPDX-License-Identifier: MIT
// Rotates pairs of elements by position-dependent angles, with YaRN. KIND: 1 = inverse rotation. OPTION0: the mode.
// OPTION1: 1 = frequency factors. Sources 1 and 2: positions and factors. Requires functions.glsl.

const uint NORMAL = 0, MROPE = 8, VISION = 24, INTERLEAVED = 40;

/// The pair that makes this many rotations within the original context.
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

/// Rotation of a row, from the node's parameters.
struct Turning {
    uint covered;  ///< rotated elements
    uint pairs;
    uint apart;    ///< distance of the elements of a pair
    uint first;    ///< first rotated element
    float magnitude;
};

Turning turning() {
    Turning t;
    const uint dims = uint(node.params[1]);
    t.covered = OPTION0 == VISION ? 2u * dims : dims;
    t.pairs = t.covered / 2u;
    t.apart = OPTION0 == NORMAL ? 1u : OPTION0 == VISION ? dims : dims / 2u;
    t.first = uint(node.params[15]);
    t.magnitude = param(8);
    if (param(7) != 0.0) t.magnitude *= 1.0 + 0.1 * log(1.0 / param(6));
    return t;
}

/// Cosine and sine of a pair's angle.
vec2 direction(const Turning t, uint pair, uint token, uint tokens) {
    const float extrapolation = param(7);
    float angle = angle_of(pair, token, tokens);
    if (OPTION1 == 1) angle /= read_f32(node.src[2].data + uint64_t(pair * 4u));
    float turned = param(6) * angle;
    if (extrapolation != 0.0) {
        const float low = max(0.0, floor(yarn_pair(param(9))));
        const float high = min(float(uint(node.params[1]) - 1u), ceil(yarn_pair(param(10))));
        const float y = (float(pair) - low) / max(0.001, high - low);
        const float mix_factor = (1.0 - clamp(y, 0.0, 1.0)) * extrapolation;
        turned = turned * (1.0 - mix_factor) + angle * mix_factor;
    }
    turned = reduced_angle(turned);
    return vec2(cos(turned), sin(turned) * (KIND == 1 ? -1.0 : 1.0)) * t.magnitude;
}

/// Index of the first element of a pair.
uint place_of(const Turning t, uint pair) { return t.first + (OPTION0 == NORMAL ? 2u * pair : pair); }
/// Index of the n-th element that is not rotated.
uint rest_of(const Turning t, uint n) { return n < t.first ? n : n + t.covered; }
