// SPDX-License-Identifier: MIT
// What the sections of a report have in common; each is made in a file of its own.
#pragma once

#include "engine/reports/report.hpp"

namespace splitscope::report_parts {

Table new_table(std::string id, std::string title, std::vector<Column> columns, const ReportOptions& options);

/// What each device must hold, beside what it has, and the facts that are wanted first: for the summary.
std::vector<Part> memory_parts(const ReportPlans& plans, const ReportOptions& options, Report& report,
                               std::vector<Fact>& first);

/// A cell for an integer of any width; values out of range become floating-point.
Cell cell(std::uint64_t value);

/// "1,234".
std::string count_text(std::size_t count);

}  // namespace splitscope::report_parts
