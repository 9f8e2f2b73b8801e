// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/reports/report.hpp"

namespace splitscope {

enum class ReportFormat : std::uint8_t { html, markdown, json, csv, trace };

/// "html", "md", "json", "csv", "trace".
std::string_view name_of(ReportFormat format);
std::optional<ReportFormat> report_format_named(std::string_view name);
/// The format for a file name: .html .htm .md .json .csv, and .trace.json for a timeline.
std::optional<ReportFormat> report_format_of(const std::filesystem::path& path);

/// One self-contained page without external resources. All text from files is escaped.
std::string render_html(const Report& report);

/// Headings and tables in GitHub-flavoured Markdown.
std::string render_markdown(const Report& report);

/// Format "splitscope-report", version 1 (docs/file-formats.md): facts and tables with plain values, bytes
/// and nanoseconds as integers, null for empty cells.
std::string render_json(const Report& report);

/// Every table as a block: "# ID", header, rows, empty line. With `only`, just that table without its "#"
/// line. Throws Error(usage) with the available tables for an unknown id.
std::string render_csv(const Report& report, std::string_view only = {});

/// Trace-event JSON for Perfetto and chrome://tracing: one process per execution, one thread per backend.
/// Throws Error(usage) if the report has no run.
std::string render_trace(const Report& report);

/// Row limits for formats that people read; the others keep all rows.
ReportOptions options_for(ReportFormat format);

std::string render(const Report& report, ReportFormat format);

/// All tables of a report in order.
std::vector<const Table*> tables_of(const Report& report);
/// Null if the report has none with that id.
const Table* find_table(const Report& report, std::string_view id);

}  // namespace splitscope
