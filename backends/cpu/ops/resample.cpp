// SPDX-License-Identifier: MIT
// POOL_1D and POOL_2D over windows, and UPSCALE by nearest, bilinear or bicubic interpolation.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/ops/params.hpp"

namespace splitscope::cpu {
namespace {

void compute_pool(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const PoolParams pool(*dst);
    const bool flat = dst->op == Op::pool_1d;
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        auto* out = dst.row<float>(i1, i2, i3);
        std::fill_n(out, dst->ne[0], pool.average ? 0.0F : -std::numeric_limits<float>::max());
        for (std::int64_t ky = 0; ky < pool.height; ++ky) {
            const std::int64_t iy = flat ? i1 : i1 * pool.step_y + ky - pool.pad_y;
            if (iy < 0 || iy >= src->ne[1]) continue;
            const float* row = load_row(src, iy, i2, i3, scratch_row(context, 0));
            for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
                for (std::int64_t kx = 0; kx < pool.width; ++kx) {
                    const std::int64_t ix = i0 * pool.step_x + kx - pool.pad_x;
                    if (ix < 0 || ix >= src->ne[0]) continue;
                    out[i0] = pool.average ? out[i0] + row[ix] : std::max(out[i0], row[ix]);
                }
            }
        }
        if (!pool.average) return;
        for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
            const std::int64_t first = i0 * pool.step_x - pool.pad_x;
            const std::int64_t inside =
                std::min(first + pool.width, src->ne[0]) - std::max<std::int64_t>(first, 0);
            out[i0] /=
                static_cast<float>(flat ? std::max<std::int64_t>(inside, 1) : pool.width * pool.height);
        }
    });
}

/// How one dimension of the result maps to the source.
struct Axis {
    Axis(std::int64_t out, std::int64_t in, bool corners) : size(in), offset(corners ? 0.0F : 0.5F) {
        factor = corners && in > 1 && out > 1 ? static_cast<float>(out - 1) / static_cast<float>(in - 1)
                                              : static_cast<float>(out) / static_cast<float>(in);
    }
    float position(std::int64_t i) const { return (static_cast<float>(i) + offset) / factor - offset; }
    std::int64_t nearest(std::int64_t i) const {
        return std::clamp(static_cast<std::int64_t>(static_cast<float>(i) / factor), std::int64_t{0},
                          size - 1);
    }
    std::int64_t inside(std::int64_t i) const { return std::clamp(i, std::int64_t{0}, size - 1); }

    std::int64_t size;
    float offset;
    float factor;
};

float bilinear(const TensorRef& src, const Axis& x, const Axis& y, std::int64_t i0, std::int64_t i1,
               std::int64_t i2, std::int64_t i3) {
    const float px = x.position(i0);
    const float py = y.position(i1);
    const std::int64_t x0 = x.inside(static_cast<std::int64_t>(std::floor(px)));
    const std::int64_t y0 = y.inside(static_cast<std::int64_t>(std::floor(py)));
    const std::int64_t x1 = x.inside(static_cast<std::int64_t>(std::floor(px)) + 1);
    const std::int64_t y1 = y.inside(static_cast<std::int64_t>(std::floor(py)) + 1);
    const float dx = std::clamp(px - static_cast<float>(x0), 0.0F, 1.0F);
    const float dy = std::clamp(py - static_cast<float>(y0), 0.0F, 1.0F);
    const auto at = [&](std::int64_t j0, std::int64_t j1) { return src.value<float>(j0, j1, i2, i3); };
    return at(x0, y0) * (1.0F - dx) * (1.0F - dy) + at(x1, y0) * dx * (1.0F - dy) +
           at(x0, y1) * (1.0F - dx) * dy + at(x1, y1) * dx * dy;
}

