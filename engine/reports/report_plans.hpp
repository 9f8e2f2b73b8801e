// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/planning/suggest.hpp"
#include "engine/session/session.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// What a report tells of a model beyond the graph it shows: the memory of every device for prompt and
/// generation, as `splitscope plan` shows it, and what a search found, as `splitscope suggest` does.
struct ReportPlans {
    ModelPlan plan;
    PlacementChoice choice;                ///< what the session has chosen of what a search chooses
    std::optional<Suggestion> suggestion;  ///< when it was asked for
};

/// Nothing for a graph file. `search` looks for a faster placement, which takes seconds for models with
/// experts; it throws Error(usage) when the speed of a device is not known. Throws Cancelled.
std::optional<ReportPlans> plan_for_report(const Session& session, bool search, const JobContext& job = {});

}  // namespace splitscope
