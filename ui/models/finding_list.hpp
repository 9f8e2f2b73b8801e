// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/planning/lint.hpp"

namespace splitscope::ui {

/// Something that deserves a look, with its cause, its place and a remedy: what `splitscope lint` and reports
/// tell of the same session.
using FindingRow = LintFinding;

/// The worst first. `plan`: of the same session; null for a graph file.
std::vector<FindingRow> list_findings(const Analysis& analysis, const Summary& summary,
                                      const ModelPlan* plan);

}  // namespace splitscope::ui
