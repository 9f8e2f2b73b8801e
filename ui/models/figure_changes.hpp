// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/planning/plan_model.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// One figure, or a text, before and after.
struct FigureChange {
    QString name;
    QString before;
    QString after;
    double difference = 0;  ///< after minus before; for texts, 1 if they differ
    bool of_setup = false;  ///< the verdict or a speed, by which setups are chosen
    bool changed() const { return difference != 0; }
};

struct Figures {
    const Analysis& analysis;
    const Summary& summary;
    const ModelPlan* plan = nullptr;  ///< null without a model
};

/// Verdict and speeds if both sides have a plan, the devices if they differ, splits, copies, bytes copied per
/// token (per run if their number is unknown), then nodes, compute buffers, weights and caches of the devices
/// that both have, matched by label.
std::vector<FigureChange> figure_changes(const Figures& before, const Figures& after);

/// "splits 3 → 5 · copied 1.0 KiB → 2.0 KiB", or "no difference".
QString changes_text(const std::vector<FigureChange>& changes);

}  // namespace splitscope::ui
