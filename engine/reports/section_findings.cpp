// SPDX-License-Identifier: MIT
// The findings of `splitscope lint` and the window for the same session.
#include <utility>

#include "engine/planning/lint.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

std::vector<Part> findings_parts(const ReportInput& input, Report& report) {
    const Schedule& schedule = *input.analysis.schedule;
    Table table = new_table("findings", "Findings",
                            {{"severity", "Severity", ColumnKind::text},
                             {"finding", "Finding", ColumnKind::text},
                             {"split", "Split", ColumnKind::count},
                             {"tensor", "Tensor", ColumnKind::name},
                             {"cause", "Why", ColumnKind::text},
                             {"remedy", "What to do", ColumnKind::text}},
                            input.options);
    for (const Finding& finding :
         lint(input.analysis, input.options.plans != nullptr ? &input.options.plans->plan : nullptr)) {
        // Override rules name buffer types, which are called as their devices.
        const bool of_rule = finding.rule.starts_with("override-");
        const auto words = [&](const Message& message) {
            return of_rule ? english(message) : labelled(report, message);
        };
        table.add({std::string(name_of(finding.severity)), words(finding.finding()),
                   finding.split.valid() ? cell(finding.split.index()) : Cell(),
                   finding.tensor.valid() ? Cell(schedule.tensor(finding.tensor).name) : Cell(),
                   words(finding.cause), words(finding.remedy)});
    }
    std::vector<Part> parts;
    if (table.rows.empty()) {
        parts.emplace_back(Note{"No findings."});
    } else {
        parts.emplace_back(
            Introduction{"What would abort, give wrong results or crawl, with cause and remedy; 'splitscope "
                         "lint' reports the "
                         "same."});
    }
    parts.emplace_back(ShownTable{std::move(table)});
    return parts;
}

}  // namespace

ReportSection findings_section() {
    return {"findings", msg::kFindingsSection, findings_parts};
}

}  // namespace splitscope::report_parts
