// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/planning/suggest.hpp"
#include "engine/session/session.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Report data beyond the displayed graph: the memory of every device for prompt and generation (`splitscope
/// plan`), and the result of a search (`splitscope suggest`).
struct ReportPlans {
    ModelPlan plan;
    PlacementChoice choice;                ///< the session's current choice
    std::optional<Suggestion> suggestion;  ///< if requested
};

/// Empty for a graph file. `search` looks for a faster placement, which takes seconds for mixture-of-experts
/// models and throws Error(usage) if the speed of a device is unknown. Throws Cancelled.
std::optional<ReportPlans> plan_for_report(const Session& session, bool search, const JobContext& job = {});

}  // namespace splitscope
