// SPDX-License-Identifier: MIT
#include "engine/reports/render.hpp"

#include <array>
#include <functional>

namespace splitscope {
namespace {

constexpr std::array kFormats = {ReportFormat::html, ReportFormat::markdown, ReportFormat::json,
                                 ReportFormat::csv, ReportFormat::trace};

void add_tables(const Report& report, ReportSection section, const std::function<void(const Table&)>& add) {
    switch (section) {
        case ReportSection::summary:
            for (const Table& table : report.summary_tables) add(table);
            break;
        case ReportSection::findings:
            add(report.findings);
            break;
        case ReportSection::suggestions:
            add(report.suggestions);
            break;
        case ReportSection::machine:
            for (const Table& table : report.machine_tables) add(table);
            break;
        case ReportSection::passes:
            add(report.pass_table);
            for (const ReportPass& pass : report.passes) {
                add(pass.causes);
                add(pass.table);
            }
            add(report.nodes);
            break;
        case ReportSection::splits:
            add(report.splits);
            add(report.copies);
            break;
        case ReportSection::buffers:
            add(report.buffer_table);
            for (const ReportBuffer& buffer : report.buffers) add(buffer.peak);
            break;
        case ReportSection::run:
            for (const ReportExecution& execution : report.run->executions) add(execution.splits);
            break;
        case ReportSection::comparison:
            add(report.comparison->figures);
            add(report.comparison->differences);
            break;
        case ReportSection::made_with:
            break;
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
    const auto add = [&](const Table& table) {
        if (!table.columns.empty()) tables.push_back(&table);
    };
    for (const ReportSection section : report.sections) add_tables(report, section, add);
    return tables;
}

}  // namespace splitscope
