// SPDX-License-Identifier: MIT
#include "engine/reports/report.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/messages/render.hpp"
#include "engine/planning/messages.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/palette.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope {
namespace report_parts {

Table new_table(std::string id, std::string title, std::vector<Column> columns,
                const ReportOptions& options) {
    Table table;
    table.id = std::move(id);
    table.title = std::move(title);
    table.columns = std::move(columns);
    table.max_rows = options.max_rows;
    return table;
}

Cell cell(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return static_cast<double>(value);
    }
    return static_cast<std::int64_t>(value);
}

}  // namespace report_parts

Report make_report(const Analysis& analysis, const RunResult* run, const ReportOptions& options) {
    using namespace report_parts;
    Report report;
    report.title = analysis.session.file->title();
    const Schedule& schedule = *analysis.schedule;
    if (schedule.error) {
        report.error = english(msg::kSchedulingEndsEarly(schedule.error->message));
    } else if (analysis.plan->error) {
        report.error = english(msg::kPlanningEndsEarly(*analysis.plan->error));
    }
    const auto& backends = analysis.machine->backends;
    for (std::size_t b = 0; b < backends.size(); ++b) {
        report.backends.push_back({backends[b].name, std::string(backend_colour(b, backends.size()))});
    }
    const std::size_t tensors = analysis.graph->tensors.size() + schedule.added.size();
    report.tensor_names.reserve(tensors);
    for (std::size_t i = 0; i < tensors; ++i)
        report.tensor_names.push_back(schedule.tensor(TensorId(i)).name);

    const Summary summary = summarise(analysis);
    report.headline = summary.line(*analysis.schedule);
    add_summary(report, analysis, summary, options);
    if (options.plans != nullptr) add_memory(report, *options.plans, options);
    add_machine(report, analysis, options);
    add_passes(report, analysis, options);
    add_splits(report, analysis, options);
    add_buffers(report, analysis, options);
    add_findings(report, analysis, options);
    add_suggestions(report, analysis, summary, options);
    if (run != nullptr) add_run(report, analysis, *run, options);
    if (options.comparison != nullptr) add_comparison(report, *options.comparison, options);
    add_provenance(report, analysis, options);
    for (const ReportSection section : kReportSections) {
        if (std::ranges::find(options.sections, section) == options.sections.end()) continue;
        if (section == ReportSection::run && !report.run) continue;
        if (section == ReportSection::comparison && !report.comparison) continue;
        report.sections.push_back(section);
    }
    return report;
}

bool Report::has(ReportSection section) const {
    return std::ranges::find(sections, section) != sections.end();
}

std::string_view name_of(ReportSection section) {
    constexpr std::array<std::string_view, kReportSections.size()> names = {
        "summary", "findings", "suggestions", "machine",    "passes",
        "splits",  "buffers",  "run",         "comparison", "made"};
    return names[static_cast<std::size_t>(section)];
}

Message title_of(ReportSection section) {
    constexpr std::array<const Sentence<>*, kReportSections.size()> titles = {
        &msg::kSummarySection,    &msg::kFindingsSection,  &msg::kSuggestionsSection, &msg::kMachineSection,
        &msg::kPassesSection,     &msg::kSplitsSection,    &msg::kBuffersSection,     &msg::kRunSection,
        &msg::kComparisonSection, &msg::kProvenanceSection};
    return *titles[static_cast<std::size_t>(section)];
}

std::optional<ReportSection> report_section_named(std::string_view name) {
    for (const ReportSection section : kReportSections) {
        if (name_of(section) == name) return section;
    }
    return std::nullopt;
}

}  // namespace splitscope
