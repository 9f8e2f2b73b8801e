// SPDX-License-Identifier: MIT
#include "engine/tensor/op_facts.hpp"

#include <algorithm>
#include <array>

#include "engine/tensor/ops/arrangements.hpp"
#include "engine/tensor/ops/attention.hpp"
#include "engine/tensor/ops/costs.hpp"
#include "engine/tensor/ops/elementwise.hpp"
#include "engine/tensor/ops/norms.hpp"
#include "engine/tensor/ops/products.hpp"
#include "engine/tensor/ops/recurrences.hpp"
#include "engine/tensor/ops/reductions.hpp"
#include "engine/tensor/ops/rows.hpp"
#include "engine/tensor/ops/windows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

using Table = std::array<OpFacts, kOpCount>;

constexpr Table make_table() {
    using enum Op;
    using enum Generation;
    using namespace op_rules;
    using namespace op_costs;
    constexpr std::nullopt_t never = std::nullopt;
    // One row for each operation, in the order of enum Op. "of" counts the sources that it cannot do without.
    // clang-format off
    return {{
        // op                name in files         since     in place  of defined for             FLOPs        bytes           NMSE   parameters
        {none,               "NONE",               g2024_01, never,    0, any_node,               no_flops,    no_bytes,       0},
        {dup,                "DUP",                g2024_01, never,    1, copy_rule,              no_flops,    all_bytes,      0},
        {add,                "ADD",                g2024_01, g2024_01, 2, binary_rule,            per_element, all_bytes,      0},
        {add_id,             "ADD_ID",             g2026_08, g2026_08, 3, add_id_rule,            per_element, biased_rows,    0},
        {add1,               "ADD1",               g2024_01, g2024_01, 2, add1_rule,              per_element, all_bytes,      0},
        {acc,                "ACC",                g2024_01, never,    2, window_rule<true>,      per_element, all_bytes,      0},
        {sub,                "SUB",                g2024_01, g2024_01, 2, binary_rule,            per_element, all_bytes,      0},
        {mul,                "MUL",                g2024_01, g2024_01, 2, binary_rule,            per_element, all_bytes,      0},
        {div,                "DIV",                g2024_01, g2024_01, 2, binary_rule,            per_element, all_bytes,      0},
        {sqr,                "SQR",                g2024_01, g2024_01, 1, map_rule,               per_element, all_bytes,      0},
        {sqrt,               "SQRT",               g2024_01, g2024_01, 1, map_rule,               per_element, all_bytes,      0},
        {log,                "LOG",                g2024_01, g2024_01, 1, map_rule,               per_element, all_bytes,      0},
        {sin,                "SIN",                g2024_10, never,    1, map_rule,               per_element, all_bytes,      0},
        {cos,                "COS",                g2024_10, never,    1, map_rule,               per_element, all_bytes,      0},
        {sum,                "SUM",                g2024_01, never,    1, single_rule,            per_element, all_bytes,      0},
        {sum_rows,           "SUM_ROWS",           g2024_01, never,    1, row_sum_rule,           per_element, all_bytes,      0},
        {cumsum,             "CUMSUM",             g2026_08, never,    1, cumsum_rule,            per_element, all_bytes,      0},
        {mean,               "MEAN",               g2024_01, never,    1, row_sum_rule,           per_element, all_bytes,      0},
        {argmax,             "ARGMAX",             g2024_01, never,    1, argmax_rule,            per_element, all_bytes,      0},
        {count_equal,        "COUNT_EQUAL",        g2025_06, never,    2, count_equal_rule,       per_element, all_bytes,      0},
        {repeat,             "REPEAT",             g2024_01, never,    1, repeat_rule,            no_flops,    all_bytes,      0},
        {repeat_back,        "REPEAT_BACK",        g2024_01, never,    1, repeat_back_rule,       per_element, all_bytes,      0},
        {concat,             "CONCAT",             g2024_01, never,    2, concat_rule,            no_flops,    all_bytes,      0,    kConcatParams},
        {silu_back,          "SILU_BACK",          g2024_01, g2025_06, 2, same_shapes,            per_element, all_bytes,      0},
        {norm,               "NORM",               g2024_01, never,    1, readable_rows,          per_element, all_bytes,      0,    kNormParams},
        {rms_norm,           "RMS_NORM",           g2024_01, g2024_01, 1, readable_rows,          per_element, all_bytes,      0,    kNormParams},
        {rms_norm_back,      "RMS_NORM_BACK",      g2024_01, g2025_06, 2, same_shapes,            per_element, all_bytes,      0},
        {group_norm,         "GROUP_NORM",         g2024_01, never,    1, group_norm_rule,        per_element, all_bytes,      0,    kGroupNormParams},
        {l2_norm,            "L2_NORM",            g2025_06, never,    1, same_shapes,            per_element, all_bytes,      0,    kNormParams},
        {mul_mat,            "MUL_MAT",            g2024_01, never,    2, mul_mat_rule,           product<0>,  all_bytes,      5e-4},
        {mul_mat_id,         "MUL_MAT_ID",         g2024_01, never,    3, mul_mat_id_rule,        product<0>,  chosen_experts, 5e-4},
        {out_prod,           "OUT_PROD",           g2024_01, never,    2, out_prod_rule,          product<1>,  all_bytes,      5e-4},
        {scale,              "SCALE",              g2024_01, g2024_01, 1, readable_rows,          per_element, all_bytes,      0,    kScaleParams},
        {set,                "SET",                g2024_01, never,    2, window_rule<false>,     no_flops,    all_bytes,      0},
        {cpy,                "CPY",                g2024_01, never,    1, copy_rule,              no_flops,    copied,         0},
        {cont,               "CONT",               g2024_01, never,    1, copy_rule,              no_flops,    all_bytes,      0},
        {reshape,            "RESHAPE",            g2024_01, never,    1, any_node,               no_flops,    no_bytes,       0},
        {view,               "VIEW",               g2024_01, never,    1, any_node,               no_flops,    no_bytes,       0,    kViewParams},
        {permute,            "PERMUTE",            g2024_01, never,    1, any_node,               no_flops,    no_bytes,       0,    kPermuteParams},
        {transpose,          "TRANSPOSE",          g2024_01, never,    1, any_node,               no_flops,    no_bytes,       0},
        {get_rows,           "GET_ROWS",           g2024_01, never,    2, get_rows_rule,          no_flops,    gathered,       0},
        {get_rows_back,      "GET_ROWS_BACK",      g2024_01, never,    2, get_rows_back_rule,     per_element, all_bytes,      0},
        {set_rows,           "SET_ROWS",           g2025_06, never,    2, set_rows_rule,          no_flops,    scattered,      0},
        {diag,               "DIAG",               g2024_01, never,    1, diag_rule,              no_flops,    all_bytes,      0},
        {diag_mask_inf,      "DIAG_MASK_INF",      g2024_01, g2024_01, 1, mask_rule,              no_flops,    all_bytes,      0},
        {diag_mask_zero,     "DIAG_MASK_ZERO",     g2024_01, g2024_01, 1, mask_rule,              no_flops,    all_bytes,      0},
        {soft_max,           "SOFT_MAX",           g2024_01, g2024_01, 1, soft_max_rule,          per_element, all_bytes,      1e-6, kSoftMaxParams},
        {soft_max_back,      "SOFT_MAX_BACK",      g2024_01, g2025_06, 2, soft_max_back_rule,     per_element, all_bytes,      0},
        {rope,               "ROPE",               g2024_01, g2024_01, 2, rope_rule,              per_element, all_bytes,      0,    kRopeParams},
        {rope_back,          "ROPE_BACK",          g2024_01, g2025_06, 2, rope_rule,              per_element, all_bytes,      0},
        {clamp,              "CLAMP",              g2024_01, g2026_08, 1, map_rule,               per_element, all_bytes,      0,    kClampParams},
        {conv_transpose_1d,  "CONV_TRANSPOSE_1D",  g2024_01, never,    2, conv_transpose_1d_rule, per_element, all_bytes,      0},
        {im2col,             "IM2COL",             g2024_01, never,    2, im2col_rule,            no_flops,    all_bytes,      5e-4},
        {im2col_back,        "IM2COL_BACK",        g2024_10, never,    1, any_node,               per_element, all_bytes,      0},
        {im2col_3d,          "IM2COL_3D",          g2026_08, never,    2, im2col_3d_rule,         no_flops,    all_bytes,      5e-4},
        {col2im_1d,          "COL2IM_1D",          g2026_08, never,    1, col2im_1d_rule,         per_element, all_bytes,      0},
        {conv_2d,            "CONV_2D",            g2026_08, never,    2, conv_2d_rule,           convolution, all_bytes,      5e-4},
        {conv_3d,            "CONV_3D",            g2026_08, never,    2, conv_3d_rule,           convolution, all_bytes,      5e-4},
        {conv_2d_dw,         "CONV_2D_DW",         g2025_06, never,    2, conv_2d_rule,           per_element, all_bytes,      0},
        {conv_transpose_2d,  "CONV_TRANSPOSE_2D",  g2024_01, never,    2, conv_transpose_2d_rule, convolution, all_bytes,      5e-4},
        {pool_1d,            "POOL_1D",            g2024_01, never,    1, pool_rule,              per_element, all_bytes,      0},
        {pool_2d,            "POOL_2D",            g2024_01, never,    1, pool_rule,              per_element, all_bytes,      0},
        {pool_2d_back,       "POOL_2D_BACK",       g2024_10, never,    1, any_node,               per_element, all_bytes,      0},
        {upscale,            "UPSCALE",            g2024_01, never,    1, upscale_rule,           per_element, all_bytes,      0},
        {pad,                "PAD",                g2024_01, never,    1, float_source,           no_flops,    all_bytes,      0},
        {pad_reflect_1d,     "PAD_REFLECT_1D",     g2025_06, never,    1, pad_reflect_rule,       no_flops,    all_bytes,      0},
        {roll,               "ROLL",               g2025_06, never,    1, roll_rule,              no_flops,    all_bytes,      0},
        {arange,             "ARANGE",             g2024_10, never,    0, float_rows,             per_element, all_bytes,      0},
        {timestep_embedding, "TIMESTEP_EMBEDDING", g2024_10, never,    1, timestep_rule,          per_element, all_bytes,      0},
        {argsort,            "ARGSORT",            g2024_01, never,    1, order_rule,             per_element, all_bytes,      0},
        {top_k,              "TOP_K",              g2026_08, never,    1, order_rule,             per_element, all_bytes,      0},
        {leaky_relu,         "LEAKY_RELU",         g2024_01, never,    1, map_rule,               per_element, all_bytes,      0},
        {tri,                "TRI",                g2026_08, never,    1, mask_rule,              no_flops,    all_bytes,      0},
        {fill,               "FILL",               g2026_08, g2026_08, 0, readable_rows,          no_flops,    all_bytes,      0},
        {flash_attn_ext,     "FLASH_ATTN_EXT",     g2024_10, never,    3, flash_attention_rule,   attention,   all_bytes,      5e-4, kFlashAttentionParams},
        {flash_attn_back,    "FLASH_ATTN_BACK",    g2024_01, never,    1, any_node,               per_element, all_bytes,      0},
        {ssm_conv,           "SSM_CONV",           g2024_10, never,    2, ssm_conv_rule,          per_element, all_bytes,      0},
        {ssm_scan,           "SSM_SCAN",           g2024_10, never,    7, ssm_scan_rule,          per_element, all_bytes,      1e-6},
        {win_part,           "WIN_PART",           g2024_01, never,    1, win_part_rule,          no_flops,    all_bytes,      0},
        {win_unpart,         "WIN_UNPART",         g2024_01, never,    1, win_unpart_rule,        no_flops,    all_bytes,      0},
        {get_rel_pos,        "GET_REL_POS",        g2024_01, never,    1, get_rel_pos_rule,       no_flops,    all_bytes,      0},
        {add_rel_pos,        "ADD_REL_POS",        g2024_01, never,    3, add_rel_pos_rule,       per_element, all_bytes,      0},
        {rwkv_wkv6,          "RWKV_WKV6",          g2024_10, never,    6, recurrence_rule<5>,     per_element, all_bytes,      0},
        {gated_linear_attn,  "GATED_LINEAR_ATTN",  g2025_06, never,    5, recurrence_rule<4>,     per_element, all_bytes,      0},
        {rwkv_wkv7,          "RWKV_WKV7",          g2025_06, never,    7, recurrence_rule<6>,     per_element, all_bytes,      5e-3},
        {solve_tri,          "SOLVE_TRI",          g2026_08, never,    2, solve_tri_rule,         per_element, all_bytes,      0},
        {gated_delta_net,    "GATED_DELTA_NET",    g2026_08, never,    6, gated_delta_net_rule,   per_element, all_bytes,      0},
        {lightning_indexer,  "LIGHTNING_INDEXER",  g2026_08, never,    4, lightning_indexer_rule, per_element, all_bytes,      0},
        {dsv4_hc_pre,        "DSV4_HC_PRE",        g2026_08, never,    2, hc_pre_rule,            per_element, all_bytes,      0},
        {dsv4_hc_post,       "DSV4_HC_POST",       g2026_08, never,    3, hc_post_rule,           per_element, all_bytes,      0},
        {dsv4_hc_comb,       "DSV4_HC_COMB",       g2026_08, never,    3, hc_comb_rule,           per_element, all_bytes,      0},
        {unary,              "UNARY",              g2024_01, g2024_01, 1, unary_rule,             per_element, all_bytes,      1e-6},
        {glu,                "GLU",                g2026_08, never,    1, glu_rule,               per_element, all_bytes,      1e-6},
        {map_custom1,        "MAP_CUSTOM1",        g2024_01, never,    1, any_node,               per_element, all_bytes,      0},
        {map_custom2,        "MAP_CUSTOM2",        g2024_01, never,    1, any_node,               per_element, all_bytes,      0},
        {map_custom3,        "MAP_CUSTOM3",        g2024_01, never,    1, any_node,               per_element, all_bytes,      0},
        {custom,             "CUSTOM",             g2025_06, never,    1, any_node,               per_element, all_bytes,      0},
        {cross_entropy_loss, "CROSS_ENTROPY_LOSS", g2024_01, never,    2, cross_entropy_rule,     per_element, all_bytes,      0},
        {cross_entropy_loss_back, "CROSS_ENTROPY_LOSS_BACK", g2024_01, never, 1, any_node,        per_element, all_bytes,      0},
        {opt_step_adamw,     "OPT_STEP_ADAMW",     g2024_10, never,    1, any_node,               per_element, all_bytes,      0},
        {opt_step_sgd,       "OPT_STEP_SGD",       g2026_08, never,    1, any_node,               per_element, all_bytes,      0},
        {alibi,              "ALIBI",              g2024_01, never,    1, any_node,               per_element, all_bytes,      0, {}, g2024_01},
        {flash_attn,         "FLASH_ATTN",         g2024_01, never,    1, any_node,               per_element, all_bytes,      0, {}, g2024_01},
        {flash_ff,           "FLASH_FF",           g2024_01, never,    1, any_node,               per_element, all_bytes,      0, {}, g2024_01},
    }};
    // clang-format on
}

