// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/reports/report.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// Contents and format of a report.
struct ReportChoice {
    QString format = QStringLiteral("html");  ///< "html", "pdf", "md", "json", "csv" or "trace"
    std::vector<std::string_view> sections = report_section_names();
    std::optional<Generation> compare;  ///< another generation to compare with
    bool show_path = false;             ///< the file's full path instead of its name
};

/// File suffix of a format: ".html", ".pdf", …
QString suffix_of(const QString& format);
/// Format for a file name, by suffix; default "html".
QString format_of(const QString& path);

/// Builds a report with the selected contents. `max_rows`: per table; empty = the format's default.
Report collect_report(const Analysis& analysis, const RunResult* run, const ReportChoice& choice,
                      std::optional<std::size_t> max_rows, const JobContext& job);

/// Writes the report atomically. Call on a worker. Throws Error and Cancelled.
void save_report(const std::filesystem::path& path, const Analysis& analysis, const RunResult* run,
                 const ReportChoice& choice, const JobContext& job);

}  // namespace splitscope::ui
