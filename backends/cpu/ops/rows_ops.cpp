// SPDX-License-Identifier: MIT
// GET_ROWS and SET_ROWS: rows of a table picked or overwritten by index.
#include <cstring>

#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

bool check_index(OpContext& context, std::int64_t index, std::int64_t rows) {
    if (index >= 0 && index < rows) return true;
    context.fail(Error(ErrorKind::range, msg::kNoSuchRow(name_of(context.dst()->op), index, rows),
                       context.dst()->name, msg::kGiveRowsInside));
    return false;
}

void compute_get_rows(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& table = context.src(0);
    const TensorRef& ids = context.src(1);
    const bool same_type =
        table->type == dst->type && has_contiguous_rows(*table) && has_contiguous_rows(*dst);
    const auto bytes = static_cast<std::size_t>(row_bytes(dst->type, dst->ne[0]));
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t row = index_value(ids, i1, i2, i3);
        if (!check_index(context, row, table->ne[1])) return;
        if (same_type) {
            std::memcpy(dst.at(i1, i2, i3), table.at(row, i2, i3), bytes);
        } else {
            store_row(dst, i1, i2, i3, load_row(table, row, i2, i3, scratch_row(context, 0)));
        }
    });
}

void compute_set_rows(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& src = context.src(0);
    const TensorRef& ids = context.src(1);
    for_thread_rows(context, src->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t row = index_value(ids, i1, i2 % ids->ne[1], i3 % ids->ne[2]);
        if (!check_index(context, row, dst->ne[1])) return;
        store_row(dst, row, i2, i3, load_row(src, i1, i2, i3, scratch_row(context, 0)));
    });
}

bool is_index_type(ElementType type) {
    return type == ElementType::i32 || type == ElementType::i64;
}

OpSupport supports_get_rows(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& table = query.graph[sources[0]];
    const Tensor& ids = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (!can_decode(table.type)) return refuse_type(sources[0], query);
    if (!is_index_type(ids.type)) return refuse_type(sources[1], query);
    if (table.type != dst.type && dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!is_readable(table) || table.ne[0] != dst.ne[0]) return refuse_layout(sources[0], query);
    if (ids.ne[0] != dst.ne[1] || ids.ne[1] != dst.ne[2] || ids.ne[2] != dst.ne[3] ||
        table.ne[2] < dst.ne[2] || table.ne[3] < dst.ne[3]) {
        return refuse_layout(sources[1], query);
    }
    return {};
}

OpSupport supports_set_rows(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& src = query.graph[sources[0]];
    const Tensor& ids = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (!can_encode(dst.type)) return refuse_type(query.node, query);
    if (!can_decode(src.type)) return refuse_type(sources[0], query);
    if (!is_index_type(ids.type)) return refuse_type(sources[1], query);
    if (!is_writable(dst)) return refuse_layout(query.node, query);
    if (!is_readable(src) || src.ne[0] != dst.ne[0] || src.ne[2] > dst.ne[2] || src.ne[3] > dst.ne[3]) {
        return refuse_layout(sources[0], query);
    }
    const bool no_indices = is_empty(ids) && !is_empty(src);
    if (ids.ne[0] != src.ne[1] || no_indices) return refuse_layout(sources[1], query);
    return {};
}

std::int64_t set_rows_tasks(const OpNode& node) {
    return row_count(*node.src[0]);
}

}  // namespace

const OpKernel kGetRows{.compute = compute_get_rows, .supports = supports_get_rows, .needed_sources = 2};
const OpKernel kSetRows{.compute = compute_set_rows,
                        .supports = supports_set_rows,
                        .needed_sources = 2,
                        .max_tasks = set_rows_tasks};

}  // namespace splitscope::cpu
