// SPDX-License-Identifier: MIT
// Quantised results of CPY and SET_ROWS (OPTION0 = 1): each invocation makes one block of 32.
// TYPE0: a plain type; TYPED: the quantised one; TYPE1: type of the indices.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

const uint Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8;

float values[32];

uint block_bytes() {
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

void main() {
    const Tensor dst = node.dst;
    const Tensor src = node.src[0];
    const Tensor ids = node.src[1];
    const uint blocks = ELEMENTS(src) / 32u;
    for (uint i = gl_GlobalInvocationID.x; i < blocks; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        for (uint j = 0; j < 32; ++j) {
            const uvec4 s = COORDINATES(src, i * 32u + j);
            values[j] = load(TYPE0, ADDRESS(src, s));
        }
        uvec4 c = COORDINATES(dst, i * 32u);
        if (OPTION0 == 1) {
            const uvec4 s = COORDINATES(src, i * 32u);
            const uvec4 at = uvec4(s.y, s.z % ids.ne[1], s.w % ids.ne[2], 0);
            const int row = load_index(TYPE1, ADDRESS(ids, at));
            if (row < 0 || uint(row) >= dst.ne[1]) {
                report_fault();
                continue;
            }
            c = uvec4(s.x, uint(row), s.z, s.w);
        }
        const uint64_t block = ADDRESS(dst, uvec4(0, c.yzw)) + uint64_t(c.x / 32u * block_bytes());
        if (TYPED == Q8_0) encode_bytes(block);
        else encode_codes(block);
    }
}
