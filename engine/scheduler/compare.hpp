// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A tensor with different decisions in two schedules.
struct TensorDifference {
    TensorId tensor;
    /// The first pass with different decisions; if the passes differ, the earlier one.
    Pass pass = Pass::p1;
    /// Index of the first differing decision in each schedule; empty if one has no more.
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    BackendId backend_a;  ///< after the last pass
    BackendId backend_b;

    bool elsewhere = false;  ///< the final backends differ; false if a side failed
};

/// Differences between two schedules of the same graph. If one failed, only the decisions up to that point
/// are compared, and final backends are not.
struct ScheduleComparison {
    std::vector<TensorDifference> tensors;  ///< in graph order
    std::size_t elsewhere = 0;              ///< tensors among these whose final backends differ
    bool gave_up_a = false;
    bool gave_up_b = false;
    std::size_t not_reached = 0;  ///< tensors decided by one side only, because the other failed
    /// The first split that differs in backend, node range or inputs; none if a side failed.
    std::optional<SplitId> first_split;
    std::uint64_t copied_bytes_a = 0;
    std::uint64_t copied_bytes_b = 0;

    bool gave_up() const { return gave_up_a || gave_up_b; }
    bool same() const { return tensors.empty() && !first_split && gave_up_a == gave_up_b; }
};

/// Compares decisions on tensors of the graph (not on copies), splits, and errors. Both graphs must have the
/// same tensors; throws Error(usage) if their numbers differ, Cancelled. O(decisions).
ScheduleComparison compare(const Schedule& a, const Schedule& b, const JobContext& job = {});

}  // namespace splitscope
