// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"
#include "engine/models/placement/hardware.hpp"
#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// The first used card whose preset counts all of its memory as free, with a name that sets less; empty if
/// there is none.
Message assumed_memory(const ModelPlan& plan, const Hardware& hardware);

}  // namespace splitscope
