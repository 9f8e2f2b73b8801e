// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tensor/op_query.hpp"

namespace splitscope {

/// Minimum rows, columns and terms of a product for BLAS.
constexpr std::int64_t kBlasSmallest = 32;

/// Supports MUL_MAT with weights of any readable type and OUT_PROD of floats, contiguous, with at least
/// kBlasSmallest rows, columns and terms; also views and NONE. Refuses everything else.
OpSupport blas_supports(const OpQuery& query);

}  // namespace splitscope