constexpr Table kTable = make_table();

constexpr bool follows_the_order_of_op() {
    for (std::size_t i = 0; i < kOpCount; ++i)
        if (kTable[i].op != static_cast<Op>(i) || kTable[i].name.empty()) return false;
    return true;
}
static_assert(follows_the_order_of_op());

}  // namespace

const OpFacts& facts_of(Op op) {
    return kTable[static_cast<std::size_t>(op)];
}

OpSet ops_of(Generation generation) {
    OpSet ops;
    for (const OpFacts& facts : kTable)
        if (facts.since <= generation && generation <= facts.until.value_or(generation)) ops.insert(facts.op);
    return ops;
}

bool may_overwrite_source(Op op, Generation generation) {
    const OpFacts& facts = facts_of(op);
    return facts.in_place_since && *facts.in_place_since <= generation;
}

OpSupport follows_rule(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    const OpFacts& facts = facts_of(tensor.op);
    const auto needed = std::span(query.graph.sources(query.node)).first(facts.needed_sources);
    if (!std::ranges::all_of(needed, &TensorId::valid)) return refuse_layout(query.node, query);
    // No operation, so no rule.
    return is_empty(tensor) ? OpSupport{} : facts.rule(query);
}

double node_flops(const GraphView& graph, TensorId node) {
    return facts_of(graph[node].op).flops(graph, node);
}

double node_bytes(const GraphView& graph, TensorId node) {
    return facts_of(graph[node].op).bytes(graph, node);
}

}  // namespace splitscope
