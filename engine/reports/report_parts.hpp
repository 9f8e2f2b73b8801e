// SPDX-License-Identifier: MIT
// The sections of a report, each in its own file.
#pragma once

#include "engine/reports/report.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::report_parts {

Table new_table(std::string id, std::string title, std::vector<Column> columns, const ReportOptions& options);

void add_summary(Report& report, const Analysis& analysis, const Summary& summary,
                 const ReportOptions& options);
void add_memory(Report& report, const ReportPlans& plans, const ReportOptions& options);
void add_provenance(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_machine(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_passes(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_splits(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_buffers(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_findings(Report& report, const Analysis& analysis, const ReportOptions& options);
void add_suggestions(Report& report, const Analysis& analysis, const Summary& summary,
                     const ReportOptions& options);
void add_comparison(Report& report, const ComparedGenerations& compared, const ReportOptions& options);
void add_run(Report& report, const Analysis& analysis, const RunResult& run, const ReportOptions& options);

/// A cell for an integer of any width; values out of range become floating-point.
Cell cell(std::uint64_t value);

}  // namespace splitscope::report_parts
