// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// One figure, or the devices, before and after; lower is better, except for an accelerator's nodes.
struct FigureChange {
    QString name;
    QString before;
    QString after;
    double difference = 0;  ///< after minus before; for devices, 1 if they differ
    bool changed() const { return difference != 0; }
};

/// The devices if they differ, splits, copies, bytes copied per token (per run if their number is unknown),
/// then nodes, compute buffers, weights and caches of the devices that both have, matched by label.
std::vector<FigureChange> figure_changes(const Analysis& before, const Summary& before_figures,
                                         const Analysis& after, const Summary& after_figures);

/// "splits 3 → 5 · copied 1.0 KiB → 2.0 KiB", or "no difference".
QString changes_text(const std::vector<FigureChange>& changes);

}  // namespace splitscope::ui
