// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Whether a session's model fits, and its estimated speed: ModelPlan::verdict, bytes per device, tokens per
/// second (0 = unknown). Throws Error(usage) for a graph file, and Cancelled.
ModelPlan plan(const Session& session, const JobContext& job = {});

/// The fastest placement that fits the session's machine. Varies layers and their division between devices,
/// experts, the place of the KV cache and op offload; keeps everything else. Throws Error(usage) for a graph
/// file or if a device's speed is unknown, and Cancelled.
Suggestion suggest(const Session& session, const SuggestOptions& options = {}, const JobContext& job = {});

/// Findings about a session's graph and, for a model, its plan: most severe first, as in the window. Throws
/// Error and Cancelled.
std::vector<Finding> lint(const Session& session, const JobContext& job = {});

}  // namespace splitscope
