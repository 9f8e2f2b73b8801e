// SPDX-License-Identifier: MIT
// Common code of the report sections, each of which has its own file.
#pragma once

#include "engine/reports/report.hpp"

namespace splitscope::report_parts {

Table new_table(std::string id, std::string title, std::vector<Column> columns, const ReportOptions& options);

/// Required and available memory of each device, and key facts for the summary.
std::vector<Part> memory_parts(const ReportPlans& plans, const ReportOptions& options, Report& report,
                               std::vector<Fact>& first);

/// A cell for an integer of any width; values out of range become floating-point.
Cell cell(std::uint64_t value);

/// The English text, with labels for the names of backends.
std::string labelled(const Report& report, const Message& message);

/// "1,234".
std::string count_text(std::size_t count);

}  // namespace splitscope::report_parts
