// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attach/attached_program.hpp"
#include "engine/attach/program_profile.hpp"
#include "engine/execution/compare_nodes.hpp"
#include "engine/session/verify_schedule.hpp"

namespace splitscope {

/// A tensor at a stop.
struct SeenTensor {
    std::string role;  ///< "result", "operand 0"
    std::string name;  ///< with its number if several have its name and operation
    Tensor tensor;
    std::string backend;
    RemoteStatistics values;
};

struct SeenStop {
    std::shared_ptr<const AttachStop> stop;
    std::vector<SeenTensor> tensors;
};

/// A node with a result that differs from the CPU backend's.
struct AttachDifference {
    std::shared_ptr<const AttachStop> stop;
    NodeComparison result;
};

/// A computation whose nodes were compared.
struct ComparedComputation {
    std::uint64_t number = 0;
    std::shared_ptr<const AttachedGraph> graph;
    std::size_t compared = 0;
    std::size_t left_out = 0;
    bool complete = false;  ///< it was computed to its end
};

/// Nodes recomputed by Splitscope's CPU kernels from the program's operands, and the nodes that wrote
/// outside their results.
struct AttachComparison {
    std::vector<ComparedComputation> graphs;
    std::vector<AttachDifference> exceeding;
    std::optional<SeenStop> first;  ///< the values of the first of them
    std::vector<StrayWrite> stray_writes;

    std::size_t compared() const;
    std::size_t left_out() const;
    /// Whether all graphs were computed to their ends.
    bool complete() const;
    bool same() const { return exceeding.empty() && stray_writes.empty(); }
};

/// Everything recorded of a program until its end.
struct AttachedRun {
    std::string program;
    std::uint64_t computations = 0;
    std::optional<bool> not_finite;  ///< whether --first-nan found a value; none = not requested
    std::vector<std::shared_ptr<const AttachedGraph>> graphs;
    std::vector<SeenStop> stops;
    std::vector<std::string> never_met;  ///< conditions of --break
    std::optional<std::vector<ShapeProfile>> profile;
    std::optional<AttachComparison> comparison;
    std::optional<std::vector<VerifiedGraph>> verification;
    AttachEnd end;
    std::vector<std::string> unloaded_backends;  ///< files
    bool detached = false;                       ///< the program had not ended
};

/// What `attach --json` prints.
std::string write_attach_json(const AttachedRun& run);

std::string_view name_of(TensorState state);

}  // namespace splitscope
