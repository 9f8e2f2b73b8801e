// SPDX-License-Identifier: MIT
// Decodes CHUNK elements of a row at once from 8-byte words, for devices where the number of reads matters, not
// their width. Buffers are padded, so that words may begin before a block and end after it.
#include "words.glsl"
#define CHUNK 32u

/// Elements are d · v + m.
struct Chunk {
    float v[CHUNK];
    float d;
    float m;
};
/// Whether m is not 0 for TYPE0.
const bool HAS_OFFSET = TYPE0 == Q4_0 || TYPE0 == Q4_1 || TYPE0 == Q5_0 || TYPE0 == Q5_1 || TYPE0 == Q4_K || TYPE0 == Q5_K;

/// The `bytes` bytes at `at` as `words` 8-byte words, from aligned reads of words that contain some of them; only the
/// last one may be unnecessary.
#define READ_WORDS(name, at, words, bytes)                                                                    \
    uint64_t name[words];                                                                                     \
    {                                                                                                         \
        const uint64_t aligned = (at) & ~7ul;                                                                 \
        const uint shift = uint((at) & 7ul) * 8u;                                                             \
        const uint end = (uint((at) & 7ul) + (bytes) - 1u) & ~7u;                                             \
        [[unroll]] for (uint i = 0; i < words - 1u; ++i) name[i] = read_u64(aligned + uint64_t(8u * i));       \
        name[words - 1u] = read_u64(aligned + uint64_t(end));                                                 \
        [[unroll]] for (uint i = 0; i < words; ++i) {                                                         \
            const uint64_t next = i + 1u < words ? name[min(i + 1u, words - 1u)] : 0ul;                       \
            if (shift != 0u) name[i] = (name[i] >> shift) | (next << (64u - shift));                          \
        }                                                                                                     \
    }
/// Four bytes at constant byte offset `o` of an array of words.
#define FOUR_BYTES(name, o)                                                                                   \
    (((o) & 7u) <= 4u ? uint(name[(o) / 8u] >> (8u * ((o) & 7u)))                                             \
                      : uint(name[(o) / 8u] >> (8u * ((o) & 7u))) | uint(name[(o) / 8u + 1u] << (64u - 8u * ((o) & 7u))))
#define BYTE_OF(name, o) (uint(name[(o) / 8u] >> (8u * ((o) & 7u))) & 255u)
#define HALF_OF(name, o) (uint(name[(o) / 8u] >> (8u * ((o) & 7u))) & 0xFFFFu)

uint byte_at(uint word, uint e) { return (word >> (8u * e)) & 255u; }
float signed_at(uint word, uint e) { return float((int(word << (24u - 8u * e))) >> 24); }

#if FAMILY == SMALL_FAMILY
/// Blocks of 32 with 4 or 5 bits: a scale, perhaps a minimum, perhaps the fifth bits, then the low four.
#define DECODE_BITS(words, bytes, start)                                                                      \
    {                                                                                                         \
        READ_WORDS(b, row + uint64_t((k >> 5) * bytes), words, bytes)                                         \
        const bool five = TYPE0 == Q5_0 || TYPE0 == Q5_1;                                                     \
        r.d = f16_to_f32(HALF_OF(b, 0u));                                                                     \
        if (TYPE0 == Q4_1 || TYPE0 == Q5_1) r.m = f16_to_f32(HALF_OF(b, 2u));                                 \
        if (TYPE0 == Q4_0 || TYPE0 == Q5_0) r.m = r.d * (TYPE0 == Q4_0 ? -8.0 : -16.0);                       \
        const uint fifth = five ? FOUR_BYTES(b, max(start, 4u) - 4u) : 0u;                                            \
        [[unroll]] for (uint h = 0; h < 4; ++h) {                                                             \
            const uint word = FOUR_BYTES(b, start + 4u * h);                                                  \
            [[unroll]] for (uint e = 0; e < 4; ++e) {                                                         \
                const uint i = 4u * h + e;                                                                    \
                const uint low = ((word >> (8u * e)) & 15u) | ((fifth >> i) & 1u) << 4;                       \
                const uint high = ((word >> (8u * e + 4u)) & 15u) | ((fifth >> (i + 16u)) & 1u) << 4;         \
                r.v[i] = TYPE0 == IQ4_NL ? iq4_value(low) : float(int(low));                                  \
                r.v[i + 16u] = TYPE0 == IQ4_NL ? iq4_value(high) : float(int(high));                          \
            }                                                                                                 \
        }                                                                                                     \
        return r;                                                                                             \
    }
#endif

/// Elements k … k + CHUNK - 1; k is a multiple of CHUNK. Signed numbers become floats in fewer instructions.
Chunk decode_codes(uint64_t row, uint k) {
    Chunk r;
    r.d = 1.0;
    r.m = 0.0;
#if FAMILY == SMALL_FAMILY
    if (TYPE0 == Q4_0 || TYPE0 == IQ4_NL) DECODE_BITS(3u, 18u, 2u)
    if (TYPE0 == Q4_1) DECODE_BITS(3u, 20u, 4u)
    if (TYPE0 == Q5_0) DECODE_BITS(4u, 22u, 6u)
    if (TYPE0 == Q5_1) DECODE_BITS(3u, 24u, 8u)
    if (TYPE0 == Q8_0) {
        READ_WORDS(b, row + uint64_t((k >> 5) * 34u), 5u, 34u)
        r.d = f16_to_f32(HALF_OF(b, 0u));
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            const uint word = FOUR_BYTES(b, 2u + 4u * h);
            [[unroll]] for (uint e = 0; e < 4; ++e) r.v[4u * h + e] = signed_at(word, e);
        }
        return r;
    }
