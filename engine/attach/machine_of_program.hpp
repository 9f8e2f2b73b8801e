// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "backends/interface/machine.hpp"
#include "engine/attach/stop_condition.hpp"

namespace splitscope {

/// The devices of a program as a machine for other graphs: buffer types, offloading and pipelining of its
/// last graph, and rules derived from the devices' answers about the nodes of all graphs. An operation that
/// was always refused becomes unsupported; one that was refused with a type of its tensors, and never
/// accepted with it, becomes unsupported with that type. Other refusals are ignored, because their reason
/// is not known. Without graphs, the machine is empty.
Machine machine_of_program(std::span<const std::shared_ptr<const AttachedGraph>> graphs);

}  // namespace splitscope
