// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/planning/lint.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// The snapshot shown by all views: an analysis with derived data. Created on a worker; afterwards only the
/// replay changes.
struct Shown {
    std::shared_ptr<const Analysis> analysis;
    std::shared_ptr<const Summary> summary;
    /// Verdict and memory for prompt and generation, independent of the displayed graph: the figures of
    /// `splitscope plan`. Null without a model.
    std::shared_ptr<const ModelPlan> plan;
    std::vector<Finding> findings;
    std::shared_ptr<Replay> replay;
    std::vector<int> position_of;  ///< per tensor: position in Graph::nodes, -1 for leafs

    std::size_t decision_count() const { return analysis->schedule->decisions.size(); }
    /// Position in execution order, or -1.
    int position(TensorId tensor) const;
    /// The split that computes the tensor; none for a leaf.
    SplitId split(TensorId tensor) const;
};

/// The replay starts at the last decision.
std::shared_ptr<const Shown> derive_shown(std::shared_ptr<const Analysis> analysis, const JobContext& job);

}  // namespace splitscope::ui
