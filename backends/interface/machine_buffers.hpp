// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope {

/// The machine's description of each of the graph's buffers, by BufferRef: the first one with its name, or
/// null. Refers to the machine.
std::vector<const MachineBuffer*> machine_buffers(const Machine& machine, const Graph& graph);

}  // namespace splitscope
