// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/planning/plan_model.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// The plan of an analysed model, with only a verdict if planning fails; null without a model. Throws
/// Cancelled.
std::shared_ptr<const ModelPlan> plan_of(const Analysis& analysis, const JobContext& job);

/// summarise(), with the figures of the plan unless it is null.
Summary planned_summary(const Analysis& analysis, const ModelPlan* plan);

}  // namespace splitscope::ui
