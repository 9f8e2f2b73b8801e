// SPDX-License-Identifier: MIT
// Reads and writes of 16 bytes, for devices where their number determines latency. Addresses must be multiples of 16.
layout(buffer_reference, std430, buffer_reference_align = 16) buffer F32x4 { vec4 v; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer U32x4 { uvec4 v; };
