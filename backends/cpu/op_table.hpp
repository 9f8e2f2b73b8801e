// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "backends/cpu/op_context.hpp"
#include "engine/tensor/op_query.hpp"

namespace splitscope::cpu {

/// The CPU's implementation of one operation.
struct OpKernel {
    void (*compute)(OpContext& context) = nullptr;
    /// Size of the memory shared by threads; null: none.
    std::size_t (*shared_bytes)(const OpNode& node) = nullptr;
    /// Size of each thread's scratch memory; null: four times the longest row of the tensors.
    std::size_t (*scratch_floats)(const OpNode& node) = nullptr;
    /// Maximum number of threads; null: one per result row. Kernels that call sync_threads() rely on all of
    /// them.
    std::int64_t (*max_tasks)(const OpNode& node) = nullptr;
};

/// A row of the table.
struct KernelRow {
    Op op = Op::none;
    OpKernel kernel;
};

/// Null if the CPU does not support this operation.
const OpKernel* find_kernel(Op op);

/// Whether a kernel supports the operation, regardless of the memory of its sources.
OpSupport kernel_supports(const OpQuery& query);

/// For single-threaded kernels.
constexpr std::int64_t one_task(const OpNode& /*node*/) {
    return 1;
}

std::size_t shared_bytes(const OpNode& node);
std::size_t scratch_floats(const OpNode& node);
std::int64_t max_tasks(const OpNode& node);

}  // namespace splitscope::cpu