/// A triangle over as many source elements as one result element covers.
float antialiased(const TensorRef& src, const Axis& x, const Axis& y, std::int64_t i0, std::int64_t i1,
                  std::int64_t i2, std::int64_t i3) {
    const auto window = [](const Axis& a, std::int64_t i) {
        const float support = std::max(1.0F, 1.0F / a.factor);
        const float centre = (static_cast<float>(i) + a.offset) / a.factor;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - support + a.offset));
        const auto last =
            std::min<std::int64_t>(a.size, static_cast<std::int64_t>(centre + support + a.offset));
        return std::tuple(support, centre, first, last);
    };
    const auto weight = [](const Axis& a, std::int64_t i, float centre, float support) {
        return std::max(1.0F - std::fabs((static_cast<float>(i) - centre + a.offset) / support), 0.0F);
    };
    const auto [support_x, centre_x, first_x, last_x] = window(x, i0);
    const auto [support_y, centre_y, first_y, last_y] = window(y, i1);
    float total = 0.0F;
    float weights = 0.0F;
    for (std::int64_t j1 = first_y; j1 < last_y; ++j1) {
        const float wy = weight(y, j1, centre_y, support_y);
        for (std::int64_t j0 = first_x; j0 < last_x; ++j0) {
            const float w = weight(x, j0, centre_x, support_x) * wy;
            total += src.value<float>(j0, j1, i2, i3) * w;
            weights += w;
        }
    }
    return weights > 0.0F ? total / weights : 0.0F;
}

/// Weights of the four neighbours at distance 1 + t, t, 1 − t, 2 − t; the cubic with a = −0.75.
std::array<float, 4> cubic_weights(float t) {
    constexpr float a = -0.75F;
    const auto near = [](float d) { return ((a + 2.0F) * d - (a + 3.0F)) * d * d + 1.0F; };
    const auto far = [](float d) { return ((a * d - 5.0F * a) * d + 8.0F * a) * d - 4.0F * a; };
    return {far(t + 1.0F), near(t), near(1.0F - t), far(2.0F - t)};
}

float bicubic(const TensorRef& src, const Axis& x, const Axis& y, std::int64_t i0, std::int64_t i1,
              std::int64_t i2, std::int64_t i3) {
    const float px = x.position(i0);
    const float py = y.position(i1);
    const auto x0 = static_cast<std::int64_t>(std::floor(px));
    const auto y0 = static_cast<std::int64_t>(std::floor(py));
    const auto wx = cubic_weights(px - static_cast<float>(x0));
    const auto wy = cubic_weights(py - static_cast<float>(y0));
    float total = 0.0F;
    for (std::size_t j = 0; j < 4; ++j) {
        const std::int64_t row = y.inside(y0 - 1 + static_cast<std::int64_t>(j));
        float line = 0.0F;
        for (std::size_t i = 0; i < 4; ++i) {
            line += wx[i] * src.value<float>(x.inside(x0 - 1 + static_cast<std::int64_t>(i)), row, i2, i3);
        }
        total += wy[j] * line;
    }
    return total;
}

void compute_upscale(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int32_t flags = context.node.param(0);
    const std::int32_t mode = flags & 255;
    const bool corners = (flags & kAlignCorners) != 0;
    const Axis x(dst->ne[0], src->ne[0], corners);
    const Axis y(dst->ne[1], src->ne[1], corners);
    const Axis z(dst->ne[2], src->ne[2], false);
    const Axis w(dst->ne[3], src->ne[3], false);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t j2 = z.nearest(i2);
        const std::int64_t j3 = w.nearest(i3);
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
            if (mode == kNearest) {
                out[i0] = src.value<float>(x.nearest(i0), y.nearest(i1), j2, j3);
            } else if (mode == kBicubic) {
                out[i0] = bicubic(src, x, y, i0, i1, j2, j3);
            } else if ((flags & kAntialias) != 0) {
                out[i0] = antialiased(src, x, y, i0, i1, j2, j3);
            } else {
                out[i0] = bilinear(src, x, y, i0, i1, j2, j3);
            }
        }
    });
}

}  // namespace

std::span<const KernelRow> resample_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::pool_1d, {.compute = compute_pool}},
        {Op::pool_2d, {.compute = compute_pool}},
        {Op::upscale, {.compute = compute_upscale}},
    });
    return rows;
}

}  // namespace splitscope::cpu
