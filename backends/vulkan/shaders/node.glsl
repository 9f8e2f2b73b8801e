// SPDX-License-Identifier: MIT
// Input of every shader: its node, laid out as NodeBlock in node_block.hpp.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : enable

// Element types (numbers of ElementType) of sources 0 … 2 and of the result, the kind of the operation, and
// constants defined by each shader. All are always specialised; defaults only give arrays a size.
layout(constant_id = 0) const uint TYPE0 = 0;
layout(constant_id = 1) const uint TYPE1 = 0;
layout(constant_id = 2) const uint TYPE2 = 0;
layout(constant_id = 3) const uint TYPED = 0;
layout(constant_id = 4) const uint KIND = 0;
layout(constant_id = 5) const uint OPTION0 = 0;
layout(constant_id = 6) const uint OPTION1 = 1;
layout(constant_id = 7) const uint OPTION2 = 1;
layout(constant_id = 8) const uint OPTION3 = 64;
layout(constant_id = 9) const uint OPTION4 = 64;
layout(constant_id = 10) const uint OPTION5 = 1;
layout(constant_id = 11) const uint OPTION6 = 1;
layout(constant_id = 12) const uint OPTION7 = 64;
layout(constant_id = 13) const uint OPTION8 = 2;
layout(constant_id = 14) const uint OPTION9 = 2;

struct Tensor {
    uint64_t data;
    uint ne[4];
    uint nb[4];
};

layout(set = 0, binding = 0, std430) uniform Node {
    Tensor dst;
    Tensor src[7];
    uint64_t tables;
    uint64_t fault;
    int params[16];
    uint id;
    uint unused;
    uint64_t scratch;
    Tensor more[7];
} node;

layout(buffer_reference, std430, buffer_reference_align = 1) buffer U8 { uint8_t v; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer U16 { uint16_t v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer U32 { uint v; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer F32 { float v; };

const uint F32_TYPE = 0, F16_TYPE = 1, BF16_TYPE = 30, I8_TYPE = 24, I16_TYPE = 25, I32_TYPE = 26, I64_TYPE = 27;

#define INFINITY uintBitsToFloat(0x7F800000u)

float param(uint i) { return intBitsToFloat(node.params[i]); }

uint read_u8(uint64_t at) { return uint(U8(at).v); }
int read_i8(uint64_t at) { return (int(U8(at).v) << 24) >> 24; }
uint read_u16(uint64_t at) { return uint(U16(at).v); }
uint read_u32(uint64_t at) { return U32(at).v; }
/// For blocks that are only 2-byte aligned.
uint read_u32_halves(uint64_t at) { return read_u16(at) | read_u16(at + 2ul) << 16; }
float read_f32(uint64_t at) { return F32(at).v; }

float f16_to_f32(uint h) { return unpackHalf2x16(h).x; }
float read_f16(uint64_t at) { return f16_to_f32(read_u16(at)); }

/// Rounds to nearest, ties to even.
uint f32_to_f16(float value) {
    const uint bits = floatBitsToUint(value);
    const uint sign = (bits >> 16) & 0x8000u;
    const uint magnitude = bits & 0x7FFFFFFFu;
    uint half_bits;
    if (magnitude > 0x7F800000u) half_bits = 0x7E00u;
    else if (magnitude >= 0x477FF000u) half_bits = 0x7C00u;
    else if (magnitude >= 0x38800000u) half_bits = (magnitude - 0x38000000u + 0x0FFFu + ((magnitude >> 13) & 1u)) >> 13;
    else half_bits = floatBitsToUint(uintBitsToFloat(magnitude) + 0.5) - 0x3F000000u;
    return sign | half_bits;
}

uint f32_to_bf16(float value) {
    const uint bits = floatBitsToUint(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return (bits >> 16) | 0x40u;
    return (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
}

/// Bytes of an element of a plain type.
uint bytes_of(const uint type) {
    if (type == F32_TYPE || type == I32_TYPE) return 4;
    if (type == I64_TYPE) return 8;
    return type == I8_TYPE ? 1 : 2;
}

/// An element of a plain type as a float.
float load(const uint type, uint64_t at) {
    if (type == F32_TYPE) return read_f32(at);
    if (type == F16_TYPE) return read_f16(at);
    if (type == BF16_TYPE) return uintBitsToFloat(read_u16(at) << 16);
    if (type == I32_TYPE || type == I64_TYPE) return float(int(read_u32(at)));
    if (type == I16_TYPE) return float((int(read_u16(at)) << 16) >> 16);
    return float(read_i8(at));
}

void store(const uint type, uint64_t at, float value) {
    if (type == F32_TYPE) F32(at).v = value;
    else if (type == F16_TYPE) U16(at).v = uint16_t(f32_to_f16(value));
    else if (type == BF16_TYPE) U16(at).v = uint16_t(f32_to_bf16(value));
    else if (type == I32_TYPE) U32(at).v = uint(int(value));
    else if (type == I64_TYPE) {
        U32(at).v = uint(int(value));
        U32(at + 4ul).v = value < 0.0 ? 0xFFFFFFFFu : 0u;
    } else if (type == I16_TYPE) U16(at).v = uint16_t(uint(int(value)) & 0xFFFFu);
    else U8(at).v = uint8_t(uint(int(value)) & 0xFFu);
}

/// Copies an element of this size unchanged.
void move(const uint bytes, uint64_t from, uint64_t to) {
    if (bytes == 4) U32(to).v = U32(from).v;
    else if (bytes == 2) U16(to).v = U16(from).v;
    else if (bytes == 1) U8(to).v = U8(from).v;
    else {
        U32(to).v = U32(from).v;
        U32(to + 4ul).v = U32(from + 4ul).v;
    }
}

/// An index; -1 for 64-bit ones that are negative or do not fit 32 bits.
int load_index(const uint type, uint64_t at) {
    if (type == I64_TYPE && read_u32(at + 4ul) != 0u) return -1;
    return int(read_u32(at));
}

/// Records that an index of this node is out of range.
void report_fault() { U32(node.fault).v = node.id; }

/// Coordinates of element `i` of a shape, in logical order.
uvec4 coordinates(uint i, uint ne0, uint ne1, uint ne2) {
    const uint i1 = i / ne0;
    const uint i2 = i1 / ne1;
    return uvec4(i % ne0, i1 % ne1, i2 % ne2, i2 / ne2);
}

#define OFFSET(t, c) ((c).x * (t).nb[0] + (c).y * (t).nb[1] + (c).z * (t).nb[2] + (c).w * (t).nb[3])
#define ADDRESS(t, c) ((t).data + uint64_t(OFFSET(t, c)))
#define ELEMENTS(t) ((t).ne[0] * (t).ne[1] * (t).ne[2] * (t).ne[3])
#define COORDINATES(t, i) coordinates(i, (t).ne[0], (t).ne[1], (t).ne[2])
/// Loops over the elements of a tensor with all invocations of the dispatch.
#define FOR_ELEMENTS(i, count) \
    for (uint i = gl_GlobalInvocationID.x; i < (count); i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
/// For dispatches in two dimensions.
#define FOR_ELEMENTS_ACROSS(i, count)                                                                     \
    for (uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x; \
         i < (count); i += gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x)
