// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/importers/scheduler_log.hpp"

namespace splitscope::golden {

/// What differs first between our graph and the recorded one, both as a scheduler's log has them: number,
/// operation, name, size, device, uses and sources of each node, and the splits. Inputs that have no name
/// here are told by size and place alone.
std::string first_difference(const LoggedGraph& ours, const LoggedGraph& recorded);

}  // namespace splitscope::golden
