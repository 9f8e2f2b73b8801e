// SPDX-License-Identifier: MIT
// F16 for matrix products: two in a word, eight in 16 bytes.

/// As F16. Finite numbers beyond its range become its largest, as an infinity could turn a whole sum into NaN.
/// Without branches, so that the loads of several words overlap.
float within_halves(float value) { return abs(value) <= 3.4028234e38 ? clamp(value, -65504.0, 65504.0) : value; }
uint two_halves(float first, float second) {
    return packFloat2x16(f16vec2(within_halves(first), within_halves(second)));
}

uvec4 halves_of(const float v[8]) {
    return uvec4(two_halves(v[0], v[1]), two_halves(v[2], v[3]), two_halves(v[4], v[5]), two_halves(v[6], v[7]));
}
