// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/planning/plan_model.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/job.hpp"
#include "ui/models/finding_list.hpp"

namespace splitscope::ui {

/// What every view shows: an analysis with all that is derived from it. Made on a worker; only the replay
/// moves afterwards.
struct Shown {
    std::shared_ptr<const Analysis> analysis;
    std::shared_ptr<const Summary> summary;
    /// Whether the model fits and what it needs for prompt and generation, whichever graph is shown: the
    /// figures of `splitscope plan`. Null without a model.
    std::shared_ptr<const ModelPlan> plan;
    std::vector<FindingRow> findings;
    std::shared_ptr<Replay> replay;
    std::vector<int> position_of;  ///< per tensor: position in Graph::nodes, -1 for leafs

    std::size_t decision_count() const { return analysis->schedule->decisions.size(); }
    /// Its position in execution order, or -1.
    int position(TensorId tensor) const;
    /// The split that computes it; none for a leaf.
    SplitId split(TensorId tensor) const;
};

/// Its replay is at the last decision.
std::shared_ptr<const Shown> derive_shown(std::shared_ptr<const Analysis> analysis, const JobContext& job);

}  // namespace splitscope::ui
