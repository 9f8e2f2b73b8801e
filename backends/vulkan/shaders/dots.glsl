// SPDX-License-Identifier: MIT
// Products of weights and a column quantised to eight bits, 32 elements at a time, by dot products of four packed
// bytes. Debian 12's glslc lacks the extension, so the instruction is declared here.
#extension GL_EXT_spirv_intrinsics : require

/// OpSDot, with DotProduct and DotProductInput4x8BitPacked.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int packed_dot(uint a, uint b, spirv_literal uint format);
int dot4(uint a, uint b) { return packed_dot(a, b, 0); }

/// Elements 4 h … 4 h + 3 are the bytes of v[h], each times d.
struct Rounded {
    uint v[8];
    float d;
    int sums[2];  // of each half
};

/// Sixteen bytes at any address. Reads aligned words that contain some of them.
uvec4 read_sixteen_bytes(uint64_t at) {
    const uint64_t word = at & ~3ul;
    const uint shift = uint(at & 3ul) * 8u;
    uint w[5];
    [[unroll]] for (uint i = 0; i < 4; ++i) w[i] = read_u32(word + uint64_t(4u * i));
    w[4] = read_u32(word + (shift == 0u ? 12ul : 16ul));
    uvec4 words;
    // A shift by 32 is undefined.
    [[unroll]] for (uint i = 0; i < 4; ++i) words[i] = w[i] >> shift | (w[i + 1u] << 1) << (31u - shift);
    return words;
}

#if FAMILY == SMALL_FAMILY
float dot_of_block(const uint type, uint64_t row, uint block, const Rounded x) {
    if (type == Q8_0) {
        const uint64_t b = row + uint64_t(block * 34u);
        const uvec4 first = read_sixteen_bytes(b + 2ul);
        const uvec4 second = read_sixteen_bytes(b + 18ul);
        int sum = 0;
        [[unroll]] for (uint h = 0; h < 4; ++h) sum += dot4(first[h], x.v[h]) + dot4(second[h], x.v[h + 4u]);
        return read_f16(b) * x.d * float(sum);
    }
    const bool five = type == Q5_0 || type == Q5_1;
    const bool has_min = type == Q4_1 || type == Q5_1;
    const uint start = type == MXFP4 ? 1u : (has_min ? 4u : 2u) + (five ? 4u : 0u);
    const uint64_t b = row + uint64_t(block * (start + 16u));
    const uint fifth = five ? read_u32_halves(b + uint64_t(start - 4u)) : 0u;
    const uvec4 words = read_sixteen_bytes(b + uint64_t(start));
    int sum = 0;
    int negative = 0;
    [[unroll]] for (uint h = 0; h < 4; ++h) {
        const uint word = words[h];
        uint low = word & 0x0F0F0F0Fu;
        uint high = (word >> 4) & 0x0F0F0F0Fu;
        if (five) {
            low |= spread_bits(fifth >> (4u * h)) << 4;
            high |= spread_bits(fifth >> (16u + 4u * h)) << 4;
        }
        if (type == IQ4_NL) {
            low = iq4_values(low);
            high = iq4_values(high);
        }
        if (type == MXFP4) {
            // -m is stored as 15 - m, which fits four bits; 15 for each is subtracted below.
            const uint signs = fp4_signs(word);
            const uint codes = fp4_magnitudes(word) ^ fifteens(signs);
            low = codes & 0x0F0F0F0Fu;
            high = (codes >> 4) & 0x0F0F0F0Fu;
            negative += dot4(signs & 0x01010101u, x.v[h]) + dot4((signs >> 4) & 0x01010101u, x.v[h + 4u]);
        }
        sum += dot4(low, x.v[h]) + dot4(high, x.v[h + 4u]);
    }
    const int all = x.sums[0] + x.sums[1];
    if (type == Q4_0) sum -= 8 * all;
    if (type == Q5_0) sum -= 16 * all;
    sum -= 15 * negative;
    const float d = type == MXFP4 ? e8m0_half(read_u8(b)) : read_f16(b);
    const float product = d * float(sum);
    return x.d * (has_min ? product + read_f16(b + 2ul) * float(all) : product);
}
#endif

