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

/// One token's nodes, recomputed by Splitscope's CPU kernels from the program's operands.
struct AttachComparison {
    std::size_t compared = 0;
    std::size_t left_out = 0;
    bool complete = false;  ///< the token was computed to its end
    std::vector<AttachDifference> exceeding;
    std::optional<SeenStop> first;  ///< the values of the first of them
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
};

/// What `attach --json` prints.
std::string write_attach_json(const AttachedRun& run);

std::string_view name_of(TensorState state);

}  // namespace splitscope
