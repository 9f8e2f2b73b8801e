// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/op.hpp"

namespace splitscope {

/// Byte lengths to which logs truncate the names of tensors, operations and backends.
inline constexpr std::size_t kLoggedNameBytes = 20;
inline constexpr std::size_t kLoggedOpBytes = 10;
inline constexpr std::size_t kLoggedBackendBytes = 5;

/// The operation of a possibly truncated name, and its kind for UNARY and GLU.
struct LoggedOp {
    Op op = Op::none;
    std::int32_t kind = 0;  ///< op_params[0] of UNARY and GLU
};
/// Empty if no operation has this name.
std::optional<LoggedOp> logged_op(std::string_view name);

/// The view operations encoded in a tensor's name: "cache_k_l0 (view) (permuted)" is a permutation of a view
/// of cache_k_l0. The last suffix may be truncated.
struct ViewChain {
    std::string base;
    std::vector<Op> steps;
};
ViewChain view_chain(std::string_view name);
/// The suffix that a view operation appends to a name.
std::string_view suffix_of(Op step);

/// The probable kind of a tensor that is not a node, from ggml's naming conventions.
enum class LeafKind : std::uint8_t { weights, cache, input, unknown };
LeafKind leaf_kind(std::string_view name);

/// Completes a truncated weight name if only one ending is possible: "blk.0.ffn_gate.weigh" →
/// "blk.0.ffn_gate.weight".
std::string completed(std::string_view name);

/// Drops an incomplete UTF-8 sequence at the end of `text`.
std::string_view whole_characters(std::string_view text);

}  // namespace splitscope
