// SPDX-License-Identifier: MIT
#pragma once

#include "engine/planning/plan_model.hpp"

namespace splitscope {

/// If op offload uploads weights for prompts and speeds can be estimated, plans them without op offload and
/// with larger micro-batches, and sets `plan.upload_remedy` to the fastest that fits as well as the plan.
/// Includes the companions of `plan`. Throws Cancelled.
void compare_upload_remedies(ModelPlan& plan, const Model& model, const Hardware& hardware,
                             Generation generation, const JobContext& job = {});

}  // namespace splitscope
