// SPDX-License-Identifier: MIT
#pragma once

#include "recorder/graph_snapshot.hpp"

namespace splitscope::recorder {

/// As may_hold_mask() of engine/execution/masks.hpp, for a tensor of the graph.
bool may_hold_mask(const Api& api, const GraphSnapshot& graph, int tensor);

}  // namespace splitscope::recorder
