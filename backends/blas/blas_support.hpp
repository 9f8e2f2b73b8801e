// SPDX-License-Identifier: MIT
#pragma once

#include "backends/interface/op_support.hpp"

namespace splitscope {

/// Products are worth the library from this many rows, columns and terms on.
constexpr std::int64_t kBlasSmallest = 32;

/// Products worth the library: MUL_MAT with weights of any readable type, and OUT_PROD of floats, contiguous,
/// with kBlasSmallest or more rows, columns and terms. Views and NONE cost nothing. Everything else is
/// refused.
OpSupport blas_supports(const OpQuery& query);

}  // namespace splitscope
