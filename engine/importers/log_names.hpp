// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/op.hpp"

namespace splitscope {

/// Names of tensors are cut at this many bytes in a log, those of operations and backends at these.
inline constexpr std::size_t kLoggedNameBytes = 20;
inline constexpr std::size_t kLoggedOpBytes = 10;
inline constexpr std::size_t kLoggedBackendBytes = 5;

/// The operation a log means by a name that may be cut, and its kind where it is one of several functions.
struct LoggedOp {
    Op op = Op::none;
    std::int32_t kind = 0;  ///< op_params[0] of UNARY and GLU
};
/// None when no operation is called that.
std::optional<LoggedOp> logged_op(std::string_view name);

/// What a tensor's name says about how it was made: "cache_k_l0 (view) (permuted)" is a permutation of a view
/// of cache_k_l0. The last step may be cut.
struct ViewChain {
    std::string base;
    std::vector<Op> steps;
};
ViewChain view_chain(std::string_view name);
/// The suffix that a step adds to a name.
std::string_view suffix_of(Op step);

/// What a tensor that is no node probably is, told by the names that model builders give.
enum class LeafKind : std::uint8_t { weights, cache, input, unknown };
LeafKind leaf_kind(std::string_view name);

/// A cut weight name with the end that it can only have: "blk.0.ffn_gate.weigh" → "blk.0.ffn_gate.weight".
std::string completed(std::string_view name);

/// `text` without a character that was cut in two at its end.
std::string_view whole_characters(std::string_view text);

}  // namespace splitscope
