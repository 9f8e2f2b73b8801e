// SPDX-License-Identifier: MIT
// SET and ACC: a copy of src0 in which a window is replaced by src1, or has src1 added.
#include <cstring>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/ops/params.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::size_t kElementBytes = 4;

template <bool kAddTo>
void compute_window(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& part = context.src(1);
    const WindowParams window(*dst);
    if (dst.data != context.src(0).data) std::memcpy(dst.data, context.src(0).data, byte_size(*dst));
    for_thread_rows(context, part->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        std::byte* out = dst.data + window.at(i1, i2, i3);
        for (std::int64_t i = 0; i < part->ne[0]; ++i) {
            if constexpr (kAddTo) {
                reinterpret_cast<float*>(out)[i] += part.value<float>(i, i1, i2, i3);
            } else {
                std::memcpy(out + i * std::int64_t{kElementBytes}, part.at(i, i1, i2, i3), kElementBytes);
            }
        }
    });
}

}  // namespace

std::span<const KernelRow> set_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::set, {.compute = compute_window<false>, .max_tasks = one_task}},
        {Op::acc, {.compute = compute_window<true>, .max_tasks = one_task}},
    });
    return rows;
}

}  // namespace splitscope::cpu
