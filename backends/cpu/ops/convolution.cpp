// SPDX-License-Identifier: MIT
// CONV_2D, CONV_2D_DW, CONV_3D, CONV_TRANSPOSE_1D and _2D: sums over a kernel's taps, element by element.
#include <algorithm>
#include <array>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

/// An element of an F32 or F16 kernel.
float tap(const TensorRef& kernel, std::int64_t i0, std::int64_t i1, std::int64_t i2, std::int64_t i3) {
    return kernel->type == ElementType::f32 ? kernel.value<float>(i0, i1, i2, i3)
                                            : f16_to_f32(kernel.value<std::uint16_t>(i0, i1, i2, i3));
}

/// One dimension of a sliding window.
struct Slide {
    std::int64_t stride;
    std::int64_t padding;
    std::int64_t dilation;
    std::int64_t source(std::int64_t out, std::int64_t k) const {
        return out * stride + k * dilation - padding;
    }
};

Slide slide(const OpNode& node, std::size_t first, std::size_t dimensions) {
    return {node.param(first), node.param(first + dimensions), node.param(first + 2 * dimensions)};
}

void compute_conv_2d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& image = context.src(1);
    const Slide x = slide(context.node, 0, 2);
    const Slide y = slide(context.node, 1, 2);
    const bool depthwise = dst->op == Op::conv_2d_dw;
    const std::int64_t channels = depthwise ? 1 : kernel->ne[2];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
            float total = 0.0F;
            for (std::int64_t c = 0; c < channels; ++c) {
                for (std::int64_t ky = 0; ky < kernel->ne[1]; ++ky) {
                    const std::int64_t iy = y.source(i1, ky);
                    if (iy < 0 || iy >= image->ne[1]) continue;
                    for (std::int64_t kx = 0; kx < kernel->ne[0]; ++kx) {
                        const std::int64_t ix = x.source(i0, kx);
                        if (ix < 0 || ix >= image->ne[0]) continue;
                        total +=
                            tap(kernel, kx, ky, c, i2) * image.value<float>(ix, iy, depthwise ? i2 : c, i3);
                    }
                }
            }
            dst.value<float>(i0, i1, i2, i3) = total;
        }
    });
}

/// Kernels and images fold their channels into the last dimension.
void compute_conv_3d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& volume = context.src(1);
    const Slide x = slide(context.node, 0, 3);
    const Slide y = slide(context.node, 1, 3);
    const Slide z = slide(context.node, 2, 3);
    const std::int64_t channels = context.node.param(9);
    const std::int64_t outputs = context.node.param(11);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t output = i3 % outputs;
        const std::int64_t batch = i3 / outputs;
        for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
            float total = 0.0F;
            for (std::int64_t c = 0; c < channels; ++c) {
                for (std::int64_t kz = 0; kz < kernel->ne[2]; ++kz) {
                    const std::int64_t iz = z.source(i2, kz);
                    if (iz < 0 || iz >= volume->ne[2]) continue;
                    for (std::int64_t ky = 0; ky < kernel->ne[1]; ++ky) {
                        const std::int64_t iy = y.source(i1, ky);
                        if (iy < 0 || iy >= volume->ne[1]) continue;
                        for (std::int64_t kx = 0; kx < kernel->ne[0]; ++kx) {
                            const std::int64_t ix = x.source(i0, kx);
                            if (ix < 0 || ix >= volume->ne[0]) continue;
                            total += tap(kernel, kx, ky, kz, output * channels + c) *
                                     volume.value<float>(ix, iy, iz, batch * channels + c);
                        }
                    }
                }
            }
            dst.value<float>(i0, i1, i2, i3) = total;
        }
    });
}

/// With an F16 kernel, the input is rounded to F16.
float rounded_like(const TensorRef& kernel, float value) {
    return kernel->type == ElementType::f16 ? f16_to_f32(f32_to_f16(value)) : value;
}

/// Kernel: taps, outputs, inputs.
void compute_conv_transpose_1d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& input = context.src(1);
    const std::int64_t stride = context.node.param(0);
    for_thread_part(context, dst->ne[1], [&](std::int64_t output) {
        auto* out = dst.row<float>(output, 0, 0);
        std::fill_n(out, dst->ne[0], 0.0F);
        for (std::int64_t i = 0; i < input->ne[0]; ++i) {
            for (std::int64_t k = 0; k < kernel->ne[0]; ++k) {
                float total = 0.0F;
                for (std::int64_t c = 0; c < input->ne[1]; ++c) {
                    total += tap(kernel, k, output, c, 0) * rounded_like(kernel, input.value<float>(i, c));
                }
                out[i * stride + k] += total;
            }
        }
    });
}

/// Kernel: taps across, taps down, outputs, inputs.
void compute_conv_transpose_2d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& input = context.src(1);
    const std::int64_t stride = context.node.param(0);
    const Range mine = context.thread_part(dst->ne[2] * dst->ne[3]);
    for (std::int64_t plane = mine.first; plane < mine.last; ++plane) {
        const std::int64_t output = plane % dst->ne[2];
        const std::int64_t batch = plane / dst->ne[2];
        for (std::int64_t row = 0; row < dst->ne[1]; ++row) {
            std::fill_n(dst.row<float>(row, output, batch), dst->ne[0], 0.0F);
        }
        for (std::int64_t iy = 0; iy < input->ne[1]; ++iy) {
            if (context.should_stop()) return;
            for (std::int64_t ix = 0; ix < input->ne[0]; ++ix) {
                for (std::int64_t ky = 0; ky < kernel->ne[1]; ++ky) {
                    for (std::int64_t kx = 0; kx < kernel->ne[0]; ++kx) {
                        float total = 0.0F;
                        for (std::int64_t c = 0; c < input->ne[2]; ++c) {
                            total += tap(kernel, kx, ky, output, c) *
                                     rounded_like(kernel, input.value<float>(ix, iy, c, batch));
                        }
                        dst.value<float>(ix * stride + kx, iy * stride + ky, output, batch) += total;
                    }
                }
            }
        }
    }
}

std::int64_t planes(const OpNode& node) {
    return node.dst->ne[2] * node.dst->ne[3];
}
std::int64_t rows_of_plane(const OpNode& node) {
    return node.dst->ne[1];
}

}  // namespace

std::span<const KernelRow> convolution_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::conv_2d, {.compute = compute_conv_2d}},
        {Op::conv_2d_dw, {.compute = compute_conv_2d}},
        {Op::conv_3d, {.compute = compute_conv_3d}},
        {Op::conv_transpose_1d, {.compute = compute_conv_transpose_1d, .max_tasks = rows_of_plane}},
        {Op::conv_transpose_2d, {.compute = compute_conv_transpose_2d, .max_tasks = planes}},
    });
    return rows;
}

}  // namespace splitscope::cpu
