// SPDX-License-Identifier: MIT
// MUL_MAT: out[r, c] = Σ_k weights[k, r] · x[k, c] for each plane; the weights' planes repeat over those of
// x. MUL_MAT_ID: the same with the plane (the expert) of each column picked by an index.
#include <algorithm>
#include <array>
#include <span>

#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/product.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

// Enough rows to reuse cached columns, few enough for even work distribution.
constexpr int kChunkRows = kernels::kPanelRows;

std::int64_t chunks_of(std::int64_t rows) {
    return (rows + kChunkRows - 1) / kChunkRows;
}

/// Chunks of one column that a thread takes at once: long stretches of memory, which the processor reads
/// ahead, and enough parts to be divided evenly.
std::int64_t chunks_taken(std::int64_t chunks, std::int64_t columns, int threads) {
    constexpr std::int64_t kMax = 8;
    constexpr std::int64_t kPartsOfThread = 8;
    return columns > 1 ? 1 : std::clamp<std::int64_t>(chunks / (kPartsOfThread * threads), 1, kMax);
}

/// Columns multiplied at a time, so that a thread can list them on its stack.
constexpr std::size_t kColumnsListed = 256;
using ColumnList = std::array<kernels::PanelColumn, kColumnsListed>;

/// Rounds or quantises this thread's columns of x.
void prepare_columns(OpContext& context, PreparedColumns& prepared, const TensorRef& x) {
    const std::int64_t columns = x->ne[1];
    const bool rounded = is_activation_type_of(x->type, context.src(0)->type);
    for_thread_rows(context, x->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        const std::int64_t column = i1 + columns * (i2 + x->ne[2] * i3);
        if (rounded) {
            prepared.set_blocks(column, x.at(i1, i2, i3));
        } else {
            prepared.set(column, load_row(x, i1, i2, i3, context.scratch.data()));
        }
    });
}

/// Empty sums.
void fill_zero(OpContext& context) {
    const TensorRef& dst = context.dst();
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        std::fill_n(dst.row<float>(i1, i2, i3), dst->ne[0], 0.0F);
    });
}

void compute_mul_mat(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& weights = context.src(0);
    const TensorRef& x = context.src(1);
    if (x->ne[0] == 0) return fill_zero(context);
    PreparedColumns prepared(weights->type, x->ne[0], row_count(*x), context.shared.data());
    prepare_columns(context, prepared, x);
    context.sync_threads();

    const std::int64_t rows = dst->ne[0];
    const std::int64_t columns = dst->ne[1];
    const std::int64_t taken = chunks_taken(chunks_of(rows), columns, context.threads) * kChunkRows;
    const std::int64_t parts = (rows + taken - 1) / taken;
    const std::int64_t repeat2 = x->ne[2] / weights->ne[2];
    const std::int64_t repeat3 = x->ne[3] / weights->ne[3];
    ColumnList list;
    const auto multiply_chunk = [&](std::int64_t row, std::int64_t plane) {
        const std::int64_t i2 = plane % dst->ne[2];
        const std::int64_t i3 = plane / dst->ne[2];
        const auto count = static_cast<int>(std::min<std::int64_t>(kChunkRows, rows - row));
        for (std::int64_t first = 0; first < columns && !context.should_stop(); first += kColumnsListed) {
            const auto listed =
                static_cast<std::size_t>(std::min<std::int64_t>(kColumnsListed, columns - first));
            for (std::size_t c = 0; c < listed; ++c) {
                const std::int64_t column = first + static_cast<std::int64_t>(c);
                list[c] = {plane * columns + column, dst.row<float>(column, i2, i3)};
            }
            prepared.multiply(weights.at(row, i2 / repeat2, i3 / repeat3), weights->nb[1], count,
                              std::span(list).first(listed), row, context.scratch.data());
        }
    };
    while (const auto part = context.next_chunk(parts * dst->ne[2] * dst->ne[3])) {
        const std::int64_t begin = *part % parts * taken;
        for (std::int64_t row = begin; row < std::min(begin + taken, rows); row += kChunkRows)
            multiply_chunk(row, *part / parts);
    }
}

std::size_t mul_mat_shared(const OpNode& node) {
    return PreparedColumns::bytes(node.src[0]->type, node.src[1]->ne[0], row_count(*node.src[1]));
}

std::size_t mul_mat_scratch(const OpNode& node) {
    const std::int64_t depth = node.src[1]->ne[0];
    return std::max(PreparedColumns::scratch_floats(node.src[0]->type, depth, kChunkRows),
                    static_cast<std::size_t>(depth));
}

std::int64_t mul_mat_tasks(const OpNode& node) {
    // Minimum work per additional thread.
    constexpr std::int64_t kWorthSharing = 1 << 14;
    const std::int64_t work = element_count(*node.dst) * node.src[1]->ne[0];
    return work < kWorthSharing ? 1 : work;
}

