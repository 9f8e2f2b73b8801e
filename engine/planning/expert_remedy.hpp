// SPDX-License-Identifier: MIT
#pragma once

#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// If the model does not fit, finds the smallest number of first blocks whose experts on the CPU make it fit
/// with suggest()'s margin, everything else as planned.
void find_expert_remedy(ModelPlan& plan, const Model& model, const Hardware& hardware, Generation generation,
                        const JobContext& job);

}  // namespace splitscope
