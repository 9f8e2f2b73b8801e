// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace splitscope {

/// Operations in arbitrary order; files use names. op_facts.cpp has a row for each. The last three exist only
/// in early graphs.
// clang-format off
enum class Op : std::uint8_t {
    none, dup, add, add_id, add1, acc, sub, mul, div, sqr, sqrt, log, sin, cos, sum, sum_rows, cumsum,
    mean, argmax, count_equal, repeat, repeat_back, concat, silu_back, norm, rms_norm, rms_norm_back,
    group_norm, l2_norm, mul_mat, mul_mat_id, out_prod, scale, set, cpy, cont, reshape, view, permute,
    transpose, get_rows, get_rows_back, set_rows, diag, diag_mask_inf, diag_mask_zero, soft_max,
    soft_max_back, rope, rope_back, clamp, conv_transpose_1d, im2col, im2col_back, im2col_3d, col2im_1d,
    conv_2d, conv_3d, conv_2d_dw, conv_transpose_2d, pool_1d, pool_2d, pool_2d_back, upscale, pad,
    pad_reflect_1d, roll, arange, timestep_embedding, argsort, top_k, leaky_relu, tri, fill,
    flash_attn_ext, flash_attn_back, ssm_conv, ssm_scan, win_part, win_unpart, get_rel_pos, add_rel_pos,
    rwkv_wkv6, gated_linear_attn, rwkv_wkv7, solve_tri, gated_delta_net, lightning_indexer, dsv4_hc_pre,
    dsv4_hc_post, dsv4_hc_comb, unary, glu, map_custom1, map_custom2, map_custom3, custom,
    cross_entropy_loss, cross_entropy_loss_back, opt_step_adamw, opt_step_sgd, alibi, flash_attn,
    flash_ff,
};
// clang-format on

inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::flash_ff) + 1;

/// Kinds of Op::unary; stored in op_params[0].
// clang-format off
enum class UnaryKind : std::uint8_t {
    abs, sgn, neg, step, tanh, elu, relu, sigmoid, gelu, gelu_quick, silu, hardswish, hardsigmoid, exp,
    expm1, softplus, gelu_erf, xielu, floor, ceil, round, trunc,
};
// clang-format on

/// Kinds of Op::glu; stored in op_params[0].
// clang-format off
enum class GluKind : std::uint8_t {
    reglu, geglu, swiglu, swiglu_oai, geglu_erf, geglu_quick, swiglu_clamp,
};
// clang-format on

inline constexpr std::size_t kUnaryKindCount = static_cast<std::size_t>(UnaryKind::trunc) + 1;
inline constexpr std::size_t kGluKindCount = static_cast<std::size_t>(GluKind::swiglu_clamp) + 1;

/// Upper-case name, as in files: "MUL_MAT".
std::string_view name_of(Op op);
std::string_view name_of(UnaryKind kind);
std::string_view name_of(GluKind kind);

std::optional<Op> op_named(std::string_view name);
std::optional<UnaryKind> unary_kind_named(std::string_view name);
std::optional<GluKind> glu_kind_named(std::string_view name);

/// VIEW, RESHAPE, PERMUTE, TRANSPOSE, which compute nothing. A tensor can also be a view without such an
/// operation (scheduler.md §1.1).
constexpr bool is_view_op(Op op) {
    return op == Op::view || op == Op::reshape || op == Op::permute || op == Op::transpose;
}

}  // namespace splitscope
