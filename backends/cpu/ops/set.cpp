// SPDX-License-Identifier: MIT
// SET and ACC: a copy of src0 in which a window is replaced by src1, or has src1 added.
#include <cstring>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/checked.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::size_t kElementBytes = 4;

/// The window: its strides and where it starts, in bytes.
struct Window {
    explicit Window(const Tensor& t)
        : nb1(t.op_params[0]), nb2(t.op_params[1]), nb3(t.op_params[2]), offset(t.op_params[3]) {}
    std::int64_t at(std::int64_t i1, std::int64_t i2, std::int64_t i3) const {
        return offset + i1 * nb1 + i2 * nb2 + i3 * nb3;
    }
    std::int64_t nb1, nb2, nb3, offset;
};

template <bool kAddTo>
void compute_window(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& part = context.src(1);
    const Window window(*dst);
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

template <bool kAddTo>
OpSupport supports_window(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const Tensor& part = query.graph[sources[1]];
    const auto fits = [](ElementType type) {
        return type == ElementType::f32 || (!kAddTo && type == ElementType::i32);
    };
    if (!fits(dst.type)) return refuse_type(query.node, query);
    if (query.graph[sources[0]].type != dst.type) return refuse_type(sources[0], query);
    if (part.type != dst.type) return refuse_type(sources[1], query);
    if (!same_layout(query.graph[sources[0]], dst) || !is_contiguous(dst))
        return refuse_layout(sources[0], query);
    if (is_empty(part)) return {};
    const Window window(dst);
    if (window.nb1 < 0 || window.nb2 < 0 || window.nb3 < 0 || window.offset < 0)
        return refuse_parameter(query);
    const auto last = checked_add(window.at(part.ne[1] - 1, part.ne[2] - 1, part.ne[3] - 1),
                                  part.ne[0] * std::int64_t{kElementBytes});
    const bool inside = last && *last <= static_cast<std::int64_t>(byte_size(dst));
    return inside && window.offset % std::int64_t{kElementBytes} == 0 ? OpSupport{} : refuse_parameter(query);
}

}  // namespace

const OpKernel kSet{.compute = compute_window<false>,
                    .supports = supports_window<false>,
                    .needed_sources = 2,
                    .max_tasks = one_task};
const OpKernel kAcc{.compute = compute_window<true>,
                    .supports = supports_window<true>,
                    .needed_sources = 2,
                    .max_tasks = one_task};

}  // namespace splitscope::cpu
