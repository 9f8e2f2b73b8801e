// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/attach/attached_program.hpp"
#include "engine/execution/compare_nodes.hpp"

namespace splitscope {

/// Computes again what a program computes, node by node from the program's own operands, and compares: an
/// error is that of the node alone. Every node of one graph has to be stopped at, since later nodes take the
/// memory of earlier ones.
class ProgramComparison {
 public:
    /// `kernels` computes in host memory, and outlives the object.
    explicit ProgramComparison(Backend& kernels) : kernels_(kernels) {}

    /// At a stop behind a node. Nothing for a node whose operands are not known: one that writes into memory
    /// that holds more than its result, such as a cache, or whose operand was overwritten unseen. Errors:
    /// those of AttachedProgram::read, memory.
    std::optional<NodeComparison> compare(AttachedProgram& program, const AttachStop& stop,
                                          const JobContext& job = {});

 private:
    std::optional<std::vector<std::byte>> operand(AttachedProgram& program, const Graph& graph,
                                                  TensorId tensor, const JobContext& job) const;

    Backend& kernels_;
    std::uint64_t computation_ = 0;
    std::map<TensorId, std::vector<std::byte>> results_;  ///< of the computation, by node
};

}  // namespace splitscope
