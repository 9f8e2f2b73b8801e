// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "backends/interface/backend.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Checks before a run that every backend supports the nodes assigned to it: a machine file may claim more
/// than the real backend supports. `backends` in machine order. Throws Error(unsupported) for the first
/// refusal, with backend, operation, type and tensors.
void require_supported(const Schedule& schedule, std::span<Backend* const> backends);

}  // namespace splitscope
