// SPDX-License-Identifier: MIT
#include "engine/scheduler/vocabulary.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

// clang-format off
constexpr OpSet kOps2024_01 = {
    Op::none, Op::dup, Op::add, Op::add1, Op::acc, Op::sub, Op::mul, Op::div, Op::sqr, Op::sqrt, Op::log, Op::sum,
    Op::sum_rows, Op::mean, Op::argmax, Op::repeat, Op::repeat_back, Op::concat, Op::silu_back, Op::norm,
    Op::rms_norm, Op::rms_norm_back, Op::group_norm, Op::mul_mat, Op::mul_mat_id, Op::out_prod, Op::scale, Op::set,
    Op::cpy, Op::cont, Op::reshape, Op::view, Op::permute, Op::transpose, Op::get_rows, Op::get_rows_back, Op::diag,
    Op::diag_mask_inf, Op::diag_mask_zero, Op::soft_max, Op::soft_max_back, Op::rope, Op::rope_back, Op::alibi,
    Op::clamp, Op::conv_transpose_1d, Op::im2col, Op::conv_transpose_2d, Op::pool_1d, Op::pool_2d, Op::upscale,
    Op::pad, Op::argsort, Op::leaky_relu, Op::flash_attn, Op::flash_ff, Op::flash_attn_back, Op::win_part,
    Op::win_unpart, Op::get_rel_pos, Op::add_rel_pos, Op::unary, Op::map_custom1, Op::map_custom2, Op::map_custom3,
    Op::cross_entropy_loss, Op::cross_entropy_loss_back};
constexpr OpSet kOps2024_10 =
    kOps2024_01.without({Op::alibi, Op::flash_attn, Op::flash_ff})
        .with({Op::sin, Op::cos, Op::arange, Op::timestep_embedding, Op::flash_attn_ext, Op::ssm_conv, Op::ssm_scan,
               Op::im2col_back, Op::pool_2d_back, Op::rwkv_wkv6, Op::opt_step_adamw});
constexpr OpSet kOps2025_06 =
    kOps2024_10.with({Op::count_equal, Op::rwkv_wkv7, Op::gated_linear_attn, Op::l2_norm, Op::pad_reflect_1d, Op::roll,
                      Op::conv_2d_dw, Op::custom, Op::set_rows});
constexpr OpSet kOps2026_08 = OpSet::all().without({Op::alibi, Op::flash_attn, Op::flash_ff});

using enum ElementType;
constexpr TypeSet kTypes2024_01 = {f32,  f16,  q4_0, q4_1, q5_0,    q5_1,   q8_0, q8_1, q2_K, q3_K,
                                   q4_K, q5_K, q6_K, q8_K, iq2_xxs, iq2_xs, i8,   i16,  i32};
constexpr TypeSet kTypes2024_10 = kTypes2024_01.with(
    {iq3_xxs, iq1_s, iq4_nl, iq3_s, iq2_s, iq4_xs, i64, f64, iq1_m, bf16, tq1_0, tq2_0});
constexpr TypeSet kTypes2026_08 = kTypes2024_10.with({mxfp4, nvfp4, q1_0, q2_0});
// clang-format on

constexpr std::array<Vocabulary, kGenerations.size()> kVocabularies = {
    Vocabulary{kOps2024_01, kTypes2024_01}, Vocabulary{kOps2024_10, kTypes2024_10},
    Vocabulary{kOps2025_06, kTypes2024_10}, Vocabulary{kOps2026_08, kTypes2026_08}};

}  // namespace

const Vocabulary& vocabulary_of(Generation generation) {
    return kVocabularies[static_cast<std::size_t>(generation)];
}

Generation generation_that_knows(const Graph& graph, Generation earliest) {
    for (const Generation generation : kGenerations) {
        if (generation < earliest) continue;
        const Vocabulary& known = vocabulary_of(generation);
        const bool knows_all = std::ranges::all_of(graph.tensors, [&](const Tensor& t) {
            return (t.op == Op::custom || known.ops.contains(t.op)) && known.types.contains(t.type);
        });
        if (knows_all) return generation;
    }
    return earliest;
}

}  // namespace splitscope
