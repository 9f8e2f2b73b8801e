// SPDX-License-Identifier: MIT
// Four codes at a time, one in each byte of a word.

/// Bits 0 … 3 as the lowest of four bytes.
uint spread_bits(uint bits) { return ((bits & 15u) * 0x00204081u) & 0x01010101u; }

/// An entry of the table of IQ4_NL and IQ4_XS, as a signed byte.
uint iq4_byte(uint code) {
    const uint four = code < 8u ? (code < 4u ? 0xBFAD9881u : 0xF6EADDCFu) : (code < 12u ? 0x26190D01u : 0x71594535u);
    return (four >> (8u * (code & 3u))) & 255u;
}
uint iq4_values(uint codes) {
    uint word = 0;
    [[unroll]] for (uint e = 0; e < 4; ++e) word |= iq4_byte((codes >> (8u * e)) & 15u) << (8u * e);
    return word;
}

/// Twice the four-bit floating-point numbers in four bytes: (2 + mantissa) 2^(exponent - 1), or the mantissa if the
/// exponent is 0.
uint fp4_values(uint codes) {
    const uint ones = 0x01010101u;
    const uint mantissa = codes & ones;
    const uint low = (codes >> 1) & ones;
    const uint high = (codes >> 2) & ones;
    uint values = mantissa | (low | high) << 1;
    values += values & (high * 255u);
    values += values & ((high & low) * 255u);
    // Negating zero would carry into the next byte.
    const uint signs = (codes >> 3) & (mantissa | low | high);
    return (values ^ (signs * 255u)) + signs;
}
