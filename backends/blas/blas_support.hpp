// SPDX-License-Identifier: MIT
#pragma once

#include "backends/interface/machine.hpp"
#include "backends/interface/op_support.hpp"

namespace splitscope {

/// Products worth the library: MUL_MAT with weights of any readable type, and OUT_PROD of floats, contiguous,
/// with 32 or more rows, columns and terms. Views and NONE cost nothing. Everything else is refused.
OpSupport blas_supports(const OpQuery& query);

/// A machine's backend that stands for this one: an accelerator called "BLAS…".
bool is_blas(const MachineBackend& backend);

/// Writes what BLAS really takes of a graph into its entries of `supports`, so that schedules made for the
/// machine agree with what runs.
void record_blas_support(Machine& machine, const Graph& graph);

}  // namespace splitscope
