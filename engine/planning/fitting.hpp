// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// llama-server and llama-cli of 2026-08 lower the options that were not given until a margin of each device
/// stays free (placement.md §9). The plan does not include their choice: the message states that they will
/// choose, or why they will not. Empty if the margins hold.
Message fitting_notice(const ModelPlan& plan, const GivenSwitches& given, Program program,
                       Generation generation);

}  // namespace splitscope
