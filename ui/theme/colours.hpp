// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <cstddef>
#include <vector>

#include "backends/interface/machine.hpp"

namespace splitscope::ui {

/// The colours of a theme, by the names in its JSON file. Backend colours follow Okabe and Ito, which
/// colour-blind readers can distinguish; no information is conveyed by colour alone.
struct Colours {
    bool dark = true;
    QColor window, panel, raised, field, border;
    QColor text, muted, faint;
    QColor accent, accent_text, hover;
    QColor copy, warning, error, success;
    QColor canvas, block, edge;
    std::vector<QColor> backends;
    QColor cpu, unassigned;
    double tint = 0.3;  ///< share of the backend's colour in a node's fill

    /// The CPU, always the last backend, has a fixed colour.
    QColor backend(BackendId id, std::size_t backend_count) const;
    /// Heat colour for a share, 0 … 1.
    QColor heat(double share) const;
    QColor tinted(const QColor& colour, double strength) const;
};

QColor mix(const QColor& a, const QColor& b, double share_of_b);

/// Reads ":/themes/<name>.json"; asserts that it is valid, because it is built in.
Colours load_colours(const QString& name);

}  // namespace splitscope::ui
