// SPDX-License-Identifier: MIT
#include "engine/reports/report.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/messages/render.hpp"
#include "engine/planning/device_label.hpp"
#include "engine/planning/messages.hpp"
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

std::string labelled(const Report& report, const Message& message) {
    return english(with_names(message, [&](const std::string& name) { return report.label_of(name); }));
}

std::string count_text(std::size_t count) {
    return format_count(static_cast<std::int64_t>(count));
}

}  // namespace report_parts

Report make_report(const Analysis& analysis, const RunResult* run, const ReportOptions& options) {
    Report report;
    report.title = analysis.session.file->title();
    const Schedule& schedule = *analysis.schedule;
    const auto& backends = analysis.machine->backends;
    const std::vector<std::string> labels = labels_of_devices(analysis);
    for (std::size_t b = 0; b < backends.size(); ++b) {
        report.backends.push_back(
            {backends[b].name, labels[b], std::string(backend_colour(b, backends.size()))});
    }
    if (schedule.error) {
        report.error = report_parts::labelled(report, msg::kSchedulingEndsEarly(schedule.error->message));
    } else if (analysis.plan->error) {
        report.error = report_parts::labelled(report, msg::kPlanningEndsEarly(*analysis.plan->error));
    }
    const std::size_t tensors = analysis.graph->tensors.size() + schedule.added.size();
    report.tensor_names.reserve(tensors);
    for (std::size_t i = 0; i < tensors; ++i)
        report.tensor_names.push_back(schedule.tensor(TensorId(i)).name);

    Summary summary = summarise(analysis);
    // One memory per device: that of prompt and generation.
    if (options.plans != nullptr) apply_plan_figures(summary, options.plans->plan);
    report.headline = summary.line(schedule, labels);
    const ReportInput input{analysis, summary, run, options};
    for (const ReportSection& section : report_sections()) {
        std::vector<Part> parts = section.make(input, report);
        const bool wanted = std::ranges::find(options.sections, section.name) != options.sections.end();
        if (wanted && !parts.empty()) report.sections.push_back({&section, std::move(parts)});
    }
    return report;
}

const ReportContent* Report::find(std::string_view section) const {
    const auto found = std::ranges::find(sections, section, &ReportContent::name);
    return found == sections.end() ? nullptr : &*found;
}

std::string Report::label_of(const std::string& name) const {
    const auto found = std::ranges::find(backends, name, &ReportBackend::name);
    return found == backends.end() ? name : found->label;
}

std::string Report::shown(const Cell& cell, ColumnKind kind) const {
    const std::string* name = kind == ColumnKind::backend ? text_of(cell) : nullptr;
    return name == nullptr ? format_cell(cell, kind) : label_of(*name);
}

Table Report::labelled(Table table) const {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].kind != ColumnKind::backend) continue;
        for (auto& row : table.rows)
            if (text_of(row[c]) != nullptr) row[c] = shown(row[c], ColumnKind::backend);
    }
    return table;
}

const ReportSection* find_report_section(std::string_view name) {
    const auto sections = report_sections();
    const auto found = std::ranges::find(sections, name, &ReportSection::name);
    return found == sections.end() ? nullptr : &*found;
}

std::vector<std::string_view> report_section_names() {
    std::vector<std::string_view> names;
    for (const ReportSection& section : report_sections()) names.push_back(section.name);
    return names;
}

bool has_content(const Group& group) {
    return std::ranges::any_of(group.parts, [](const Part& part) {
        if (const auto* table = std::get_if<ShownTable>(&part.what)) return !table->table.rows.empty();
        const auto* inner = std::get_if<Group>(&part.what);
        return inner == nullptr || has_content(*inner);
    });
}

}  // namespace splitscope
