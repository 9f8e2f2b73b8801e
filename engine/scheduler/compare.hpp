// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A tensor of the graph that two schedules decided on differently.
struct TensorDifference {
    TensorId tensor;
    /// The first pass in which its decisions differ: the earlier one where each has another.
    Pass pass = Pass::p1;
    /// Index of the first decision that differs, in the decisions of each; nothing where one has no more.
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    BackendId backend_a;  ///< after the last pass
    BackendId backend_b;

    bool elsewhere = false;  ///< ends up on another backend; never where a side gave up
};

/// How two schedules of the same graph differ. Where one gave up, only what it decided until then is
/// compared, and no tensor has an end to compare.
struct ScheduleComparison {
    std::vector<TensorDifference> tensors;  ///< in graph order
    std::size_t elsewhere = 0;              ///< of these, how many end up on another backend
    bool gave_up_a = false;
    bool gave_up_b = false;
    std::size_t not_reached = 0;  ///< tensors that one side decided on and the other, giving up, no more
    /// The first split that differs in backend, node range or inputs; none where a side gave up.
    std::optional<SplitId> first_split;
    std::uint64_t copied_bytes_a = 0;
    std::uint64_t copied_bytes_b = 0;

    bool gave_up() const { return gave_up_a || gave_up_b; }
    bool same() const { return tensors.empty() && !first_split && gave_up_a == gave_up_b; }
};

/// Compares the decisions on the tensors of the graph (not those on copies), the splits, and whether
/// scheduling failed. Both schedules must be of graphs with the same tensors; throws Error(usage) when their
/// number differs, Cancelled when the job is to stop. Linear in the decisions.
ScheduleComparison compare(const Schedule& a, const Schedule& b, const JobContext& job = {});

}  // namespace splitscope
