// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/scheduler/recorded.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A recorded graph as scheduled, and the simulated decisions on the recorded machine.
struct RecordedAnalysis {
    /// The simulated schedule if it is equal, with causes; else the recorded schedule without causes.
    std::shared_ptr<const Analysis> theirs;
    std::shared_ptr<const Analysis> ours;
    RecordedComparison comparison;
};

/// `session` must have a file with a graph and a recorded schedule, and the recorded machine. Throws as
/// analyse().
RecordedAnalysis analyse_recorded(const Session& session, const JobContext& job = {});

}  // namespace splitscope
