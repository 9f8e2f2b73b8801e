// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// llama-server and llama-cli of 2026-08 lower what was not given until a margin of each device stays free
/// (placement.md §9). What they choose is not planned here: that they do is said, or why they do not. Empty
/// where the margins hold.
Message what_fitting_does(const ModelPlan& plan, const GivenSwitches& given, Program program,
                          Generation generation);

}  // namespace splitscope
