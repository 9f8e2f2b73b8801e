// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/planning/lint.hpp"

namespace splitscope::ui {

/// A problem with cause, place and remedy, as reported by `splitscope lint` and reports.
using FindingRow = LintFinding;

/// Most severe first. `plan` belongs to the same session; null for a graph file.
std::vector<FindingRow> list_findings(const Analysis& analysis, const Summary& summary,
                                      const ModelPlan* plan);

}  // namespace splitscope::ui
