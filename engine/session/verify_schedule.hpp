// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Splitscope's schedule compared with that of the devices' own scheduler.
struct ScheduleVerification {
    std::size_t tensors = 0;    ///< tensors compared
    std::size_t elsewhere = 0;  ///< tensors on different backends
    std::size_t our_splits = 0;
    std::size_t their_splits = 0;
    std::size_t our_copies = 0;
    std::size_t their_copies = 0;
    struct Size {
        std::string backend;
        std::uint64_t ours = 0;
        std::uint64_t theirs = 0;
    };
    std::vector<Size> sizes;  ///< of compute buffers; empty = unknown
    Message first;            ///< the first difference; empty = none

    bool same() const { return first.empty(); }
};

/// Queries the scheduler of the machine's devices (native_scheduler.hpp) for the analysed graph. Errors:
/// unsupported, if the devices have none; the error that ended the schedule.
ScheduleVerification verify_schedule(const Analysis& analysis);

/// The simulation of a recorded graph compared with the recorded schedule. Its splits and copies are only
/// compared if they were recorded; sizes are no difference, because a scheduler keeps the buffers of its
/// largest graph. Errors: the one that ended the schedule.
ScheduleVerification verify_recorded(const Analysis& simulated, const RecordedSchedule& recorded);

/// A graph of a session.
struct VerifiedGraph {
    std::string graph;  ///< "prompt" and "decode" of a model, else "graph"
    ScheduleVerification verification;
};

/// The verdict on all of them: same, or the first difference.
Message verdict_of(const std::vector<VerifiedGraph>& graphs);

/// All graphs of a session, scheduled by the newest generation, that of current engines. Errors
/// as verify_schedule(), and Cancelled.
std::vector<VerifiedGraph> verify_graphs(Session session, const JobContext& job = {});

}  // namespace splitscope
