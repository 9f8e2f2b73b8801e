// SPDX-License-Identifier: MIT
// Sums, maxima and patches under a sliding window, one invocation per element of the result. KIND: 0 CONV_2D, 1
// CONV_2D_DW, 2 CONV_3D, 3 CONV_TRANSPOSE_1D, 4 CONV_TRANSPOSE_2D, 5 IM2COL, 6 IM2COL_3D, 7 COL2IM_1D, 8 POOL_1D, 9
// POOL_2D.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "node.glsl"
layout(local_size_x = 64) in;

/// Input coordinate of tap k for output element `o` along a dimension.
int tap_at(uint o, int stride, uint k, int dilation, int padding) { return int(o) * stride + int(k) * dilation - padding; }

bool inside(int i, uint n) { return i >= 0 && uint(i) < n; }

/// With an F16 kernel, the input is rounded to F16 too.
float rounded_like_kernel(float x) { return TYPE0 == F16_TYPE ? f16_to_f32(f32_to_f16(x)) : x; }

float convolve_2d(uvec4 c, Tensor kernel, Tensor image) {
    const uint channels = KIND == 1 ? 1u : kernel.ne[2];
    float total = 0.0;
    for (uint i = 0; i < channels; ++i) {
        const uint channel = KIND == 1 ? c.z : i;
        for (uint ky = 0; ky < kernel.ne[1]; ++ky) {
            const int y = tap_at(c.y, node.params[1], ky, node.params[5], node.params[3]);
            if (!inside(y, image.ne[1])) continue;
            for (uint kx = 0; kx < kernel.ne[0]; ++kx) {
                const int x = tap_at(c.x, node.params[0], kx, node.params[4], node.params[2]);
                if (inside(x, image.ne[0]))
                    total += load(TYPE0, ADDRESS(kernel, uvec4(kx, ky, i, c.z))) *
                             read_f32(ADDRESS(image, uvec4(uint(x), uint(y), channel, c.w)));
            }
        }
    }
    return total;
}

/// tap_at() for volumes; `d` is the dimension.
int tap_in_volume(uint d, uint o, uint k) { return tap_at(o, node.params[d], k, node.params[6 + d], node.params[3 + d]); }

/// Kernels and volumes fold their channels into the last dimension.
float convolve_3d(uvec4 c, Tensor kernel, Tensor volume) {
    const uint channels = uint(node.params[9]);
    const uint result = c.w % uint(node.params[11]);
    const uint batch = c.w / uint(node.params[11]);
    float total = 0.0;
    for (uint i = 0; i < channels; ++i) {
        for (uint kz = 0; kz < kernel.ne[2]; ++kz) {
            const int z = tap_in_volume(2u, c.z, kz);
            if (!inside(z, volume.ne[2])) continue;
            for (uint ky = 0; ky < kernel.ne[1]; ++ky) {
                const int y = tap_in_volume(1u, c.y, ky);
                if (!inside(y, volume.ne[1])) continue;
                for (uint kx = 0; kx < kernel.ne[0]; ++kx) {
                    const int x = tap_in_volume(0u, c.x, kx);
                    if (inside(x, volume.ne[0]))
                        total += load(TYPE0, ADDRESS(kernel, uvec4(kx, ky, kz, result * channels + i))) *
                                 read_f32(ADDRESS(volume, uvec4(uint(x), uint(y), uint(z), batch * channels + i)));
                }
            }
        }
    }
    return total;
}

/// Range [x, y) of input elements that contribute to output element `o` with a kernel of `taps`.
uvec2 reaching(uint o, uint taps, uint stride, uint inputs) {
    const uint first = o >= taps ? (o - taps) / stride + 1u : 0u;
    return uvec2(first, min(inputs, o / stride + 1u));
}

float spread_1d(uvec4 c, Tensor kernel, Tensor source) {
    const uint stride = uint(node.params[0]);
    const uvec2 x = reaching(c.x, kernel.ne[0], stride, source.ne[0]);
    float total = 0.0;
    for (uint i = x.x; i < x.y; ++i) {
        const uint k = c.x - i * stride;
        for (uint channel = 0; channel < source.ne[1]; ++channel)
            total += load(TYPE0, ADDRESS(kernel, uvec4(k, c.y, channel, 0))) *
                     rounded_like_kernel(read_f32(ADDRESS(source, uvec4(i, channel, 0, 0))));
    }
    return total;
}

float spread_2d(uvec4 c, Tensor kernel, Tensor source) {
    const uint stride = uint(node.params[0]);
    const uvec2 x = reaching(c.x, kernel.ne[0], stride, source.ne[0]);
    const uvec2 y = reaching(c.y, kernel.ne[1], stride, source.ne[1]);
    float total = 0.0;
    for (uint j = y.x; j < y.y; ++j) {
        for (uint i = x.x; i < x.y; ++i) {
            const uvec2 k = c.xy - uvec2(i, j) * stride;
            for (uint channel = 0; channel < source.ne[2]; ++channel)
                total += load(TYPE0, ADDRESS(kernel, uvec4(k, c.z, channel))) *
                         rounded_like_kernel(read_f32(ADDRESS(source, uvec4(i, j, channel, c.w))));
        }
    }
    return total;
}

