// SPDX-License-Identifier: MIT
// Decodes rows of any type, eight elements at a time. Block layouts are those of engine/tensor/quants/blocks.hpp.

#include "packed.glsl"
#include "wide.glsl"

// Each module contains one family of types (its name ends with it), so that pipelines compile quickly.
#define ANY_FAMILY 0
#define PLAIN_FAMILY 1
#define SMALL_FAMILY 2
#define K_FAMILY 3
#define IQ_FAMILY 4
#define FEW_FAMILY 5

const uint Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8, Q2_K = 10, Q3_K = 11, Q4_K = 12, Q5_K = 13, Q6_K = 14;
const uint IQ2_XXS = 16, IQ2_XS = 17, IQ3_XXS = 18, IQ1_S = 19, IQ4_NL = 20, IQ3_S = 21, IQ2_S = 22, IQ4_XS = 23;
const uint IQ1_M = 29, TQ1_0 = 34, TQ2_0 = 35, MXFP4 = 39, NVFP4 = 40, Q1_0 = 41, Q2_0 = 42;

// Offsets of the codebooks in the tables (codebooks.cpp), in 16-bit numbers.
const uint IQ2_XXS_GRID = 0, IQ2_XS_GRID = 256, IQ2_S_GRID = 768, IQ3_XXS_GRID = 1792, IQ3_S_GRID = 2048;
const uint IQ1_GRID = 2560;

uint table(uint i) { return read_u16(node.tables + uint64_t(2u * i)); }

uint nibble(uint byte, uint high) { return (byte >> (4u * high)) & 15u; }

/// Signs of eight elements from seven bits: the eighth makes the parity even.
uint even_signs(uint seven) { return seven | (uint(bitCount(seven)) & 1u) << 7; }

/// Blocks of q4_K and q5_K are 16-byte aligned.
uvec3 read_k_scales(uint64_t at) { return uvec3(read_u32(at), read_u32(at + 4ul), read_u32(at + 8ul)); }

/// Six-bit scale and minimum of sub-block s of q4_K and q5_K.
uvec2 k_scale_min(uvec3 scales, uint s) {
    const uvec3 bytes = (scales >> (8u * (s & 3u))) & 255u;
    const uint first = bytes.x;
    const uint second = bytes.y;
    const uint third = bytes.z;
    return s < 4u ? uvec2(first & 63u, second & 63u)
                  : uvec2((third & 15u) | (first >> 6) << 4, (third >> 4) | (second >> 6) << 4);
}

float e8m0_half(uint e) { return uintBitsToFloat(e < 2u ? 0x00200000u << e : (e - 1u) << 23); }
float ue4m3_half(uint code) {
    const uint exponent = (code >> 3) & 15u;
    const uint mantissa = code & 7u;
    if ((code & 0x7Fu) == 0x7Fu) return 0.0;
    if (exponent == 0u) return float(mantissa) * 0.0009765625;
    return uintBitsToFloat((exponent + 119u) << 23 | mantissa << 20);
}

/// The same digit of four bytes, plus one.
uint ternary_digits(uint four, uint digit) {
    const uint power = digit == 0u ? 1u : digit == 1u ? 3u : digit == 2u ? 9u : digit == 3u ? 27u : 81u;
    const uvec2 pairs = ((uvec2(four, four >> 8) & 0x00FF00FFu) * power) & 0x00FF00FFu;
    const uvec2 digits = ((pairs * 3u) >> 8) & 0x00030003u;
    return digits.x | digits.y << 8;
}

