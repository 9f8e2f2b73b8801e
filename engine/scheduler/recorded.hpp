// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Decisions of a real scheduler, from a log or a recording.
struct RecordedSchedule {
    std::vector<std::string> backends;  ///< by priority; the BackendIds below index this list
    std::vector<BackendId> backend;     ///< per tensor of the graph; none = unknown
    std::vector<Split> splits;          ///< empty = unknown
    int n_copies = 1;
    /// Per backend, the compute buffer that the scheduler holds after this graph, which is that of its
    /// largest graph; empty = unknown.
    std::vector<std::uint64_t> compute_bytes{};
    bool ends_early = false;  ///< the record ends within the graph
};

/// A tensor with different backends here and in the record.
struct RecordedDifference {
    TensorId tensor;
    std::string recorded;
    std::string ours;  ///< empty = none
};

struct RecordedComparison {
    std::size_t compared = 0;  ///< tensors with a recorded backend
    std::vector<RecordedDifference> elsewhere;
    std::size_t recorded_splits = 0;
    std::size_t our_splits = 0;
    std::size_t recorded_copies = 0;  ///< inputs of all splits
    std::size_t our_copies = 0;
    std::optional<SplitId> first_split;  ///< the first that differs in backend, nodes or inputs
    bool ends_early = false;             ///< the record ends within the graph

    bool same() const { return elsewhere.empty() && !first_split; }
};

/// Compares a schedule with the recorded decisions on the same graph. Backends are matched by name. O(graph).
RecordedComparison compare_with_recorded(const Schedule& ours, const RecordedSchedule& recorded);

}  // namespace splitscope
