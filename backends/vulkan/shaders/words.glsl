// SPDX-License-Identifier: MIT
// 8-byte words, for devices where the number of reads matters, not their width.
layout(buffer_reference, std430, buffer_reference_align = 8) buffer U64 { uint64_t v; };
uint64_t read_u64(uint64_t at) { return U64(at).v; }
vec2 read_two(uint64_t at) {
    const uint64_t word = read_u64(at);
    return vec2(uintBitsToFloat(uint(word)), uintBitsToFloat(uint(word >> 32)));
}
void write_two(uint64_t at, float first, float second) {
    U64(at).v = uint64_t(floatBitsToUint(first)) | uint64_t(floatBitsToUint(second)) << 32;
}
