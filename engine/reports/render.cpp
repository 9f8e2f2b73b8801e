// SPDX-License-Identifier: MIT
#include "engine/reports/render.hpp"

#include <array>

namespace splitscope {
namespace {

constexpr std::array kFormats = {ReportFormat::html, ReportFormat::markdown, ReportFormat::json,
                                 ReportFormat::csv, ReportFormat::trace};

void collect_tables(const std::vector<Part>& parts, std::vector<const Table*>& tables) {
    for (const Part& part : parts) {
        if (const auto* shown = std::get_if<ShownTable>(&part.what)) tables.push_back(&shown->table);
        if (const auto* group = std::get_if<Group>(&part.what)) collect_tables(group->parts, tables);
    }
}

}  // namespace

std::string_view name_of(ReportFormat format) {
    switch (format) {
        case ReportFormat::html:
            return "html";
        case ReportFormat::markdown:
            return "md";
        case ReportFormat::json:
            return "json";
        case ReportFormat::csv:
            return "csv";
        case ReportFormat::trace:
            return "trace";
    }
    return "html";
}

std::optional<ReportFormat> report_format_named(std::string_view name) {
    for (const ReportFormat format : kFormats) {
        if (name_of(format) == name) return format;
    }
    return std::nullopt;
}

std::optional<ReportFormat> report_format_of(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    if (name.ends_with(".trace.json")) return ReportFormat::trace;
    const std::string extension = path.extension().string();
    if (extension == ".html" || extension == ".htm") return ReportFormat::html;
    if (extension == ".md") return ReportFormat::markdown;
    if (extension == ".json") return ReportFormat::json;
    if (extension == ".csv") return ReportFormat::csv;
    return std::nullopt;
}

ReportOptions options_for(ReportFormat format) {
    ReportOptions options;
    if (format == ReportFormat::html) options.max_rows = 1000;
    if (format == ReportFormat::markdown) options.max_rows = 100;
    return options;
}

std::string render(const Report& report, ReportFormat format) {
    switch (format) {
        case ReportFormat::html:
            return render_html(report);
        case ReportFormat::markdown:
            return render_markdown(report);
        case ReportFormat::json:
            return render_json(report);
        case ReportFormat::csv:
            return render_csv(report);
        case ReportFormat::trace:
            return render_trace(report);
    }
    return {};
}

std::vector<const Table*> tables_of(const Report& report) {
    std::vector<const Table*> tables;
    for (const ReportContent& section : report.sections) collect_tables(section.parts, tables);
    return tables;
}

const Table* find_table(const Report& report, std::string_view id) {
    for (const Table* table : tables_of(report))
        if (table->id == id) return table;
    return nullptr;
}

}  // namespace splitscope
