// SPDX-License-Identifier: MIT
// Rearranged elements: CONCAT, REPEAT, PAD, PAD_REFLECT_1D, ROLL, WIN_PART, WIN_UNPART, GET_REL_POS.
#include <array>
#include <cstring>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

std::size_t element_bytes(const TensorRef& t) {
    return static_cast<std::size_t>(traits_of(t->type).block_bytes);
}

/// n elements of a row, from and to any stride.
void copy_elements(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride,
                   std::int64_t n, std::size_t bytes) {
    if (from_stride == static_cast<std::int64_t>(bytes) && to_stride == from_stride) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * bytes);
        return;
    }
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

void compute_concat(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& a = context.src(0);
    const TensorRef& b = context.src(1);
    const auto dimension = static_cast<std::size_t>(context.node.param(0));
    const std::size_t bytes = element_bytes(dst);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        std::byte* out = dst.at(i1, i2, i3);
        if (dimension == 0) {
            copy_elements(a.at(i1, i2, i3), a->nb[0], out, dst->nb[0], a->ne[0], bytes);
            copy_elements(b.at(i1, i2, i3), b->nb[0], out + a->ne[0] * dst->nb[0], dst->nb[0], b->ne[0],
                          bytes);
            return;
        }
        std::array<std::int64_t, 4> i{0, i1, i2, i3};
        const bool second = i[dimension] >= a->ne[dimension];
        if (second) i[dimension] -= a->ne[dimension];
        const TensorRef& source = second ? b : a;
        copy_elements(source.at(i[1], i[2], i[3]), source->nb[0], out, dst->nb[0], dst->ne[0], bytes);
    });
}

void compute_repeat(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::size_t bytes = element_bytes(dst);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::byte* from = src.at(i1 % src->ne[1], i2 % src->ne[2], i3 % src->ne[3]);
        for (std::int64_t i = 0; i < dst->ne[0]; i += src->ne[0]) {
            copy_elements(from, src->nb[0], dst.at(i, i1, i2, i3), dst->nb[0], src->ne[0], bytes);
        }
    });
}

/// i modulo n, for any sign of i.
std::int64_t wrapped(std::int64_t i, std::int64_t n) {
    return (i % n + n) % n;
}

/// Zeros, or the elements around the corner, on both sides of each dimension.
void compute_pad(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const bool circular = context.node.param(8) != 0;
    const auto before = [&context](std::size_t d) -> std::int64_t { return context.node.param(2 * d); };
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        std::array<std::int64_t, 4> i{0, i1 - before(1), i2 - before(2), i3 - before(3)};
        bool inside = true;
        for (std::size_t d = 1; d < 4; ++d) {
            if (circular) i[d] = wrapped(i[d], src->ne[d]);
            inside = inside && i[d] >= 0 && i[d] < src->ne[d];
        }
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i0 = 0; i0 < dst->ne[0]; ++i0) {
            std::int64_t from = i0 - before(0);
            if (circular) from = wrapped(from, src->ne[0]);
            out[i0] =
                inside && from >= 0 && from < src->ne[0] ? src.value<float>(from, i[1], i[2], i[3]) : 0.0F;
        }
    });
}

void compute_pad_reflect(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int64_t left = context.node.param(0);
    const std::int64_t last = src->ne[0] - 1;
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
            std::int64_t from = i - left;
            if (from < 0) from = -from;
            if (from > last) from = 2 * last - from;
            out[i] = src.value<float>(from, i1, i2, i3);
        }
    });
}

void compute_roll(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const auto shift = [&context](std::size_t d) -> std::int64_t { return context.node.param(d); };
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t j1 = wrapped(i1 - shift(1), src->ne[1]);
        const std::int64_t j2 = wrapped(i2 - shift(2), src->ne[2]);
        const std::int64_t j3 = wrapped(i3 - shift(3), src->ne[3]);
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
            out[i] = src.value<float>(wrapped(i - shift(0), src->ne[0]), j1, j2, j3);
        }
    });
}

/// Square windows of an image, row by row; zero beyond its edges.
void compute_win_part(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int64_t across = context.node.param(0);
    const std::int64_t size = context.node.param(2);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t x = i3 % across * size + i1;
        const std::int64_t y = i3 / across * size + i2;
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
            out[i] = x < src->ne[1] && y < src->ne[2] ? src.value<float>(i, x, y) : 0.0F;
        }
    });
}

void compute_win_unpart(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const std::int64_t size = context.node.param(0);
    const std::int64_t across = (dst->ne[1] + size - 1) / size;
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        auto* out = dst.row<float>(i1, i2, i3);
        for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
            out[i] = src.value<float>(i, i1 % size, i2 % size, i2 / size * across + i1 / size);
        }
    });
}

/// Row for each pair of positions, by their distance.
void compute_get_rel_pos(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t distance = dst->ne[1] - 1 - i1 + i2;
        copy_elements(src.at(distance, 0, 0), src->nb[0], dst.at(i1, i2, i3), dst->nb[0], dst->ne[0],
                      element_bytes(dst));
    });
}

}  // namespace

std::span<const KernelRow> arrange_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::concat, {.compute = compute_concat}},
        {Op::repeat, {.compute = compute_repeat}},
        {Op::pad, {.compute = compute_pad}},
        {Op::pad_reflect_1d, {.compute = compute_pad_reflect}},
        {Op::roll, {.compute = compute_roll}},
        {Op::win_part, {.compute = compute_win_part}},
        {Op::win_unpart, {.compute = compute_win_unpart}},
        {Op::get_rel_pos, {.compute = compute_get_rel_pos}},
    });
    return rows;
}

}  // namespace splitscope::cpu
