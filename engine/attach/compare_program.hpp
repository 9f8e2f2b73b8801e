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

/// Recomputes each node of a program from the program's operands and compares the results, so that errors do
/// not accumulate. The program has to stop at every node of a graph, because later nodes reuse the memory of
/// earlier ones.
class ProgramComparison {
 public:
    /// `kernels` computes in host memory and must outlive the object.
    explicit ProgramComparison(Backend& kernels) : kernels_(kernels) {}

    /// Call at a stop after a node. Empty for a node whose operands are unknown: one that writes into memory
    /// larger than its result, such as a cache, or whose operand was overwritten or repacked. Errors: those
    /// of AttachedProgram::read, memory.
    std::optional<NodeComparison> compare(AttachedProgram& program, const AttachStop& stop,
                                          const JobContext& job = {});
    /// Call when a node has changed a tensor's values: later nodes read the changed ones.
    void forget(const Graph& graph, TensorId changed);

 private:
    std::optional<std::vector<std::byte>> operand(AttachedProgram& program, const Graph& graph,
                                                  TensorId tensor, const JobContext& job) const;
    void begin(std::uint64_t computation, const Graph& graph);
    void drop_results_read_by(const Graph& graph, TensorId node);

    Backend& kernels_;
    std::uint64_t computation_ = 0;
    /// Of nodes that are read later, in the current computation.
    std::map<TensorId, std::vector<std::byte>> results_;
    std::vector<TensorId> last_reader_;  ///< per tensor of its graph, the last node that reads its memory
};

}  // namespace splitscope
