// SPDX-License-Identifier: MIT
// CPY, CONT and DUP: the same elements in the same order, in another type, layout or shape.
#include <array>
#include <cstring>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

std::size_t bytes_of_row(const Tensor& t) {
    return static_cast<std::size_t>(row_bytes(t.type, t.ne[0]));
}

void copy_same_shape(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const bool same_type = src->type == dst->type;
    const bool rows_side_by_side = has_contiguous_rows(*src) && has_contiguous_rows(*dst);
    const auto element = static_cast<std::size_t>(traits_of(dst->type).block_bytes);
    const std::size_t bytes = bytes_of_row(*dst);
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::byte* from = src.at(i1, i2, i3);
        std::byte* to = dst.at(i1, i2, i3);
        if (same_type && rows_side_by_side) {
            if (from != to) std::memcpy(to, from, bytes);
        } else if (same_type) {
            for (std::int64_t i = 0; i < dst->ne[0]; ++i) {
                std::memmove(to + i * dst->nb[0], from + i * src->nb[0], element);
            }
        } else {
            store_row(dst, i1, i2, i3, load_row(src, i1, i2, i3, scratch_row(context, 0)));
        }
    });
}

/// Address of the n-th element in logical order.
std::byte* element_at(const TensorRef& t, std::int64_t number) {
    const std::int64_t i0 = number % t->ne[0];
    const std::int64_t row = number / t->ne[0];
    return t.at(i0, row % t->ne[1], row / t->ne[1] % t->ne[2], row / (t->ne[1] * t->ne[2]));
}

/// For a different shape: element by element, or whole blocks if both are contiguous.
void copy_reshaped(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const auto& from = traits_of(src->type);
    const auto& to = traits_of(dst->type);
    const std::int64_t step = std::max(from.block_elements, to.block_elements);
    const Range mine = context.thread_part(element_count(*dst) / step);
    float* values = scratch_row(context, 0);
    constexpr std::int64_t kBetween = 4096;
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
        if (i % kBetween == 0 && context.should_stop()) return;
        const bool plain = step == 1;
        const std::byte* in = plain ? element_at(src, i) : src.data + row_bytes(src->type, i * step);
        std::byte* out = plain ? element_at(dst, i) : dst.data + row_bytes(dst->type, i * step);
        if (src->type == dst->type) {
            std::memcpy(out, in, static_cast<std::size_t>(to.block_bytes));
        } else {
            decode_row(src->type, in, values, step);
            encode_row(dst->type, values, out, step);
        }
    }
}

void compute_copy(OpContext& context) {
    if (same_shape(*context.dst(), *context.src(0))) {
        copy_same_shape(context);
    } else {
        copy_reshaped(context);
    }
}

std::size_t copy_scratch(const OpNode& node) {
    const auto row =
        static_cast<std::size_t>(std::max<std::int64_t>({node.dst->ne[0], node.src[0]->ne[0], 256}));
    return 4 * ((row + 15) / 16 * 16);
}

}  // namespace

std::span<const KernelRow> copy_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::dup, {.compute = compute_copy, .scratch_floats = copy_scratch}},
        {Op::cpy, {.compute = compute_copy, .scratch_floats = copy_scratch}},
        {Op::cont, {.compute = compute_copy, .scratch_floats = copy_scratch}},
    });
    return rows;
}

}  // namespace splitscope::cpu
