// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "backends/cpu/op_context.hpp"
#include "backends/interface/op_support.hpp"

namespace splitscope::cpu {

/// How the CPU computes one operation.
struct OpKernel {
    void (*compute)(OpContext& context) = nullptr;
    /// Null: any node of this operation.
    OpSupport (*supports)(const OpQuery& query) = nullptr;
    /// Sources that it cannot do without: the first ones. Others may follow.
    int needed_sources = 1;
    /// Memory that the threads share; null: none.
    std::size_t (*shared_bytes)(const OpNode& node) = nullptr;
    /// Memory of each thread; null: four of the longest row among the tensors.
    std::size_t (*scratch_floats)(const OpNode& node) = nullptr;
    /// How many threads can take part; null: one for each row of the result. Kernels that call
    /// wait_for_others() count on all of them being there.
    std::int64_t (*max_tasks)(const OpNode& node) = nullptr;
};

/// Null when the CPU does not compute this operation.
const OpKernel* find_kernel(Op op);

/// The kernel's answer, without looking at where the sources lie.
OpSupport kernel_supports(const OpQuery& query);

/// For kernels that one thread computes.
constexpr std::int64_t one_task(const OpNode& /*node*/) {
    return 1;
}

std::size_t shared_bytes(const OpNode& node);
std::size_t scratch_floats(const OpNode& node);
std::int64_t max_tasks(const OpNode& node);

}  // namespace splitscope::cpu
