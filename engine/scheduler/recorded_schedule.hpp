// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What was recorded as a schedule that every view reads: each tensor where it was, the recorded splits, and
/// the copies that they need. Its decisions have no causes, since none were recorded. Backends of the machine
/// are those of the recording, in their order. What the recording leaves open is closed as simply as
/// possible: a node is where its split is, anything else on the CPU. Throws Cancelled.
Schedule schedule_as_recorded(std::shared_ptr<const Graph> graph, const LiveMachine& live,
                              Generation generation, const RecordedSchedule& recorded,
                              const JobContext& job = {});

}  // namespace splitscope
