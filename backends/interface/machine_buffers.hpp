// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// What the machine knows of each of the graph's buffers, by BufferRef: the first one of that name, null when
/// it has none. Refers to the machine.
std::vector<const MachineBuffer*> machine_buffers(const Machine& machine, const Graph& graph);

}  // namespace splitscope
