// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "engine/reports/report.hpp"
#include "engine/support/job.hpp"

namespace splitscope::ui {

/// What a report holds and how it is written.
struct ReportChoice {
    QString format = QStringLiteral("html");  ///< "html", "pdf", "md", "json", "csv" or "trace"
    std::vector<ReportSection> sections{kReportSections.begin(), kReportSections.end()};
    std::optional<Generation> compare;  ///< another generation set beside
    bool show_path = false;             ///< the file's whole path instead of its name
};

/// ".html", ".pdf", …; what the name of such a file ends with.
QString suffix_of(const QString& format);
/// By the end of a file's name; "html" for any other.
QString format_of(const QString& path);

/// Collects what was chosen. `max_rows`: rows kept per table; none = as the format keeps them.
Report collect_report(const Analysis& analysis, const RunResult* run, const ReportChoice& choice,
                      std::optional<std::size_t> max_rows, const JobContext& job);

/// Writes the file atomically: one that is there is replaced at the end or not at all. For workers. Throws
/// Error and Cancelled.
void save_report(const std::filesystem::path& path, const Analysis& analysis, const RunResult* run,
                 const ReportChoice& choice, const JobContext& job);

}  // namespace splitscope::ui
