// SPDX-License-Identifier: MIT
#include "backends/cpu/op_table.hpp"

#include <array>

#include "backends/cpu/ops/ops.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

std::array<const OpKernel*, kOpCount> make_table() {
    std::array<const OpKernel*, kOpCount> table{};
    const auto set = [&table](Op op, const OpKernel& kernel) {
        table[static_cast<std::size_t>(op)] = &kernel;
    };
    set(Op::add, kAdd);
    set(Op::sub, kSub);
    set(Op::mul, kMul);
    set(Op::div, kDiv);
    set(Op::scale, kScale);
    set(Op::dup, kCopy);
    set(Op::cpy, kCopy);
    set(Op::cont, kCopy);
    set(Op::get_rows, kGetRows);
    set(Op::set_rows, kSetRows);
    set(Op::unary, kUnary);
    set(Op::glu, kGlu);
    set(Op::norm, kNorm);
    set(Op::rms_norm, kRmsNorm);
    set(Op::rope, kRope);
    set(Op::rope_back, kRopeBack);
    set(Op::soft_max, kSoftMax);
    set(Op::mul_mat, kMulMat);
    set(Op::mul_mat_id, kMulMatId);
    set(Op::flash_attn_ext, kFlashAttention);
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
    const OpKernel* kernel = find_kernel(tensor.op);
    if (kernel == nullptr) return {RefusalRule::op, query.node, tensor.type};
    return kernel->supports != nullptr ? kernel->supports(query) : OpSupport{};
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
    // Rounded up so that each of the four rows starts at a cache line.
    return 4 * (static_cast<std::size_t>(longest) + 15) / 16 * 16;
}

std::int64_t max_tasks(const OpNode& node) {
    return node.kernel->max_tasks != nullptr ? node.kernel->max_tasks(node) : row_count(*node.dst);
}

}  // namespace splitscope::cpu
