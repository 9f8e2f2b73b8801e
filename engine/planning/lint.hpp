// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/planning/finding.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/summary.hpp"

namespace splitscope {

/// Findings of a plan, most severe first.
std::vector<Finding> lint(const ModelPlan& plan);

/// Findings of any schedule: of a model's graph, a graph file or a capture, most severe first. Used by the
/// command line, reports and the window. `plan` belongs to the same session: its memory is that of prompt and
/// generation, and its other graph is checked too; without it, only the analysed graph is.
std::vector<Finding> lint(const Analysis& analysis, const Summary& summary, const ModelPlan* plan = nullptr);
std::vector<Finding> lint(const Analysis& analysis, const ModelPlan* plan = nullptr);

}  // namespace splitscope
