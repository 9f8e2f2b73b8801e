// SPDX-License-Identifier: MIT
// IM2COL and IM2COL_3D: the patches under a sliding kernel as columns. COL2IM_1D adds columns back together.
#include <algorithm>
#include <array>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"

namespace splitscope::cpu {
namespace {

void compute_im2col(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& image = context.src(1);
    const OpNode& node = context.node;
    const bool flat = node.param(6) == 0;  // one-dimensional: no rows, channels in dimension 1
    const std::int64_t kw = kernel->ne[0];
    const std::int64_t kh = flat ? 1 : kernel->ne[1];
    const std::int64_t channels = image->ne[flat ? 1 : 2];
    const std::int64_t height = flat ? 1 : image->ne[1];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t oy = flat ? 0 : i2;
        const std::int64_t batch = flat ? i2 : i3;
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 0));
        float* to = out;
        for (std::int64_t c = 0; c < channels; ++c) {
            for (std::int64_t ky = 0; ky < kh; ++ky) {
                const std::int64_t iy = oy * node.param(1) + ky * node.param(5) - node.param(3);
                for (std::int64_t kx = 0; kx < kw; ++kx) {
                    const std::int64_t ix = i1 * node.param(0) + kx * node.param(4) - node.param(2);
                    const bool inside = iy >= 0 && iy < height && ix >= 0 && ix < image->ne[0];
                    *to++ = !inside ? 0.0F
                            : flat  ? image.value<float>(ix, c, batch)
                                    : image.value<float>(ix, iy, c, batch);
                }
            }
        }
        store_row(dst, i1, i2, i3, out);
    });
}

/// The last dimension of the volume folds batches and channels, that of the result batches and depth.
void compute_im2col_3d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& kernel = context.src(0);
    const TensorRef& volume = context.src(1);
    const OpNode& node = context.node;
    const std::int64_t channels = node.param(9);
    const std::int64_t depth = dst->ne[3] / (volume->ne[3] / channels);
    const auto source = [&node](std::size_t d, std::int64_t out, std::int64_t k) {
        return out * node.param(d) + k * node.param(6 + d) - node.param(3 + d);
    };
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 0));
        float* to = out;
        for (std::int64_t c = 0; c < channels; ++c) {
            for (std::int64_t kz = 0; kz < kernel->ne[2]; ++kz) {
                const std::int64_t iz = source(2, i3 % depth, kz);
                for (std::int64_t ky = 0; ky < kernel->ne[1]; ++ky) {
                    const std::int64_t iy = source(1, i2, ky);
                    for (std::int64_t kx = 0; kx < kernel->ne[0]; ++kx) {
                        const std::int64_t ix = source(0, i1, kx);
                        const bool inside = ix >= 0 && ix < volume->ne[0] && iy >= 0 && iy < volume->ne[1] &&
                                            iz >= 0 && iz < volume->ne[2];
                        *to++ = inside ? volume.value<float>(ix, iy, iz, i3 / depth * channels + c) : 0.0F;
                    }
                }
            }
        }
        store_row(dst, i1, i2, i3, out);
    });
}

/// Columns hold, for each output channel, the taps of a kernel; they overlap by all but the stride.
void compute_col2im_1d(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& columns = context.src(0);
    const std::int64_t stride = context.node.param(0);
    const std::int64_t padding = context.node.param(2);
    const std::int64_t taps = columns->ne[0] / context.node.param(1);
    const std::int64_t n = dst->ne[0];
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 0));
        std::fill_n(out, n, 0.0F);
        for (std::int64_t t = 0; t < columns->ne[1]; ++t) {
            for (std::int64_t k = 0; k < taps; ++k) {
                const std::int64_t at = t * stride + k - padding;
                float value = 0.0F;
                decode_row(columns->type, columns.at(i1 * taps + k, t, i2, i3), &value, 1);
                if (at >= 0 && at < n) out[at] += value;
            }
        }
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> im2col_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::im2col, {.compute = compute_im2col}},
        {Op::im2col_3d, {.compute = compute_im2col_3d}},
        {Op::col2im_1d, {.compute = compute_col2im_1d}},
    });
    return rows;
}

}  // namespace splitscope::cpu
