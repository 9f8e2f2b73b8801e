// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The scheduled graph in DOT: one cluster per split in execution order, nodes coloured by backend, copies in
/// red with their size. Inputs, weights and caches are drawn once per split that reads them, because shared
/// ones make layouts slow and unreadable. Names are escaped. O(graph).
std::string graph_dot(const Schedule& schedule);

}  // namespace splitscope
