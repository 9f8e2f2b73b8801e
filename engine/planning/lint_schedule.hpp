// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/planning/lint.hpp"

namespace splitscope {

/// A scheduled graph, as input of the rules.
struct ScheduledGraph {
    const Schedule& schedule;
    const AllocationPlan& plan;
    const Machine& machine;               ///< with the graph's buffers
    const Estimate& cost;                 ///< may be unknown
    Message title{};                      ///< "a prompt of 512 tokens", a file's name
    const ModelLayout* layout = nullptr;  ///< of a model's graph
    /// The remedy for uploads with the fastest prompts; empty = not compared.
    Message upload_remedy{};
};

/// Rules that only need a schedule: scheduling and planning errors, hazards, CPU detours, weights and caches
/// that cross a link, splits with full input lists. O(graph). Appends to `out`.
void lint_schedule(const ScheduledGraph& graph, std::vector<Finding>& out);

/// Bytes of weights in the CPU's memory among the inputs of the devices' splits.
std::uint64_t uploaded_weights(const Schedule& schedule, const Machine& machine);

}  // namespace splitscope