/// An element of a patch. A one-dimensional image has one row, and its channels are dimension 1.
float patch_2d(uvec4 c, Tensor kernel, Tensor image) {
    const bool flat_image = node.params[6] == 0;
    const uint kw = kernel.ne[0];
    const uint kh = flat_image ? 1u : kernel.ne[1];
    const uint channel = c.x / (kw * kh);
    const int x = tap_at(c.y, node.params[0], c.x % kw, node.params[4], node.params[2]);
    const int y = flat_image ? 0 : tap_at(c.z, node.params[1], c.x / kw % kh, node.params[5], node.params[3]);
    if (!inside(x, image.ne[0]) || !inside(y, flat_image ? 1u : image.ne[1])) return 0.0;
    return read_f32(ADDRESS(image, flat_image ? uvec4(uint(x), channel, c.z, 0) : uvec4(uint(x), uint(y), channel, c.w)));
}

float patch_3d(uvec4 c, Tensor kernel, Tensor volume, uint planes) {
    const uint channels = uint(node.params[9]);
    const uint depth = planes / (volume.ne[3] / channels);
    const uvec3 size = uvec3(kernel.ne[0], kernel.ne[1], kernel.ne[2]);
    const uint channel = c.x / (size.x * size.y * size.z);
    const int x = tap_in_volume(0u, c.y, c.x % size.x);
    const int y = tap_in_volume(1u, c.z, c.x / size.x % size.y);
    const int z = tap_in_volume(2u, c.w % depth, c.x / (size.x * size.y) % size.z);
    if (!inside(x, volume.ne[0]) || !inside(y, volume.ne[1]) || !inside(z, volume.ne[2])) return 0.0;
    return read_f32(ADDRESS(volume, uvec4(uint(x), uint(y), uint(z), c.w / depth * channels + channel)));
}

/// Columns hold the taps of a kernel for each output channel; they overlap by all but the stride.
float overlap(uvec4 c, Tensor columns) {
    const uint stride = uint(node.params[0]);
    const uint taps = columns.ne[0] / uint(node.params[1]);
    const int at = int(c.x) + node.params[2];
    if (at < 0) return 0.0;
    const uvec2 t = reaching(uint(at), taps, stride, columns.ne[1]);
    float total = 0.0;
    for (uint i = t.x; i < t.y; ++i)
        total += load(TYPE0, ADDRESS(columns, uvec4(c.y * taps + uint(at) - i * stride, i, c.zw)));
    return total;
}

/// Padding counts in the divisor of POOL_2D's average, not in that of POOL_1D.
float pool(uvec4 c, Tensor src) {
    const bool flat_image = KIND == 8;
    const bool average = node.params[0] == 1;
    const uint width = uint(node.params[1]);
    const uint height = flat_image ? 1u : uint(node.params[2]);
    float result = average ? 0.0 : -3.40282346638528859812e38;
    uint counted = 0;
    for (uint ky = 0; ky < height; ++ky) {
        const int y = flat_image ? int(c.y) : tap_at(c.y, node.params[4], ky, 1, node.params[6]);
        if (!inside(y, src.ne[1])) continue;
        for (uint kx = 0; kx < width; ++kx) {
            const int x = tap_at(c.x, flat_image ? node.params[2] : node.params[3], kx, 1, flat_image ? node.params[3] : node.params[5]);
            if (!inside(x, src.ne[0])) continue;
            ++counted;
            const float v = load(TYPE0, ADDRESS(src, uvec4(uint(x), uint(y), c.zw)));
            result = average ? result + v : max(result, v);
        }
    }
    return average ? result / float(flat_image ? max(counted, 1u) : width * height) : result;
}

void main() {
    const Tensor dst = node.dst;
    const Tensor first = node.src[0];
    const Tensor second = node.src[1];
    FOR_ELEMENTS_ACROSS(i, ELEMENTS(dst)) {
        const uvec4 c = COORDINATES(dst, i);
        float value;
        if (KIND <= 1) value = convolve_2d(c, first, second);
        else if (KIND == 2) value = convolve_3d(c, first, second);
        else if (KIND == 3) value = spread_1d(c, first, second);
        else if (KIND == 4) value = spread_2d(c, first, second);
        else if (KIND == 5) value = patch_2d(c, first, second);
        else if (KIND == 6) value = patch_3d(c, first, second, dst.ne[3]);
        else if (KIND == 7) value = overlap(c, first);
        else value = pool(c, first);
        store(TYPED, ADDRESS(dst, c), value);
    }
}
