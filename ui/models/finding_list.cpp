// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/finding_list.hpp"

namespace splitscope::ui {

std::vector<FindingRow> list_findings(const Analysis& analysis, const Summary& summary,
                                      const ModelPlan* plan) {
    return lint(analysis, summary, plan);
}

}  // namespace splitscope::ui
