// SPDX-License-Identifier: MIT
#include "engine/reports/evidence_text.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/scheduler/findings.hpp"

namespace splitscope::report_parts {
namespace {

std::string title_of(FindingKind kind) {
    return kind == FindingKind::copy_overlaps_original ? "copy overlaps its original"
                                                       : "copied before it is computed";
}

}  // namespace

void add_findings(Report& report, const Analysis& analysis, const ReportOptions& options) {
    const Schedule& schedule = *analysis.schedule;
    report.findings = new_table("findings", "Known hazards of this schedule",
                                {{"finding", "Finding", ColumnKind::text},
                                 {"split", "Split", ColumnKind::count},
                                 {"backend", "Backend", ColumnKind::backend},
                                 {"tensor", "Tensor", ColumnKind::name},
                                 {"text", "What it means", ColumnKind::text}},
                                options);
    for (const Finding& finding : find_hazards(schedule, *analysis.plan)) {
        report.findings.add({title_of(finding.kind), cell(finding.split.index()),
                             backend_name(schedule, schedule.splits[finding.split.index()].backend),
                             schedule.tensor(finding.tensor).name, describe(finding, schedule)});
    }
}

}  // namespace splitscope::report_parts
