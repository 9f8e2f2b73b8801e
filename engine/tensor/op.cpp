// SPDX-License-Identifier: MIT
#include "engine/tensor/op.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

// clang-format off
constexpr auto kOps = std::to_array<std::string_view>({
    "NONE", "DUP", "ADD", "ADD_ID", "ADD1", "ACC", "SUB", "MUL", "DIV", "SQR", "SQRT", "LOG", "SIN",
    "COS", "SUM", "SUM_ROWS", "CUMSUM", "MEAN", "ARGMAX", "COUNT_EQUAL", "REPEAT", "REPEAT_BACK",
    "CONCAT", "SILU_BACK", "NORM", "RMS_NORM", "RMS_NORM_BACK", "GROUP_NORM", "L2_NORM", "MUL_MAT",
    "MUL_MAT_ID", "OUT_PROD", "SCALE", "SET", "CPY", "CONT", "RESHAPE", "VIEW", "PERMUTE", "TRANSPOSE",
    "GET_ROWS", "GET_ROWS_BACK", "SET_ROWS", "DIAG", "DIAG_MASK_INF", "DIAG_MASK_ZERO", "SOFT_MAX",
    "SOFT_MAX_BACK", "ROPE", "ROPE_BACK", "CLAMP", "CONV_TRANSPOSE_1D", "IM2COL", "IM2COL_BACK",
    "IM2COL_3D", "COL2IM_1D", "CONV_2D", "CONV_3D", "CONV_2D_DW", "CONV_TRANSPOSE_2D", "POOL_1D",
    "POOL_2D", "POOL_2D_BACK", "UPSCALE", "PAD", "PAD_REFLECT_1D", "ROLL", "ARANGE",
    "TIMESTEP_EMBEDDING", "ARGSORT", "TOP_K", "LEAKY_RELU", "TRI", "FILL", "FLASH_ATTN_EXT",
    "FLASH_ATTN_BACK", "SSM_CONV", "SSM_SCAN", "WIN_PART", "WIN_UNPART", "GET_REL_POS", "ADD_REL_POS",
    "RWKV_WKV6", "GATED_LINEAR_ATTN", "RWKV_WKV7", "SOLVE_TRI", "GATED_DELTA_NET", "LIGHTNING_INDEXER",
    "DSV4_HC_PRE", "DSV4_HC_POST", "DSV4_HC_COMB", "UNARY", "GLU", "MAP_CUSTOM1", "MAP_CUSTOM2",
    "MAP_CUSTOM3", "CUSTOM", "CROSS_ENTROPY_LOSS", "CROSS_ENTROPY_LOSS_BACK", "OPT_STEP_ADAMW",
    "OPT_STEP_SGD", "ALIBI", "FLASH_ATTN", "FLASH_FF",
});

constexpr auto kUnaryKinds = std::to_array<std::string_view>({
    "ABS", "SGN", "NEG", "STEP", "TANH", "ELU", "RELU", "SIGMOID", "GELU", "GELU_QUICK", "SILU",
    "HARDSWISH", "HARDSIGMOID", "EXP", "EXPM1", "SOFTPLUS", "GELU_ERF", "XIELU", "FLOOR", "CEIL",
    "ROUND", "TRUNC",
});

constexpr auto kGluKinds = std::to_array<std::string_view>({
    "REGLU", "GEGLU", "SWIGLU", "SWIGLU_OAI", "GEGLU_ERF", "GEGLU_QUICK",
});
// clang-format on

static_assert(kOps.size() == kOpCount);

template <class Enum, class Names>
std::optional<Enum> find_name(const Names& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name_of(Op op) {
    return kOps[static_cast<std::size_t>(op)];
}
// Kinds are node parameters, so a file can contain any number.
std::string_view name_of(UnaryKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kUnaryKinds.size() ? kUnaryKinds[index] : name_of(Op::unary);
}
std::string_view name_of(GluKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kGluKinds.size() ? kGluKinds[index] : name_of(Op::glu);
}

std::optional<Op> op_named(std::string_view name) {
    return find_name<Op>(kOps, name);
}
std::optional<UnaryKind> unary_kind_named(std::string_view name) {
    return find_name<UnaryKind>(kUnaryKinds, name);
}
std::optional<GluKind> glu_kind_named(std::string_view name) {
    return find_name<GluKind>(kGluKinds, name);
}

}  // namespace splitscope
