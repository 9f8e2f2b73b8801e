// SPDX-License-Identifier: MIT
// What `splitscope lint` and the window tell of the same session.
#include <vector>

#include "engine/planning/lint.hpp"
#include "engine/reports/evidence_text.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

/// The plan knows the prompt's graph too: what it says of memory stands in for what one graph needs.
std::vector<LintFinding> findings_of(const Analysis& analysis, const ReportPlans* plans) {
    std::vector<LintFinding> findings = lint(analysis);
    if (plans == nullptr) return findings;
    const auto of_memory = [](const LintFinding& finding) { return finding.rule == kDoesNotFit; };
    std::erase_if(findings, of_memory);
    std::vector<LintFinding> planned = lint(plans->plan);
    std::erase_if(planned, [&](const LintFinding& finding) { return !of_memory(finding); });
    findings.insert(findings.begin(), planned.begin(), planned.end());
    return findings;
}

}  // namespace

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
    for (const LintFinding& finding : findings_of(analysis, options.plans)) {
        report.findings.add({std::string(name_of(finding.severity)), finding.what,
                             finding.split.valid() ? cell(finding.split.index()) : Cell(),
                             finding.tensor.valid() ? Cell(schedule.tensor(finding.tensor).name) : Cell(),
                             finding.cause, finding.remedy});
    }
}

}  // namespace splitscope::report_parts
