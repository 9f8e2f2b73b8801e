// SPDX-License-Identifier: MIT
// The findings of `splitscope lint` and the window.
#include "engine/planning/lint.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
void add_findings(Report& report, const Analysis& analysis, const ReportOptions& options) {
    const Schedule& schedule = *analysis.schedule;
    report.findings = new_table("findings", "Findings",
                                {{"severity", "Severity", ColumnKind::text},
                                 {"finding", "Finding", ColumnKind::text},
                                 {"split", "Split", ColumnKind::count},
                                 {"tensor", "Tensor", ColumnKind::name},
                                 {"cause", "Why", ColumnKind::text},
                                 {"remedy", "What to do", ColumnKind::text}},
                                options);
    for (const LintFinding& finding :
         lint(analysis, options.plans != nullptr ? &options.plans->plan : nullptr)) {
        report.findings.add({std::string(name_of(finding.severity)), finding.finding(),
                             finding.split.valid() ? cell(finding.split.index()) : Cell(),
                             finding.tensor.valid() ? Cell(schedule.tensor(finding.tensor).name) : Cell(),
                             finding.cause, finding.remedy});
    }
}

}  // namespace splitscope::report_parts
