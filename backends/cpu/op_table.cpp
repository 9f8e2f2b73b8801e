// SPDX-License-Identifier: MIT
#include "backends/cpu/op_table.hpp"

#include <algorithm>
#include <array>

#include "backends/cpu/ops/ops.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

std::array<const OpKernel*, kOpCount> make_table() {
    std::array<const OpKernel*, kOpCount> table{};
    for (const auto family : {arrange_kernels,
                              attention_kernels,
                              binary_kernels,
                              convolution_kernels,
                              copy_kernels,
                              deepseek_kernels,
                              elementwise_kernels,
                              glu_kernels,
                              im2col_kernels,
                              linear_kernels,
                              linear_attention_kernels,
                              masks_kernels,
                              more_norms_kernels,
                              mul_mat_kernels,
                              norm_kernels,
                              reduce_kernels,
                              resample_kernels,
                              rope_kernels,
                              rows_ops_kernels,
                              set_kernels,
                              soft_max_kernels,
                              sort_kernels,
                              state_space_kernels,
                              unary_kernels}) {
        for (const KernelRow& row : family()) table[static_cast<std::size_t>(row.op)] = &row.kernel;
    }
    return table;
}

}  // namespace

const OpKernel* find_kernel(Op op) {
    static const std::array<const OpKernel*, kOpCount> table = make_table();
    return table[static_cast<std::size_t>(op)];
}

OpSupport kernel_supports(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    if (find_kernel(tensor.op) == nullptr) return {RefusalRule::op, query.node, tensor.type};
    return follows_rule(query);
}

std::size_t shared_bytes(const OpNode& node) {
    return node.kernel->shared_bytes != nullptr ? node.kernel->shared_bytes(node) : 0;
}

std::size_t scratch_floats(const OpNode& node) {
    if (node.kernel->scratch_floats != nullptr) return node.kernel->scratch_floats(node);
    std::int64_t longest = node.dst->ne[0];
    for (const TensorRef& source : node.src) {
        if (source) longest = std::max(longest, source->ne[0]);
    }
    // Rounded up so that each of the four rows is aligned to a cache line.
    return 4 * (static_cast<std::size_t>(longest) + 15) / 16 * 16;
}

std::int64_t max_tasks(const OpNode& node) {
    return node.kernel->max_tasks != nullptr ? node.kernel->max_tasks(node) : row_count(*node.dst);
}

}  // namespace splitscope::cpu
