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
/// What a file name asks for: .html .htm .md .json .csv, and .trace.json for a timeline.
std::optional<ReportFormat> report_format_of(const std::filesystem::path& path);

/// One self-contained page: style, script and pictures are inside, nothing is loaded from anywhere. Every
/// text that comes from a file is escaped.
std::string render_html(const Report& report);

/// Headings and tables in GitHub's flavour of Markdown.
std::string render_markdown(const Report& report);

/// Format "splitscope-report", version 1 (docs/file-formats.md): facts and tables; cells are plain values,
/// bytes and nanoseconds as integers, null for nothing.
std::string render_json(const Report& report);

/// Every table as a block: a line "# ID", the header, the rows, an empty line. With `only`, that table alone
/// without its "#" line. Throws Error(usage) naming the known tables when there is none of that id.
std::string render_csv(const Report& report, std::string_view only = {});

/// Trace-event JSON that Perfetto and chrome://tracing open: a process per execution, a thread per backend.
/// Throws Error(usage) when the report has no run.
std::string render_trace(const Report& report);

/// Rows kept per table where a person reads them; the other formats keep all.
ReportOptions options_for(ReportFormat format);

std::string render(const Report& report, ReportFormat format);

/// All tables of a report in order.
std::vector<const Table*> tables_of(const Report& report);

}  // namespace splitscope
