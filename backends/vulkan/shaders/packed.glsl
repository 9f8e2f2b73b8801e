// SPDX-License-Identifier: MIT
// Four codes at a time, one in each byte of a word.

/// Bits 0 … 3 as the lowest of four bytes.
uint spread_bits(uint bits) { return ((bits & 15u) * 0x00204081u) & 0x01010101u; }

/// Eight pairs of bits, and four triples, as the lowest of bytes.
uvec2 spread_twos(uint bits) {
    const uvec2 eight = uvec2(bits, bits >> 8) & 255u;
    return (eight | eight << 6 | eight << 12 | eight << 18) & 0x03030303u;
}
uint spread_threes(uint bits) { return (bits & 7u) | (bits & 0x38u) << 5 | (bits & 0x1C0u) << 10 | (bits & 0xE00u) << 15; }

/// An entry of the table of IQ4_NL and IQ4_XS, as a signed byte.
uint iq4_byte(uint code) {
    const uint four = code < 8u ? (code < 4u ? 0xBFAD9881u : 0xF6EADDCFu) : (code < 12u ? 0x26190D01u : 0x71594535u);
    return (four >> (8u * (code & 3u))) & 255u;
}
float iq4_value(uint code) { return float((int(iq4_byte(code)) << 24) >> 24); }
uint iq4_values(uint codes) {
    uint word = 0;
    [[unroll]] for (uint e = 0; e < 4; ++e) word |= iq4_byte((codes >> (8u * e)) & 15u) << (8u * e);
    return word;
}

/// Twice the magnitudes of eight four-bit floating-point numbers: codes 0 to 3 are themselves; 4 to 7 are 4, 6, 8
/// and 12.
uint fp4_magnitudes(uint codes) {
    const uint magnitudes = codes & 0x77777777u;
    const uint ones = codes & (codes >> 2) & 0x11111111u;
    const uint twos = codes & (codes >> 1) & 0x22222222u;
    return magnitudes + ones + twos + ((ones << 1) & twos);
}
/// Their signs, as the lowest bit of each.
uint fp4_signs(uint codes) { return (codes >> 3) & 0x11111111u; }
/// 15 where the lowest bit is set.
uint fifteens(uint ones) { return (ones << 4) - ones; }
/// Twice the numbers in four bytes, plus 128.
uint fp4_values(uint codes) {
    const uint flip = fifteens(fp4_signs(codes));
    // 15 minus the magnitude, minus 15.
    return ((fp4_magnitudes(codes) ^ flip) | 0x80808080u) - flip;
}
