// SPDX-License-Identifier: MIT
// What the rules of several operations have in common.
#pragma once

#include "engine/tensor/op_query.hpp"

namespace splitscope {

/// Rows are plain floats side by side.
bool has_float_rows(const Tensor& t);
/// Rows can be decoded to floats, and encoded from them.
bool is_readable(const Tensor& t);
bool is_writable(const Tensor& t);

namespace op_rules {

/// Defined for every node.
inline OpSupport any_node(const OpQuery& /*query*/) {
    return {};
}

/// Every source can be read row by row as floats, and the result can be written so.
OpSupport readable_rows(const OpQuery& query);
/// Sources and result are F32, with the elements of a row side by side.
OpSupport float_rows(const OpQuery& query);
/// readable_rows, and all tensors have one shape.
OpSupport same_shapes(const OpQuery& query);

}  // namespace op_rules
}  // namespace splitscope
