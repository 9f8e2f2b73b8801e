// SPDX-License-Identifier: MIT
// Common conditions of the operations' rules.
#pragma once

#include "engine/tensor/op_query.hpp"

namespace splitscope {

/// Rows are contiguous floats.
bool has_float_rows(const Tensor& t);
/// Rows can be decoded to floats and encoded from them.
bool is_readable(const Tensor& t);
bool is_writable(const Tensor& t);

namespace op_rules {

/// Defined for every node.
inline OpSupport any_node(const OpQuery& /*query*/) {
    return {};
}

/// Every source can be decoded row by row to floats, and the result encoded from them.
OpSupport readable_rows(const OpQuery& query);
/// Sources and result are F32 with contiguous rows.
OpSupport float_rows(const OpQuery& query);
/// readable_rows, and all tensors have the same shape.
OpSupport same_shapes(const OpQuery& query);

}  // namespace op_rules
}  // namespace splitscope
