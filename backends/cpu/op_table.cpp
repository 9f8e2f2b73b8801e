// SPDX-License-Identifier: MIT
#include "backends/cpu/op_table.hpp"

#include <algorithm>
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
    set(Op::sqr, kSqr);
    set(Op::sqrt, kSqrt);
    set(Op::log, kLog);
    set(Op::sin, kSin);
    set(Op::cos, kCos);
    set(Op::clamp, kClamp);
    set(Op::leaky_relu, kLeakyRelu);
    set(Op::fill, kFill);
    set(Op::add1, kAdd1);
    set(Op::add_id, kAddId);
    set(Op::sum, kSum);
    set(Op::sum_rows, kSumRows);
    set(Op::mean, kMean);
    set(Op::cumsum, kCumsum);
    set(Op::argmax, kArgmax);
    set(Op::count_equal, kCountEqual);
    set(Op::repeat_back, kRepeatBack);
    set(Op::cross_entropy_loss, kCrossEntropyLoss);
    set(Op::argsort, kArgsort);
    set(Op::top_k, kTopK);
    set(Op::concat, kConcat);
    set(Op::repeat, kRepeat);
    set(Op::pad, kPad);
    set(Op::pad_reflect_1d, kPadReflect);
    set(Op::roll, kRoll);
    set(Op::win_part, kWinPart);
    set(Op::win_unpart, kWinUnpart);
    set(Op::get_rel_pos, kGetRelPos);
    set(Op::diag, kDiag);
    set(Op::diag_mask_inf, kDiagMask);
    set(Op::diag_mask_zero, kDiagMask);
    set(Op::tri, kTri);
    set(Op::arange, kArange);
    set(Op::timestep_embedding, kTimestepEmbedding);
    set(Op::add_rel_pos, kAddRelPos);
    set(Op::set, kSet);
    set(Op::acc, kAcc);
    set(Op::group_norm, kGroupNorm);
    set(Op::l2_norm, kL2Norm);
    set(Op::rms_norm_back, kRmsNormBack);
    set(Op::silu_back, kSiluBack);
    set(Op::soft_max_back, kSoftMaxBack);
    set(Op::out_prod, kOutProd);
    set(Op::solve_tri, kSolveTri);
    set(Op::get_rows_back, kGetRowsBack);
    set(Op::conv_2d, kConv2d);
    set(Op::conv_2d_dw, kConv2d);
    set(Op::conv_3d, kConv3d);
    set(Op::conv_transpose_1d, kConvTranspose1d);
    set(Op::conv_transpose_2d, kConvTranspose2d);
    set(Op::im2col, kIm2col);
    set(Op::im2col_3d, kIm2col3d);
    set(Op::col2im_1d, kCol2im1d);
    set(Op::pool_1d, kPool);
    set(Op::pool_2d, kPool);
    set(Op::upscale, kUpscale);
    set(Op::ssm_conv, kSsmConv);
    set(Op::ssm_scan, kSsmScan);
    set(Op::rwkv_wkv6, kWkv6);
    set(Op::rwkv_wkv7, kWkv7);
    set(Op::gated_linear_attn, kGatedLinearAttention);
    set(Op::gated_delta_net, kGatedDeltaNet);
    set(Op::lightning_indexer, kLightningIndexer);
    set(Op::dsv4_hc_pre, kHcPre);
    set(Op::dsv4_hc_post, kHcPost);
    set(Op::dsv4_hc_comb, kHcComb);
    return table;
}

bool has_needed_sources(const OpKernel& kernel, const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    return std::all_of(sources.begin(), sources.begin() + kernel.needed_sources,
                       [](TensorId source) { return source.valid(); });
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
    if (!has_needed_sources(*kernel, query)) return {RefusalRule::layout, query.node, tensor.type};
    // View operations and NONE are not checked.
    if (is_empty(tensor)) return {};
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
    // Rounded up so that each of the four rows is aligned to a cache line.
    return 4 * (static_cast<std::size_t>(longest) + 15) / 16 * 16;
}

std::int64_t max_tasks(const OpNode& node) {
    return node.kernel->max_tasks != nullptr ? node.kernel->max_tasks(node) : row_count(*node.dst);
}

}  // namespace splitscope::cpu
