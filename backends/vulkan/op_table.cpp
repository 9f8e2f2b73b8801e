// SPDX-License-Identifier: MIT
#include "backends/vulkan/op_table.hpp"

#include <limits>

#include "backends/cpu/op_table.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

std::array<const OpEntry*, kOpCount> make_table() {
    std::array<const OpEntry*, kOpCount> table{};
    const auto set = [&table](Op op, const OpEntry& entry) { table[static_cast<std::size_t>(op)] = &entry; };
    set(Op::add, kAdd);
    set(Op::add1, kAdd);
    set(Op::add_id, kAddId);
    set(Op::sub, kSub);
    set(Op::mul, kMul);
    set(Op::div, kDiv);
    set(Op::unary, kUnary);
    set(Op::glu, kGlu);
    set(Op::sqr, kSqr);
    set(Op::sqrt, kSqrt);
    set(Op::log, kLog);
    set(Op::sin, kSin);
    set(Op::cos, kCos);
    set(Op::clamp, kClamp);
    set(Op::leaky_relu, kLeakyRelu);
    set(Op::scale, kScale);
    set(Op::fill, kFill);
    set(Op::dup, kCopy);
    set(Op::cpy, kCopy);
    set(Op::cont, kCopy);
    set(Op::get_rows, kGetRows);
    set(Op::set_rows, kSetRows);
    set(Op::norm, kNorm);
    set(Op::rms_norm, kRmsNorm);
    set(Op::l2_norm, kL2Norm);
    set(Op::rms_norm_back, kRmsNormBack);
    set(Op::soft_max, kSoftMax);
    set(Op::soft_max_back, kSoftMaxBack);
    set(Op::rope, kRope);
    set(Op::rope_back, kRopeBack);
    set(Op::mul_mat, kMulMat);
    set(Op::mul_mat_id, kMulMatId);
    set(Op::flash_attn_ext, kFlashAttention);
    set(Op::concat, kConcat);
    set(Op::repeat, kRepeat);
    set(Op::pad, kPad);
    set(Op::pad_reflect_1d, kPadReflect);
    set(Op::roll, kRoll);
    set(Op::win_part, kWinPart);
    set(Op::win_unpart, kWinUnpart);
    set(Op::get_rel_pos, kGetRelPos);
    set(Op::diag, kDiag);
    set(Op::set, kSet);
    set(Op::acc, kAcc);
    set(Op::diag_mask_inf, kDiagMaskInf);
    set(Op::diag_mask_zero, kDiagMaskZero);
    set(Op::tri, kTri);
    set(Op::arange, kArange);
    set(Op::timestep_embedding, kTimestepEmbedding);
    set(Op::add_rel_pos, kAddRelPos);
    set(Op::silu_back, kSiluBack);
    set(Op::repeat_back, kRepeatBack);
    set(Op::sum_rows, kSumRows);
    set(Op::mean, kMean);
    set(Op::cumsum, kCumsum);
    set(Op::argmax, kArgmax);
    set(Op::sum, kSum);
    set(Op::count_equal, kCountEqual);
    set(Op::cross_entropy_loss, kCrossEntropyLoss);
    set(Op::argsort, kArgsort);
    set(Op::top_k, kTopK);
    set(Op::ssm_conv, kSsmConv);
    set(Op::ssm_scan, kSsmScan);
    set(Op::rwkv_wkv6, kWkv6);
    set(Op::rwkv_wkv7, kWkv7);
    set(Op::gated_linear_attn, kGatedLinearAttention);
    set(Op::gated_delta_net, kGatedDeltaNet);
    set(Op::conv_2d, kConv2d);
    set(Op::conv_2d_dw, kConv2dDepthwise);
    set(Op::conv_3d, kConv3d);
    set(Op::conv_transpose_1d, kConvTranspose1d);
    set(Op::conv_transpose_2d, kConvTranspose2d);
    set(Op::im2col, kIm2col);
    set(Op::im2col_3d, kIm2col3d);
    set(Op::col2im_1d, kCol2im);
    set(Op::pool_1d, kPool1d);
    set(Op::pool_2d, kPool2d);
    set(Op::upscale, kUpscale);
    set(Op::out_prod, kOutProd);
    set(Op::solve_tri, kSolveTri);
    set(Op::get_rows_back, kGetRowsBack);
    set(Op::group_norm, kGroupNorm);
    return table;
}

/// Shaders use 32-bit byte and element counts.
bool is_small_enough(const Tensor& t) {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
    constexpr std::int64_t kMaxElements = std::numeric_limits<std::int32_t>::max();
    return byte_size(t) < kMaxBytes && element_count(t) < kMaxElements;
}

template <class Fits>
OpSupport check_tensors(const OpQuery& query, Fits&& fits, OpSupport (*refuse)(TensorId, const OpQuery&)) {
    if (!fits(query.tensor())) return refuse(query.node, query);
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && !fits(query.graph[source])) return refuse(source, query);
    }
    return {};
}

}  // namespace

std::string_view ShaderFamily::of(ElementType type) const {
    switch (type) {
        case ElementType::q4_0:
        case ElementType::q4_1:
        case ElementType::q5_0:
        case ElementType::q5_1:
        case ElementType::q8_0:
        case ElementType::iq4_nl:
        case ElementType::mxfp4:
            return small;
        case ElementType::q2_K:
        case ElementType::q3_K:
        case ElementType::q4_K:
        case ElementType::q5_K:
        case ElementType::q6_K:
            return k;
        case ElementType::nvfp4:
        case ElementType::q1_0:
        case ElementType::q2_0:
        case ElementType::tq1_0:
        case ElementType::tq2_0:
            return few;
        default:
            return traits_of(type).block_elements == 1 ? plain : iq;
    }
}

OpSupport floats_only(const OpQuery& query) {
    return check_tensors(
        query, [](const Tensor& t) { return is_float(t.type); }, refuse_type);
}

OpSupport f32_only(const OpQuery& query) {
    return check_tensors(
        query, [](const Tensor& t) { return t.type == ElementType::f32; }, refuse_type);
}

const OpEntry* find_op(Op op) {
    static const std::array<const OpEntry*, kOpCount> table = make_table();
    return table[static_cast<std::size_t>(op)];
}

OpSupport op_support(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    const OpEntry* entry = find_op(tensor.op);
    if (entry == nullptr) return {RefusalRule::op, query.node, tensor.type};
    // Supported shapes and parameters are defined by the CPU's kernels.
    if (const OpSupport refused = cpu::kernel_supports(query); !refused) return refused;
    if (const OpSupport refused = check_tensors(query, is_small_enough, refuse_limit); !refused)
        return refused;
    const Sources& sources = query.graph.sources(query.node);
    for (std::size_t i = kShaderSources; i < sources.size(); ++i) {
        if (sources[i].valid()) return {RefusalRule::op, query.node, tensor.type};
    }
    return entry->supports != nullptr ? entry->supports(query) : OpSupport{};
}

}  // namespace splitscope::vulkan
