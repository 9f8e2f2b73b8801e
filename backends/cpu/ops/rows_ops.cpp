// SPDX-License-Identifier: MIT
// GET_ROWS and SET_ROWS: rows of a table picked or overwritten by index.
#include <array>
#include <cstring>

#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/error.hpp"
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

std::int64_t set_rows_tasks(const OpNode& node) {
    return row_count(*node.src[0]);
}

}  // namespace

std::span<const KernelRow> rows_ops_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::get_rows, {.compute = compute_get_rows}},
        {Op::set_rows, {.compute = compute_set_rows, .max_tasks = set_rows_tasks}},
    });
    return rows;
}

}  // namespace splitscope::cpu
