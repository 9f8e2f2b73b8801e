// SPDX-License-Identifier: MIT
#include "engine/scheduler/recorded.hpp"

#include <algorithm>

namespace splitscope {
namespace {

std::size_t copies_in(const std::vector<Split>& splits) {
    std::size_t copies = 0;
    for (const Split& split : splits) copies += split.inputs.size();
    return copies;
}

}  // namespace

RecordedComparison compare_with_recorded(const Schedule& ours, const RecordedSchedule& recorded) {
    const auto& backends = ours.machine->backends;
    // Maps recorded backends to those of the machine.
    std::vector<BackendId> same_as(recorded.backends.size());
    for (std::size_t i = 0; i < same_as.size(); ++i) {
        const auto found = std::ranges::find(backends, recorded.backends[i], &MachineBackend::name);
        if (found != backends.end())
            same_as[i] = BackendId(static_cast<std::size_t>(found - backends.begin()));
    }
    const auto is_same = [&](BackendId mine, BackendId theirs) {
        return mine.valid() && same_as[theirs.index()] == mine;
    };

    RecordedComparison result;
    result.ends_early = recorded.ends_early;
    const std::size_t tensors = std::min(recorded.backend.size(), ours.backend.size());
    for (std::size_t t = 0; t < tensors; ++t) {
        const BackendId theirs = recorded.backend[t];
        if (!theirs.valid()) continue;
        ++result.compared;
        const BackendId mine = ours.backend[t];
        if (is_same(mine, theirs)) continue;
        result.elsewhere.push_back({TensorId(t), recorded.backends[theirs.index()],
                                    mine.valid() ? backends[mine.index()].name : std::string()});
    }

    result.recorded_splits = recorded.splits.size();
    result.our_splits = ours.splits.size();
    result.recorded_copies = copies_in(recorded.splits);
    result.our_copies = copies_in(ours.splits);
    if (recorded.splits.empty()) return result;
    const std::size_t both = std::min(result.recorded_splits, result.our_splits);
    for (std::size_t s = 0; s < both && !result.first_split; ++s) {
        const Split& theirs = recorded.splits[s];
        const Split& mine = ours.splits[s];
        const bool same = is_same(mine.backend, theirs.backend) && mine.start == theirs.start &&
                          mine.end == theirs.end && mine.inputs == theirs.inputs;
        if (!same) result.first_split = SplitId(s);
    }
    if (!result.first_split && result.recorded_splits != result.our_splits)
        result.first_split = SplitId(both);
    return result;
}

}  // namespace splitscope
