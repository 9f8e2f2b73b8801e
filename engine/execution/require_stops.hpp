// SPDX-License-Identifier: MIT
#pragma once

#include "engine/execution/breakpoint.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {

/// Whether a run of the schedule can stop at the breakpoint, with values that meet its condition. Its
/// `computation` is not considered. `identities` are those of the schedule's graph.
bool can_stop(const Breakpoint& breakpoint, const Schedule& schedule, const TensorIdentities& identities);

/// Throws Error(unknown) unless can_stop(); the remedy has the most similar names.
void require_stops(const Breakpoint& breakpoint, const Schedule& schedule,
                   const TensorIdentities& identities);

}  // namespace splitscope
