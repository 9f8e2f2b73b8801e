// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backends/interface/backend.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Asks every backend about the nodes that the schedule gives to it, before anything is computed: a machine
/// file may promise what the backend behind it cannot do. `backends` in the order of the machine. Throws
/// Error(unsupported) for the first refusal, naming backend, operation, type and tensors.
void require_supported(const Schedule& schedule, std::span<Backend* const> backends);

}  // namespace splitscope
