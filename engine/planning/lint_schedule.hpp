// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/planning/lint.hpp"

namespace splitscope {

/// One scheduled graph as the rules look at it.
struct ScheduledGraph {
    const Schedule& schedule;
    const AllocationPlan& plan;
    const Machine& machine;  ///< with the graph's buffers
    const Estimate& cost;    ///< may be unknown
    Message title{};         ///< "a prompt of 512 tokens", a file's name
};

/// The rules that need nothing but a schedule: what ends scheduling or planning, hazards, detours to the CPU,
/// uploaded weights, splits that are full of inputs. Linear in the graph. Appends to `out`.
void lint_schedule(const ScheduledGraph& graph, std::vector<LintFinding>& out);

/// Bytes of weights among the inputs that splits copy.
std::uint64_t uploaded_weights(const Schedule& schedule, const Machine& machine);

}  // namespace splitscope