#if FAMILY == K_FAMILY
float dot_of_block(const uint type, uint64_t row, uint block, const Rounded x) {
    const uint s = block & 7u;  // of the eight parts of a block of 256
    const uint part = s >> 2;
    const uint plane = s & 3u;
    int sums[2] = {0, 0};
    if (type == Q4_K || type == Q5_K) {
        const uint64_t b = row + uint64_t((block >> 3) * (type == Q4_K ? 144u : 176u));
        const uvec4 head = U32x4(b).v;
        const vec2 factors = unpackHalf2x16(head.x);
        const uvec2 scale_min = k_scale_min(head.yzw, s);
        const uint64_t codes = b + uint64_t((type == Q4_K ? 16u : 48u) + (s >> 1) * 32u);
        const uvec4 words[2] = {U32x4(codes).v, U32x4(codes + 16ul).v};
        uvec4 fifth[2] = {uvec4(0), uvec4(0)};
        if (type == Q5_K) {
            fifth[0] = U32x4(b + 16ul).v;
            fifth[1] = U32x4(b + 32ul).v;
        }
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            uint word = (words[h / 4u][h % 4u] >> (4u * (s & 1u))) & 0x0F0F0F0Fu;
            if (type == Q5_K) word |= ((fifth[h / 4u][h % 4u] >> s) & 0x01010101u) << 4;
            sums[0] += dot4(word, x.v[h]);
        }
        return x.d * (factors.x * float(scale_min.x) * float(sums[0]) -
                      factors.y * float(scale_min.y) * float(x.sums[0] + x.sums[1]));
    }
    if (type == Q2_K) {
        const uint64_t b = row + uint64_t((block >> 3) * 84u);
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            const uint codes = read_u32(b + uint64_t(16u + part * 32u + 4u * h));
            sums[h / 4u] += dot4((codes >> (2u * plane)) & 0x03030303u, x.v[h]);
        }
        const uint scales = read_u16(b + uint64_t(2u * s));
        const float d = read_f16(b + 80ul);
        const float m = read_f16(b + 82ul);
        return x.d * (d * float(scales & 15u) * float(sums[0]) - m * float((scales >> 4) & 15u) * float(x.sums[0]) +
                      d * float((scales >> 8) & 15u) * float(sums[1]) - m * float(scales >> 12) * float(x.sums[1]));
    }
    if (type == Q3_K) {
        const uint64_t b = row + uint64_t((block >> 3) * 110u);
        const uvec4 code_words[2] = {read_sixteen_bytes(b + uint64_t(32u + part * 32u)),
                                     read_sixteen_bytes(b + uint64_t(48u + part * 32u))};
        const uvec4 third_words[2] = {read_sixteen_bytes(b), read_sixteen_bytes(b + 16ul)};
        [[unroll]] for (uint h = 0; h < 8; ++h) {
            const uint codes = code_words[h / 4u][h % 4u];
            const uint third = third_words[h / 4u][h % 4u];
            const uint word = ((codes >> (2u * plane)) & 0x03030303u) | ((third >> s) & 0x01010101u) << 2;
            sums[h / 4u] += dot4(word, x.v[h]);
        }
        float total = 0.0;
        [[unroll]] for (uint half_of = 0; half_of < 2; ++half_of) {
            const uint t = 2u * s + half_of;
            const uint packed_low = read_u8(b + uint64_t(96u + (t & 7u)));
            const uint packed_high = read_u8(b + uint64_t(104u + (t & 3u)));
            const uint scale = (t < 8u ? packed_low & 15u : packed_low >> 4) | ((packed_high >> (2u * (t >> 2))) & 3u) << 4;
            total += (float(scale) - 32.0) * float(sums[half_of] - 4 * x.sums[half_of]);
        }
        return read_f16(b + 108ul) * x.d * total;
    }
    // Q6_K
    const uint64_t b = row + uint64_t((block >> 3) * 210u);
    const uint64_t lows = b + uint64_t(part * 64u + (plane & 1u) * 32u);
    const uint64_t uppers = b + uint64_t(128u + part * 32u);
    const uvec4 low_words[2] = {read_sixteen_bytes(lows), read_sixteen_bytes(lows + 16ul)};
    const uvec4 upper_words[2] = {read_sixteen_bytes(uppers), read_sixteen_bytes(uppers + 16ul)};
    [[unroll]] for (uint h = 0; h < 8; ++h) {
        const uint low = low_words[h / 4u][h % 4u] >> (4u * (plane >> 1));
        const uint upper = upper_words[h / 4u][h % 4u] >> (2u * plane);
        sums[h / 4u] += dot4((low & 0x0F0F0F0Fu) | (upper & 0x03030303u) << 4, x.v[h]);
    }
    const float first = float(read_i8(b + uint64_t(192u + 2u * s)));
    const float second = float(read_i8(b + uint64_t(193u + 2u * s)));
    return read_f16(b + 208ul) * x.d *
           (first * float(sums[0] - 32 * x.sums[0]) + second * float(sums[1] - 32 * x.sums[1]));
}
#endif

#if FAMILY == IQ_FAMILY || FAMILY == FEW_FAMILY
float dot_of_block(const uint type, uint64_t row, uint block, const Rounded x) {
    if (type == IQ4_XS) {
        const uint64_t b = row + uint64_t((block >> 3) * 136u);
        const uint part = block & 7u;
        const uvec2 words[2] = {Pair(b + uint64_t(8u + part * 16u)).v, Pair(b + uint64_t(16u + part * 16u)).v};
        int sum = 0;
        [[unroll]] for (uint h = 0; h < 4; ++h) {
            const uint word = words[h / 2u][h % 2u];
            sum += dot4(iq4_values(word & 0x0F0F0F0Fu), x.v[h]) + dot4(iq4_values((word >> 4) & 0x0F0F0F0Fu), x.v[h + 4u]);
        }
        const uint low = nibble(read_u8(b + uint64_t(4u + (part >> 1))), part & 1u);
        const uint high = (read_u16(b + 2ul) >> (2u * part)) & 3u;
        return read_f16(b) * x.d * (float(low | high << 4) - 32.0) * float(sum);
    }
    float total = 0.0;
    [[unroll]] for (uint q = 0; q < 4; ++q) {
        const uint i = block * 32u + q * 8u;
        const Scaled s = scaled_of(type, fetch_eight(type, row, i), i);
        // Bytes that have an offset of 128 become signed; others are small.
        const bool is_signed = s.offset == 128.0;
        const uvec2 codes = is_signed ? s.bytes ^ 0x80808080u : s.bytes;
        int sum = dot4(codes.x, x.v[2u * q]) + dot4(codes.y, x.v[2u * q + 1u]);
        if (!is_signed) sum -= int(s.offset) * (dot4(0x01010101u, x.v[2u * q]) + dot4(0x01010101u, x.v[2u * q + 1u]));
        total += s.d * s.factor * float(sum);
    }
    return x.d * total;
}
#endif