/// Eight elements, starting at a multiple of eight.
struct Eight {
    float v[8];
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair { uvec2 v; };

/// At any address. Reads aligned words that contain some of the bytes.
uvec2 read_eight_bytes(uint64_t at) {
    const uint64_t word = at & ~3ul;
    const uint shift = uint(at & 3ul) * 8u;
    const uint first = read_u32(word);
    const uint second = read_u32(word + 4ul);
    const uint third = read_u32(word + (shift == 0u ? 4ul : 8ul));
    // A shift by 32 is undefined.
    return uvec2(first >> shift | (second << 1) << (31u - shift), second >> shift | (third << 1) << (31u - shift));
}

/// What eight elements are decoded from, so that loads can be issued ahead of the decoding. Points of codebooks are read
/// while decoding, as their addresses depend on these loads.
struct Fetched {
    uvec4 codes;
    uvec4 scales;
};

/// Eight elements before scaling: d * factor * (byte - offset) + m.
struct Scaled {
    uvec2 bytes;
    float offset;
    float factor;  ///< an integer, or a multiple of 1/8
    float d;
    float m;
};

uint small_start(const uint type) {
    if (type == MXFP4) return 1u;
    return (type == Q4_1 || type == Q5_1 ? 4u : 2u) + (type == Q5_0 || type == Q5_1 ? 4u : 0u);
}

Fetched fetch_small(const uint type, uint64_t row, uint i) {
    const uint j = i & 31u;
    const uint start = small_start(type);
    Fetched f;
    f.codes = uvec4(0);
    f.scales = uvec4(0);
    const uint64_t b = row + uint64_t((i >> 5) * (type == Q8_0 ? 34u : start + 16u));
    f.codes.xy = read_eight_bytes(b + uint64_t(start + (type == Q8_0 ? j : j & 15u)));
    f.scales.x = type == MXFP4 ? read_u8(b) : read_u16(b);
    if (type == Q4_1 || type == Q5_1) f.scales.y = read_u16(b + 2ul);
    if (type == Q5_0 || type == Q5_1) f.scales.z = read_u32_halves(b + uint64_t(start - 4u));
    return f;
}

Scaled scaled_small(const uint type, const Fetched f, uint i) {
    // Signed bytes become unsigned ones.
    const uint flip = 0x80808080u;
    Scaled r = Scaled(f.codes.xy ^ flip, 128.0, 1.0, 0.0, 0.0);
    r.d = type == MXFP4 ? e8m0_half(f.scales.x) : f16_to_f32(f.scales.x);
    if (type == Q8_0) return r;
    const uint j = i & 31u;
    const uvec2 codes = (f.codes.xy >> (4u * (j >> 4))) & 0x0F0F0F0Fu;
    if (type == IQ4_NL) {
        r.bytes = uvec2(iq4_values(codes.x), iq4_values(codes.y)) ^ flip;
        return r;
    }
    if (type == MXFP4) {
        r.bytes = uvec2(fp4_values(codes.x), fp4_values(codes.y));
        return r;
    }
    r.bytes = codes;
    r.offset = type == Q4_0 ? 8.0 : type == Q5_0 ? 16.0 : 0.0;
    if (type == Q5_0 || type == Q5_1) {
        const uint fifth = f.scales.z >> j;
        r.bytes |= uvec2(spread_bits(fifth), spread_bits(fifth >> 4)) << 4;
    }
    if (type == Q4_1 || type == Q5_1) r.m = f16_to_f32(f.scales.y);
    return r;
}

Fetched fetch_k(const uint type, uint64_t row, uint i) {
    const uint block = i >> 8;
    const uint j = i & 255u;
    Fetched f;
    f.codes = uvec4(0);
    f.scales = uvec4(0);
    if (type == Q4_K || type == Q5_K) {
        const uint64_t b = row + uint64_t(block * (type == Q4_K ? 144u : 176u));
        f.scales = U32x4(b).v;
        f.codes.xy = Pair(b + uint64_t((type == Q4_K ? 16u : 48u) + (j >> 6) * 32u + (j & 31u))).v;
        if (type == Q5_K) f.codes.zw = Pair(b + uint64_t(16u + (j & 31u))).v;
    } else if (type == Q2_K) {
        const uint64_t b = row + uint64_t(block * 84u);
        f.codes.xy = read_eight_bytes(b + uint64_t(16u + (j >> 7) * 32u + (j & 31u)));
        f.scales = uvec4(read_u8(b + uint64_t(j >> 4)), read_u16(b + 80ul), read_u16(b + 82ul), 0);
    } else if (type == Q3_K) {
        const uint64_t b = row + uint64_t(block * 110u);
        const uint t = j >> 4;
        f.codes.xy = read_eight_bytes(b + uint64_t(32u + (j >> 7) * 32u + (j & 31u)));
        f.codes.zw = read_eight_bytes(b + uint64_t(j & 31u));
        f.scales = uvec4(read_u8(b + uint64_t(96u + (t & 7u))), read_u8(b + uint64_t(104u + (t & 3u))), read_u16(b + 108ul), 0);
    } else {
        // Q6_K
        const uint64_t b = row + uint64_t(block * 210u);
        const uint part = j >> 7;
        f.codes.xy = read_eight_bytes(b + uint64_t(part * 64u + ((j >> 5) & 1u) * 32u + (j & 31u)));
        f.codes.zw = read_eight_bytes(b + uint64_t(128u + part * 32u + (j & 31u)));
        f.scales = uvec4(read_u16(b + 208ul), read_u8(b + uint64_t(192u + (j >> 4))), 0, 0);
    }
    return f;
}

Scaled scaled_k(const uint type, const Fetched f, uint i) {
    const uint j = i & 255u;
    const uint s = j >> 5;
    const uint plane = s & 3u;
    if (type == Q4_K || type == Q5_K) {
        const uvec2 scale_min = k_scale_min(f.scales.yzw, s);
        const vec2 factors = unpackHalf2x16(f.scales.x);
        uvec2 bytes = (f.codes.xy >> (4u * (s & 1u))) & 0x0F0F0F0Fu;
        if (type == Q5_K) bytes |= ((f.codes.zw >> s) & 0x01010101u) << 4;
        return Scaled(bytes, 0.0, float(scale_min.x), factors.x, -factors.y * float(scale_min.y));
    }
    if (type == Q2_K) {
        const uvec2 bytes = (f.codes.xy >> (2u * plane)) & 0x03030303u;
        return Scaled(bytes, 0.0, float(f.scales.x & 15u), f16_to_f32(f.scales.y),
                      -f16_to_f32(f.scales.z) * float(f.scales.x >> 4));
    }
    if (type == Q3_K) {
        const uint t = j >> 4;
        const uint scale = (t < 8u ? f.scales.x & 15u : f.scales.x >> 4) | ((f.scales.y >> (2u * (t >> 2))) & 3u) << 4;
        const uvec2 bytes = ((f.codes.xy >> (2u * plane)) & 0x03030303u) | ((f.codes.zw >> s) & 0x01010101u) << 2;
        return Scaled(bytes, 4.0, float(scale) - 32.0, f16_to_f32(f.scales.z), 0.0);
    }
    // Q6_K
    const uvec2 bytes = ((f.codes.xy >> (2u * (plane & 2u))) & 0x0F0F0F0Fu) |
                        ((f.codes.zw >> (2u * plane)) & 0x03030303u) << 4;
    return Scaled(bytes, 32.0, float((int(f.scales.y) << 24) >> 24), f16_to_f32(f.scales.x), 0.0);
}

/// Eight signed bytes plus 128, from magnitudes and a bit for each sign.
uvec2 with_signs(uvec2 magnitudes, uint signs) {
    const uvec2 ones = uvec2(spread_bits(signs), spread_bits(signs >> 4));
    return ((magnitudes | 0x80808080u) ^ ((ones << 8) - ones)) + ones;
}
/// Coordinates of the codebooks' points, eight of two bits or twice four of three, as bytes.
uvec2 iq2_levels(uint point) {
    const uvec2 codes = spread_twos(point);
    return 0x08080808u + codes + (codes << 4) + ((codes >> 1) & 0x01010101u);
}
uvec2 iq3_xxs_levels(uvec2 points) {
    const uvec2 codes = uvec2(spread_threes(points.x), spread_threes(points.y));
    const uvec2 sevens = codes & (codes >> 1) & (codes >> 2) & 0x01010101u;
    return 0x04040404u + (codes << 3) + (sevens << 1);
}
uvec2 iq3_s_levels(uvec2 points) {
    return 0x01010101u + (uvec2(spread_threes(points.x), spread_threes(points.y)) << 1);
}

Fetched fetch_iq(const uint type, uint64_t row, uint i) {
    const uint block = i >> 8;
    const uint j = i & 255u;
    const uint part = j >> 5;  // of 32 elements
    const uint eight = j >> 3;
    Fetched f;
    f.codes = uvec4(0);
    f.scales = uvec4(0);
    if (type == IQ4_XS) {
        const uint64_t b = row + uint64_t(block * 136u);
        f.codes.xy = Pair(b + uint64_t(8u + part * 16u + (j & 8u))).v;
        f.scales = uvec4(read_u16(b), read_u16(b + 2ul), read_u8(b + uint64_t(4u + (part >> 1))), 0);
    } else if (type == IQ2_XXS) {
        const uint64_t b = row + uint64_t(block * 66u);
        const uint64_t codes = b + uint64_t(2u + part * 8u);
        f.codes.xy = uvec2(read_u8(codes + uint64_t(eight & 3u)), read_u32_halves(codes + 4ul));
        f.scales.x = read_u16(b);
    } else if (type == IQ2_XS) {
        const uint64_t b = row + uint64_t(block * 74u);
        f.codes.x = read_u16(b + uint64_t(2u + eight * 2u));
        f.scales.xy = uvec2(read_u16(b), read_u8(b + uint64_t(66u + part)));
    } else if (type == IQ2_S) {
        const uint64_t b = row + uint64_t(block * 82u);
        f.codes.xyz = uvec3(read_u8(b + uint64_t(2u + eight)), read_u8(b + uint64_t(66u + part)),
                            read_u8(b + uint64_t(34u + eight)));
        f.scales.xy = uvec2(read_u16(b), read_u8(b + uint64_t(74u + part)));
    } else if (type == IQ3_XXS) {
        const uint64_t b = row + uint64_t(block * 98u);
        f.codes.xy = uvec2(read_u16(b + uint64_t(2u + eight * 2u)), read_u32_halves(b + uint64_t(66u + part * 4u)));
        f.scales.x = read_u16(b);
    } else if (type == IQ3_S) {
        const uint64_t b = row + uint64_t(block * 110u);
        f.codes.xyz = uvec3(read_u16(b + uint64_t(2u + eight * 2u)), read_u8(b + uint64_t(66u + part)),
                            read_u8(b + uint64_t(74u + eight)));
        f.scales.xy = uvec2(read_u16(b), read_u8(b + uint64_t(106u + (part >> 1))));
    } else if (type == IQ1_S) {
        const uint64_t b = row + uint64_t(block * 50u);
        f.codes.xy = uvec2(read_u8(b + uint64_t(2u + eight)), read_u16(b + uint64_t(34u + part * 2u)));
        f.scales.x = read_u16(b);
    } else {
        // IQ1_M
        const uint64_t b = row + uint64_t(block * 56u);
        f.codes.xy = uvec2(read_u8(b + uint64_t(eight)), read_u8(b + uint64_t(32u + (eight >> 1))));
        f.scales.xy = Pair(b + 48ul).v;
    }
    return f;
}

Scaled scaled_iq(const uint type, const Fetched f, uint i) {
    const uint j = i & 255u;
    const uint part = j >> 5;
    const uint s = j >> 4;  // of 16 elements
    const uint eight = j >> 3;
    const uint within = eight & 3u;
    Scaled r = Scaled(uvec2(0), 128.0, 1.0, f16_to_f32(f.scales.x), 0.0);
    if (type == IQ4_XS) {
        const uvec2 codes = (f.codes.xy >> (4u * (s & 1u))) & 0x0F0F0F0Fu;
        const uint scale = nibble(f.scales.z, part & 1u) | ((f.scales.y >> (2u * part)) & 3u) << 4;
        r.bytes = uvec2(iq4_values(codes.x), iq4_values(codes.y)) ^ 0x80808080u;
        r.factor = float(scale) - 32.0;
    } else if (type == IQ2_XXS) {
        r.bytes = with_signs(iq2_levels(table(IQ2_XXS_GRID + f.codes.x)), even_signs((f.codes.y >> (7u * within)) & 127u));
        r.factor = 0.125 * float(2u * (f.codes.y >> 28) + 1u);
    } else if (type == IQ2_XS) {
        r.bytes = with_signs(iq2_levels(table(IQ2_XS_GRID + (f.codes.x & 511u))), even_signs(f.codes.x >> 9));
        r.factor = 0.125 * float(2u * nibble(f.scales.y, s & 1u) + 1u);
    } else if (type == IQ2_S) {
        const uint index = f.codes.x | ((f.codes.y >> (2u * within)) & 3u) << 8;
        r.bytes = with_signs(iq2_levels(table(IQ2_S_GRID + index)), f.codes.z);
        r.factor = 0.125 * float(2u * nibble(f.scales.y, s & 1u) + 1u);
    } else if (type == IQ3_XXS) {
        const uvec2 points = uvec2(table(IQ3_XXS_GRID + (f.codes.x & 255u)), table(IQ3_XXS_GRID + (f.codes.x >> 8)));
        r.bytes = with_signs(iq3_xxs_levels(points), even_signs((f.codes.y >> (7u * within)) & 127u));
        r.factor = 0.25 * float(2u * (f.codes.y >> 28) + 1u);
    } else if (type == IQ3_S) {
        const uint high = f.codes.y >> (2u * within);
        const uvec2 points = uvec2(table(IQ3_S_GRID + ((f.codes.x & 255u) | (high & 1u) << 8)),
                                   table(IQ3_S_GRID + (f.codes.x >> 8 | (high & 2u) << 7)));
        r.bytes = with_signs(iq3_s_levels(points), f.codes.z);
        r.factor = float(2u * nibble(f.scales.y, part & 1u) + 1u);
    } else {
        // Eight times (code - 1 ± 1/8).
        uint index;
        bool lower;
        if (type == IQ1_S) {
            index = f.codes.x | ((f.codes.y >> (3u * within)) & 7u) << 8;
            lower = (f.codes.y & 0x8000u) != 0u;
            r.factor = 0.125 * float(2u * ((f.codes.y >> 12) & 7u) + 1u);
        } else {
            // IQ1_M: four 16-bit words with 12 bits of scales each; their highest bits form the common factor.
            const uvec2 tops = f.scales.xy & 0xF000F000u;
            const uint bits = (tops.x >> 12 & 15u) | (tops.x >> 24 & 0xF0u) | (tops.y >> 4 & 0xF00u) | (tops.y >> 16 & 0xF000u);
            const uint high = nibble(f.codes.y, eight & 1u);
            index = f.codes.x | (high & 7u) << 8;
            lower = (high & 8u) != 0u;
            r.d = f16_to_f32(bits);
            r.factor = 0.125 * float(2u * ((f.scales[s >> 3] >> (16u * ((s >> 2) & 1u) + 3u * (s & 3u))) & 7u) + 1u);
        }
        r.bytes = (spread_twos(table(IQ1_GRID + index)) << 3) + (lower ? 0x77777777u : 0x79797979u);
    }
    return r;
}

Fetched fetch_few(const uint type, uint64_t row, uint i) {
    Fetched f;
    f.codes = uvec4(0);
    f.scales = uvec4(0);
    if (type == NVFP4) {
        const uint64_t b = row + uint64_t((i >> 6) * 36u);
        const uint s = (i >> 4) & 3u;
        f.codes.xy = uvec2(read_u32(b + uint64_t(4u + s * 8u)), read_u32(b + uint64_t(8u + s * 8u)));
        f.scales.x = read_u8(b + uint64_t(s));
    } else if (type == Q1_0) {
        const uint64_t b = row + uint64_t((i >> 7) * 18u);
        f.codes.x = read_u8(b + uint64_t(2u + ((i & 127u) >> 3)));
        f.scales.x = read_u16(b);
    } else if (type == Q2_0) {
        const uint64_t b = row + uint64_t((i >> 6) * 18u);
        f.codes.x = read_u16(b + uint64_t(2u + ((i & 63u) >> 2)));
        f.scales.x = read_u16(b);
    } else if (type == TQ2_0) {
        const uint64_t b = row + uint64_t((i >> 8) * 66u);
        f.codes.xy = read_eight_bytes(b + uint64_t(((i & 255u) >> 7) * 32u + (i & 31u)));
        f.scales.x = read_u16(b + 64ul);
    } else {
        // TQ1_0: five digits each of 32, then of 16 bytes, then four of the last four bytes.
        const uint64_t b = row + uint64_t((i >> 8) * 54u);
        const uint j = i & 255u;
        if (j < 240u) f.codes.xy = read_eight_bytes(b + uint64_t(j < 160u ? j & 31u : 32u + (j & 15u)));
        else f.codes.xy = uvec2(read_u32_halves(b + 48ul));
        f.scales.x = read_u16(b + 52ul);
    }
    return f;
}

Scaled scaled_few(const uint type, const Fetched f, uint i) {
    Scaled r = Scaled(uvec2(0), 1.0, 1.0, 0.0, 0.0);
    r.d = type == NVFP4 ? ue4m3_half(f.scales.x) : f16_to_f32(f.scales.x);
    if (type == NVFP4) {
        const uvec2 codes = (f.codes.xy >> (4u * ((i >> 3) & 1u))) & 0x0F0F0F0Fu;
        r.bytes = uvec2(fp4_values(codes.x), fp4_values(codes.y));
        r.offset = 128.0;
    } else if (type == Q1_0) {
        r.bytes = uvec2(spread_bits(f.codes.x), spread_bits(f.codes.x >> 4)) << 1;
    } else if (type == Q2_0) {
        r.bytes = spread_twos(f.codes.x);
    } else if (type == TQ2_0) {
        r.bytes = (f.codes.xy >> (2u * ((i >> 5) & 3u))) & 0x03030303u;
    } else {
        const uint j = i & 255u;
        const uint digit = j < 160u ? j >> 5 : j < 240u ? (j - 160u) >> 4 : (j - 240u) >> 2;
        r.bytes = uvec2(ternary_digits(f.codes.x, digit), ternary_digits(f.codes.y, j < 240u ? digit : digit + 1u));
    }
    return r;
}

bool is_small(const uint type) {
    return type == Q4_0 || type == Q4_1 || type == Q5_0 || type == Q5_1 || type == Q8_0 || type == IQ4_NL || type == MXFP4;
}
bool is_k(const uint type) { return type >= Q2_K && type <= Q6_K; }
bool is_few(const uint type) {
    return type == NVFP4 || type == Q1_0 || type == Q2_0 || type == TQ1_0 || type == TQ2_0;
}

/// Whether the type has blocks, so that eight elements can be fetched ahead of decoding them.
bool is_quantised(const uint type) {
#if FAMILY == PLAIN_FAMILY
    return false;
#elif FAMILY == ANY_FAMILY
    return type != F32_TYPE && type != F16_TYPE && type != BF16_TYPE && type != I32_TYPE;
#else
    return true;
#endif
}

Fetched fetch_eight(const uint type, uint64_t row, uint i) {
#if FAMILY == SMALL_FAMILY || FAMILY == ANY_FAMILY
    if (is_small(type)) return fetch_small(type, row, i);
#endif
#if FAMILY == K_FAMILY || FAMILY == ANY_FAMILY
    if (is_k(type)) return fetch_k(type, row, i);
#endif
#if FAMILY == FEW_FAMILY || FAMILY == ANY_FAMILY
    if (is_few(type)) return fetch_few(type, row, i);
#endif
#if FAMILY == IQ_FAMILY || FAMILY == ANY_FAMILY
    return fetch_iq(type, row, i);
#else
    return Fetched(uvec4(0), uvec4(0));
#endif
}

Scaled scaled_of(const uint type, const Fetched f, uint i) {
#if FAMILY == SMALL_FAMILY || FAMILY == ANY_FAMILY
    if (is_small(type)) return scaled_small(type, f, i);
#endif
#if FAMILY == K_FAMILY || FAMILY == ANY_FAMILY
    if (is_k(type)) return scaled_k(type, f, i);
#endif
#if FAMILY == FEW_FAMILY || FAMILY == ANY_FAMILY
    if (is_few(type)) return scaled_few(type, f, i);
#endif
#if FAMILY == IQ_FAMILY || FAMILY == ANY_FAMILY
    return scaled_iq(type, f, i);
#else
    return Scaled(uvec2(0), 0.0, 0.0, 0.0, 0.0);
#endif
}

Eight decode_scaled(const Scaled s) {
    Eight r;
    const float d = s.d * s.factor;
    [[unroll]] for (uint e = 0; e < 8; ++e)
        r.v[e] = d * (float((s.bytes[e >> 2] >> (8u * (e & 3u))) & 255u) - s.offset) + s.m;
    return r;
}

/// Element i of a row of a plain type, whose elements are contiguous.
float plain_element(const uint type, uint64_t row, uint i) { return load(type, row + uint64_t(i * bytes_of(type))); }

/// Eight elements from i on, a multiple of eight.
Eight decode_eight(const uint type, uint64_t row, uint i) {
    if (is_quantised(type)) return decode_scaled(scaled_of(type, fetch_eight(type, row, i), i));
    Eight r;
    for (uint e = 0; e < 8; ++e) r.v[e] = plain_element(type, row, i + e);
    return r;
}
