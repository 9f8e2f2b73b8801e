// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/importers/scheduler_log.hpp"

namespace splitscope::golden {

/// The first difference between the simulated graph and the recorded one, in the form of a scheduler's log:
/// number, operation, name, size, device, uses and sources of each node, and the splits. Inputs without a
/// name are identified by size and position.
std::string first_difference(const LoggedGraph& ours, const LoggedGraph& recorded);

}  // namespace splitscope::golden
