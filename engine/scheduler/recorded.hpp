// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// What a real scheduler was seen to decide on a graph: told by a log or a recording.
struct RecordedSchedule {
    std::vector<std::string> backends;  ///< names, in priority order; BackendIds below index this
    std::vector<BackendId> backend;     ///< per tensor of the graph; none where it is not known
    std::vector<Split> splits;          ///< empty = not known
    int n_copies = 1;
};

/// A tensor that our scheduler put elsewhere than was recorded.
struct RecordedDifference {
    TensorId tensor;
    std::string recorded;
    std::string ours;  ///< empty = on none
};

struct RecordedComparison {
    std::size_t compared = 0;  ///< tensors of which the recording says where they were
    std::vector<RecordedDifference> elsewhere;
    std::size_t recorded_splits = 0;
    std::size_t our_splits = 0;
    std::optional<SplitId> first_split;  ///< the first that differs in backend, nodes or inputs

    bool same() const { return elsewhere.empty() && !first_split; }
};

/// Compares a schedule of ours with what was recorded of the same graph. Backends are the same when their
/// names are. Linear.
RecordedComparison compare_with_recorded(const Schedule& ours, const RecordedSchedule& recorded);

}  // namespace splitscope
