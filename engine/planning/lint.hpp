// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/planning/finding.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

/// Findings of a plan, most severe first.
std::vector<Finding> lint(const ModelPlan& plan);

/// Findings of any schedule, from a model's graph, a graph file or a capture, most severe first. Used by the
/// command line, reports and the window. `plan`, of the same session, adds findings about memory and about
/// its other graph; without it, only the analysed graph is checked.
std::vector<Finding> lint(const Analysis& analysis, const Summary& summary, const ModelPlan* plan = nullptr);
std::vector<Finding> lint(const Analysis& analysis, const ModelPlan* plan = nullptr);

}  // namespace splitscope