#endif
#if FAMILY == K_FAMILY
    const uint64_t block = row + uint64_t((k >> 8) * (TYPE0 == Q4_K ? 144u : TYPE0 == Q5_K ? 176u : 210u));
    const uint s = (k >> 5) & 7u;  // of the eight parts of a block
    if (TYPE0 == Q4_K || TYPE0 == Q5_K) {
        READ_WORDS(head, block, 2u, 16u)
        const uint64_t packed_scales = (head[0] >> 32) | (head[1] << 32);  // the first eight bytes of twelve
        const uint last = uint(head[1] >> 32);
        const uint t = s & 3u;
        const uint a = uint(packed_scales >> (8u * t)) & 255u;
        const uint c = uint(packed_scales >> (32u + 8u * t)) & 255u;
        const uint e4 = (last >> (8u * t)) & 255u;
        const uint scale = s < 4u ? a & 63u : (e4 & 15u) | (a >> 6) << 4;
        const uint minimum = s < 4u ? c & 63u : (e4 >> 4) | (c >> 6) << 4;
        r.d = f16_to_f32(uint(head[0]) & 0xFFFFu) * float(int(scale));
        r.m = -f16_to_f32(uint(head[0] >> 16) & 0xFFFFu) * float(int(minimum));
        READ_WORDS(codes, block + uint64_t((TYPE0 == Q4_K ? 16u : 48u) + (s >> 1) * 32u), 4u, 32u)
        uint64_t fifth[4] = {0ul, 0ul, 0ul, 0ul};
        if (TYPE0 == Q5_K) {
            READ_WORDS(bits, block + 16ul, 4u, 32u)
            [[unroll]] for (uint i = 0; i < 4; ++i) fifth[i] = bits[i] >> s;
        }
        const uint side = (s & 1u) * 4u;
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            const uint word = FOUR_BYTES(codes, 4u * h) >> side;
            const uint five = FOUR_BYTES(fifth, 4u * h);
            [[unroll]] for (uint e = 0; e < 4; ++e)
                r.v[4u * h + e] = float(int(((word >> (8u * e)) & 15u) | ((five >> (8u * e)) & 1u) << 4));
        }
        return r;
    }
    if (TYPE0 == Q6_K) {
        const uint part = s >> 2;
        const uint plane = s & 3u;
        READ_WORDS(low, block + uint64_t(part * 64u + (plane & 1u) * 32u), 5u, 32u)
        READ_WORDS(upper, block + uint64_t(128u + part * 32u), 5u, 32u)
        const uint scales = read_u16(block + uint64_t(192u + 2u * s));
        const float d = read_f16(block + 208ul);
        const float first = d * signed_at(scales, 0u);
        const float second = d * signed_at(scales, 1u);
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            const uint bits = FOUR_BYTES(low, 4u * h) >> (4u * (plane >> 1));
            const uint high = FOUR_BYTES(upper, 4u * h) >> (2u * plane);
            [[unroll]] for (uint e = 0; e < 4; ++e) {
                const uint code = ((bits >> (8u * e)) & 15u) | ((high >> (8u * e)) & 3u) << 4;
                r.v[4u * h + e] = (h < 4u ? first : second) * float(int(code) - 32);
            }
        }
        return r;
    }
#endif
#if FAMILY == PLAIN_FAMILY
    if (TYPE0 == F32_TYPE) {
        READ_WORDS(words, row + uint64_t(k * 4u), 17u, 128u)
        [[unroll]] for (uint i = 0; i < CHUNK; ++i) r.v[i] = uintBitsToFloat(FOUR_BYTES(words, 4u * i));
        return r;
    }
    if (TYPE0 == F16_TYPE || TYPE0 == BF16_TYPE) {
        READ_WORDS(words, row + uint64_t(k * 2u), 9u, 64u)
        [[unroll]] for (uint i = 0; i < CHUNK; i += 2u) {
            const uint pair = FOUR_BYTES(words, 2u * i);
            const vec2 two = TYPE0 == F16_TYPE ? unpackHalf2x16(pair)
                                               : vec2(uintBitsToFloat(pair << 16), uintBitsToFloat(pair & 0xFFFF0000u));
            r.v[i] = two.x;
            r.v[i + 1u] = two.y;
        }
        return r;
    }
#endif
    [[unroll]] for (uint i = 0; i < CHUNK; i += 8u) {
        const Eight eight = decode_eight(TYPE0, row, k + i);
        [[unroll]] for (uint e = 0; e < 8; ++e) r.v[i + e] = eight.v[e];
    }
    return r;
}

Chunk decode_chunk(uint64_t row, uint k) {
    Chunk r = decode_codes(row, k);
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) r.v[e] = r.d * r.v[e] + r.m;
    return r;
}