/// Assignment of columns of x to experts: `order` lists the slots (columns of the ids) by expert.
struct ExpertOrder {
    ExpertOrder(std::byte* memory, std::int64_t experts, std::int64_t slots)
        : begins(reinterpret_cast<std::int64_t*>(memory)), order(begins + experts + 1), slot_count(slots) {}
    static std::size_t bytes(std::int64_t experts, std::int64_t slots) {
        return static_cast<std::size_t>(experts + 1 + slots) * sizeof(std::int64_t);
    }

    std::int64_t* begins;
    std::int64_t* order;
    std::int64_t slot_count;
};

/// Counting sort of the slots by expert; false when an index is out of range.
bool sort_by_expert(OpContext& context, const ExpertOrder& sorted, std::int64_t experts) {
    const TensorRef& ids = context.src(2);
    const auto expert_of = [&](std::int64_t slot) -> std::int64_t {
        return ids.value<std::int32_t>(slot % ids->ne[0], slot / ids->ne[0]);
    };
    std::fill_n(sorted.begins, experts + 1, std::int64_t{0});
    for (std::int64_t slot = 0; slot < sorted.slot_count; ++slot) {
        const std::int64_t expert = expert_of(slot);
        if (expert < 0 || expert >= experts) {
            context.fail(Error(ErrorKind::range, msg::kAsksForExpert(expert, experts), context.dst()->name,
                               msg::kGiveExpertsInside));
            std::fill_n(sorted.begins, experts + 1, std::int64_t{0});
            return false;
        }
        ++sorted.begins[expert + 1];
    }
    for (std::int64_t e = 0; e < experts; ++e) sorted.begins[e + 1] += sorted.begins[e];
    for (std::int64_t slot = 0; slot < sorted.slot_count; ++slot) {
        sorted.order[sorted.begins[expert_of(slot)]++] = slot;
    }
    // Shift the offsets back: each begin has advanced to its end.
    for (std::int64_t e = experts; e > 0; --e) sorted.begins[e] = sorted.begins[e - 1];
    sorted.begins[0] = 0;
    return true;
}

std::size_t id_columns_bytes(const OpNode& node) {
    return mul_mat_shared(node);
}

void compute_mul_mat_id(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& weights = context.src(0);
    const TensorRef& x = context.src(1);
    const TensorRef& ids = context.src(2);
    if (x->ne[0] == 0) return fill_zero(context);
    const std::int64_t experts = weights->ne[2];
    const std::int64_t used = ids->ne[0];
    PreparedColumns prepared(weights->type, x->ne[0], row_count(*x), context.shared.data());
    const ExpertOrder sorted(context.shared.data() + id_columns_bytes(context.node), experts,
                             used * ids->ne[1]);
    prepare_columns(context, prepared, x);
    if (context.thread == 0) sort_by_expert(context, sorted, experts);
    context.sync_threads();

    const std::int64_t rows = dst->ne[0];
    const std::int64_t row_chunks = chunks_of(rows);
    ColumnList list;
    while (const auto chunk = context.next_chunk(row_chunks * experts)) {
        const std::int64_t expert = *chunk / row_chunks;
        const std::int64_t row = *chunk % row_chunks * kChunkRows;
        const auto count = static_cast<int>(std::min<std::int64_t>(kChunkRows, rows - row));
        std::size_t listed = 0;
        const auto multiply = [&] {
            prepared.multiply(weights.at(row, expert, 0), weights->nb[1], count,
                              std::span(list).first(listed), row, context.scratch.data());
            listed = 0;
        };
        for (std::int64_t i = sorted.begins[expert]; i < sorted.begins[expert + 1]; ++i) {
            const std::int64_t slot = sorted.order[i] % used;
            const std::int64_t token = sorted.order[i] / used;
            if (listed == kColumnsListed) multiply();
            list[listed++] = {slot % x->ne[1] + x->ne[1] * token, dst.row<float>(slot, token, 0)};
        }
        multiply();
    }
}

std::size_t mul_mat_id_shared(const OpNode& node) {
    return id_columns_bytes(node) +
           ExpertOrder::bytes(node.src[0]->ne[2], node.src[2]->ne[0] * node.src[2]->ne[1]);
}

}  // namespace

std::span<const KernelRow> mul_mat_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::mul_mat,
         {.compute = compute_mul_mat,
          .shared_bytes = mul_mat_shared,
          .scratch_floats = mul_mat_scratch,
          .max_tasks = mul_mat_tasks}},
        {Op::mul_mat_id,
         {.compute = compute_mul_mat_id,
          .shared_bytes = mul_mat_id_shared,
          .scratch_floats = mul_mat_scratch,
          .max_tasks = mul_mat_tasks}},
    });
    return rows;
}

}  // namespace splitscope::cpu
