// SPDX-License-Identifier: MIT
// Quantised results of CPY and SET_ROWS (OPTION0 = 1): each invocation encodes one block. TYPE0: a plain type.
// TYPED: the quantised type. TYPE1: type of the indices.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
#include "packed.glsl"
layout(local_size_x = 64) in;

const uint Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8, IQ4_NL = 20, Q1_0 = 41, Q2_0 = 42;
const uint BLOCK = TYPED == Q1_0 ? 128 : TYPED == Q2_0 ? 64 : 32;

float values[BLOCK];

uint block_bytes() {
    if (TYPED == IQ4_NL || TYPED == Q1_0 || TYPED == Q2_0) return 18u;
    return TYPED == Q4_0 ? 18u : TYPED == Q4_1 ? 20u : TYPED == Q5_0 ? 22u : TYPED == Q5_1 ? 24u : 34u;
}

float inverse_or_zero(float d) { return d != 0.0 ? 1.0 / d : 0.0; }
uint code_of(float x, uint largest) { return uint(clamp(int(x), 0, int(largest))); }
void put_half(uint64_t at, float value) { U16(at).v = uint16_t(f32_to_f16(value)); }
void put_byte(uint64_t at, uint value) { U8(at).v = uint8_t(value & 255u); }

void encode_bytes(uint64_t block) {
    float largest = 0.0;
    for (uint j = 0; j < 32; ++j) largest = max(largest, abs(values[j]));
    const float d = largest / 127.0;
    const float id = inverse_or_zero(d);
    put_half(block, d);
    for (uint j = 0; j < 32; ++j) {
        const float scaled = values[j] * id;
        put_byte(block + uint64_t(2u + j), uint(int(sign(scaled) * floor(abs(scaled) + 0.5))));
    }
}

/// Symmetric: the value of largest magnitude becomes the lowest code. Others: minimum and range.
void encode_codes(uint64_t block) {
    const bool five = TYPED == Q5_0 || TYPED == Q5_1;
    const bool has_min = TYPED == Q4_1 || TYPED == Q5_1;
    const uint largest_code = five ? 31u : 15u;
    float low = values[0];
    float high = values[0];
    float extreme = 0.0;
    for (uint j = 0; j < 32; ++j) {
        low = min(low, values[j]);
        high = max(high, values[j]);
        if (abs(extreme) < abs(values[j])) extreme = values[j];
    }
    const float d = has_min ? (high - low) / float(largest_code) : extreme / (five ? -16.0 : -8.0);
    const float id = inverse_or_zero(d);
    const float shift = has_min ? 0.5 : five ? 16.5 : 8.5;
    const float origin = has_min ? low : 0.0;
    put_half(block, d);
    uint64_t at = block + 2ul;
    if (has_min) {
        put_half(at, low);
        at += 2ul;
    }
    const uint64_t codes = at + (five ? 4ul : 0ul);
    uint fifth = 0;
    for (uint j = 0; j < 16; ++j) {
        const uint lo = code_of((values[j] - origin) * id + shift, largest_code);
        const uint hi = code_of((values[j + 16] - origin) * id + shift, largest_code);
        put_byte(codes + uint64_t(j), (lo & 15u) | (hi & 15u) << 4);
        fifth |= (lo >> 4) << j | (hi >> 4) << (j + 16u);
    }
    if (five) {
        for (uint j = 0; j < 4; ++j) put_byte(at + uint64_t(j), fifth >> (8u * j));
    }
}

float signed_extreme() {
    float extreme = 0.0;
    for (uint j = 0; j < BLOCK; ++j) {
        if (abs(extreme) < abs(values[j])) extreme = values[j];
    }
    return extreme;
}

/// Index of the nearest value of the ascending table; on ties the larger one.
uint nearest_iq4(float x) {
    uint above = 0;
    while (above < 16u && x >= iq4_value(above)) ++above;
    if (above == 0u) return 0u;
    if (above == 16u) return 15u;
    return x - iq4_value(above - 1u) < iq4_value(above) - x ? above - 1u : above;
}

/// Maps the extreme to the table's first value; the scale then minimises the squared error weighted by x².
void encode_iq4(uint64_t block) {
    const float extreme = signed_extreme();
    const float id = inverse_or_zero(extreme / iq4_value(0u));
    float along = 0.0;
    float squares = 0.0;
    for (uint j = 0; j < 16; ++j) {
        uint codes = 0;
        [[unroll]] for (uint h = 0; h < 2; ++h) {
            const float x = values[j + 16u * h];
            const uint code = nearest_iq4(x * id);
            const float q = iq4_value(code);
            along += x * x * q * x;
            squares += x * x * q * q;
            codes |= code << (4u * h);
        }
        put_byte(block + uint64_t(2u + j), codes);
    }
    put_half(block, abs(extreme) < 1e-15 || squares == 0.0 ? 0.0 : along / squares);
}

/// Signs, and the mean of the magnitudes.
void encode_signs(uint64_t block) {
    float total = 0.0;
    for (uint j = 0; j < BLOCK; j += 8) {
        uint bits = 0;
        for (uint e = 0; e < 8; ++e) {
            total += abs(values[j + e]);
            bits |= (values[j + e] >= 0.0 ? 1u : 0u) << e;
        }
        put_byte(block + uint64_t(2u + j / 8u), bits);
    }
    put_half(block, total / float(BLOCK));
}

/// −1, 0 or 1 of the largest magnitude.
void encode_ternary(uint64_t block) {
    const float d = abs(signed_extreme());
    const float id = inverse_or_zero(d);
    for (uint j = 0; j < BLOCK; j += 4) {
        uint bits = 0;
        for (uint e = 0; e < 4; ++e) {
            const float scaled = values[j + e] * id;
            bits |= uint(int(sign(scaled) * floor(abs(scaled) + 0.5)) + 1) << (2u * e);
        }
        put_byte(block + uint64_t(2u + j / 4u), bits);
    }
    put_half(block, d);
}

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor ids = node.src[1];
    const uint blocks = ELEMENTS(src) / BLOCK;
    for (uint i = gl_GlobalInvocationID.x; i < blocks; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        for (uint j = 0; j < BLOCK; ++j) {
            const uvec4 s = COORDINATES(src, i * BLOCK + j);
            values[j] = load(TYPE0, ADDRESS(src, s));
        }
        uvec4 c = COORDINATES(dst, i * BLOCK);
        if (OPTION0 == 1) {
            const uvec4 s = COORDINATES(src, i * BLOCK);
            const uvec4 at = uvec4(s.y, s.z % ids.ne[1], s.w % ids.ne[2], 0);
            const int row = load_index(TYPE1, ADDRESS(ids, at));
            if (row < 0 || uint(row) >= dst.ne[1]) {
                report_fault();
                continue;
            }
            c = uvec4(s.x, uint(row), s.z, s.w);
        }
        const uint64_t block = ADDRESS(dst, uvec4(0, c.yzw)) + uint64_t(c.x / BLOCK * block_bytes());
        if (TYPED == Q8_0) encode_bytes(block);
        else if (TYPED == IQ4_NL) encode_iq4(block);
        else if (TYPED == Q1_0) encode_signs(block);
        else if (TYPED == Q2_0) encode_ternary(block);
        else encode_codes(block);
    }
}
