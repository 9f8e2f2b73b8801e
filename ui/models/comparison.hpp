// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "engine/planning/given_switches.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// A tensor with different decisions, or on one side only.
struct ComparedTensor {
    TensorId a;
    TensorId b;
    std::optional<Pass> pass;  ///< first differing pass; empty for a tensor of one side only
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    bool elsewhere = false;  ///< the final backends differ
};

/// Two sides and their differences: one session under two generations, or two sessions.
struct Comparison {
    QString name_a;
    QString name_b;
    /// Which graph each side schedules and how it was built.
    QString built;
    std::shared_ptr<const Analysis> a;
    std::shared_ptr<const Analysis> b;
    /// With the figures of the plans, as the summaries of all views.
    Summary summary_a;
    Summary summary_b;
    /// Null without a model, and for a recording.
    std::shared_ptr<const ModelPlan> plan_a;
    std::shared_ptr<const ModelPlan> plan_b;
    DifferentSwitches switches;  ///< empty unless both sides are sessions of models
    std::vector<ComparedTensor> tensors;
    std::size_t elsewhere = 0;    ///< 0 if a side failed, because it has no final backends
    std::size_t not_reached = 0;  ///< by a side that failed
    /// Per tensor of a's graph: its counterpart in the open analysis, or none. Older generations use another
    /// form of a model's graph.
    std::vector<TensorId> open_tensor;
    bool open_is_compared = true;        ///< a's graph is the displayed one
    std::optional<SplitId> first_split;  ///< first difference; for generations and recordings only
    /// For a comparison with a recording: b has its backends and splits, but no decisions.
    struct Recorded {
        std::size_t compared = 0;  ///< tensors with a recorded backend
        std::size_t splits = 0;    ///< 0 = not recorded
        bool same_nodes = true;
    };
    std::optional<Recorded> recorded;

    /// Index in `tensors` of the first different decision; none without decisions.
    std::optional<std::size_t> first_decision() const;

    bool gave_up() const { return a->schedule->error || b->schedule->error; }
    bool same() const {
        return tensors.empty() && !first_split && !gave_up() && (!recorded || recorded->same_nodes);
    }
    /// Whether every view can show b: a recording has no decisions to show.
    bool can_be_shown() const { return !recorded; }
};

/// Compares the session's graph under its own generation (a) and another one (b). `plan`: of the session,
/// null without a model. Throws as analyse().
Comparison compare_with_generation(std::shared_ptr<const Analysis> analysis,
                                   std::shared_ptr<const ModelPlan> plan, Generation other,
                                   const JobContext& job);

/// Compares the analysed log or recording (a) with the recorded decisions (b): on the graph of the file or,
/// if `model` is not empty, on the graph built from that model. Throws as replay_on_model().
Comparison compare_with_recorded(std::shared_ptr<const Analysis> analysis, const std::filesystem::path& model,
                                 const JobContext& job);

/// Compares an analysis (a) with a file (b): session, model or recorded graph. `plan`: of the analysis, null
/// without a model. Throws as opening a file.
Comparison compare_with_file(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const ModelPlan> plan,
                             const std::filesystem::path& path, const JobContext& job);

}  // namespace splitscope::ui
