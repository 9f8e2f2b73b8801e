// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/live_machine.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The recorded decisions as a Schedule, for views and reports: backends, splits, and the copies that they
/// need. Decisions have no causes, because none are recorded. The machine must have the backends of the
/// recording, in the same order. Where the recording has no backend, a node takes that of its split, and any
/// other tensor the CPU. Throws Cancelled.
Schedule schedule_as_recorded(std::shared_ptr<const Graph> graph, const LiveMachine& live,
                              Generation generation, const RecordedSchedule& recorded,
                              const JobContext& job = {});

}  // namespace splitscope
