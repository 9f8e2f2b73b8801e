// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The scheduled graph in Graphviz's language: a cluster per split in the order of execution, nodes in the
/// colour of their backend, copies in red with their bytes. An input, weight or cache is drawn anew in each
/// split that reads it: shared ones tie the whole graph together and make layouts slow and unreadable. Names
/// are escaped. Linear in the size of the graph.
std::string graph_dot(const Schedule& schedule);

}  // namespace splitscope
