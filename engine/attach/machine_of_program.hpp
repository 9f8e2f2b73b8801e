// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "backends/interface/machine.hpp"
#include "engine/attach/stop_condition.hpp"

namespace splitscope {

/// The devices of a program as a machine for other graphs: buffer types, offloading and pipelining as its
/// last graph has them, and what its devices answered about the nodes of all graphs as rules. An operation
/// that was always refused is unsupported; one that was refused with a type of its tensors, and never
/// accepted with it, is unsupported with that type. What was both refused and accepted beyond that is left
/// out, since nothing is known of the reason. Without graphs an empty machine.
Machine machine_of_program(std::span<const std::shared_ptr<const AttachedGraph>> graphs);

}  // namespace splitscope
