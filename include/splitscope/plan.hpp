// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Whether a session's model fits and how fast it would be: ModelPlan::verdict, bytes per device, estimates
/// in tokens per second (0 = not known). Throws Error(usage) for a graph file, and Cancelled.
ModelPlan plan(const Session& session, const JobContext& job = {});

/// The fastest placement that fits on the session's machine; its layers and experts are searched, everything
/// else stays as it is. Throws Error(usage) for a graph file and where a device's speed is not known, and
/// Cancelled.
Suggestion suggest(const Session& session, const SuggestOptions& options = {}, const JobContext& job = {});

/// Findings of a session: its graph, and for a model its plan. The worst first; the same that the window
/// shows.
std::vector<LintFinding> lint(const Session& session, const JobContext& job = {});

}  // namespace splitscope
