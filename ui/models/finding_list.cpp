// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/finding_list.hpp"

#include <fmt/format.h>

#include "engine/scheduler/findings.hpp"

namespace splitscope::ui {
namespace {

const char* title_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::copy_overlaps_original:
            return "Copy on its own original";
        case FindingKind::copied_before_computed:
            return "Copied before it is computed";
    }
    return "";
}

}  // namespace

std::vector<FindingRow> list_findings(const Analysis& analysis, const Summary& summary) {
    std::vector<FindingRow> rows;
    const Schedule& schedule = *analysis.schedule;
    if (schedule.error) {
        rows.push_back({FindingRow::Kind::error, "Scheduling ended early", schedule.error->message,
                        schedule.error->tensor, SplitId()});
    }
    if (analysis.plan && analysis.plan->error) {
        rows.push_back(
            {FindingRow::Kind::error, "No memory plan", *analysis.plan->error, TensorId(), SplitId()});
    }
    if (analysis.plan) {
        for (const Finding& finding : find_hazards(schedule, *analysis.plan)) {
            rows.push_back({FindingRow::Kind::hazard, title_of(finding.kind), describe(finding, schedule),
                            finding.tensor, finding.split});
        }
    }
    for (const Summary::Fallback& fallback : summary.fallbacks) {
        rows.push_back({FindingRow::Kind::fallback,
                        fmt::format("CPU fallback: {} ×{}", name_of(fallback.op), fallback.count),
                        fallback.reason, fallback.first, SplitId()});
    }
    return rows;
}

}  // namespace splitscope::ui
