// SPDX-License-Identifier: MIT
// The pictures of a report as inline SVG. Colours of text, lines and copies come from the page's style sheet.
#pragma once

#include <string>

#include "engine/reports/report.hpp"

namespace splitscope::figures {

/// What each device of a model must hold, beside what it has: a bar per device, each by its own scale.
std::string device_memory(const Report& report);

/// Splits as boxes in lanes, one lane per backend, in order from top to bottom; copies as arrows with their
/// bytes. At most `max_splits` are drawn.
std::string split_overview(const Report& report, std::size_t max_splits = 80);

/// Bytes in use over the node index, the peak marked, the backend of each node as a strip below.
std::string buffer_usage(const Report& report, const ReportBuffer& buffer);

/// Offset over node index: one rectangle per place that a tensor held. Small ones are left out of large
/// plans.
std::string memory_map(const Report& report, const ReportBuffer& buffer, std::size_t max_blocks = 1200);

/// Computing, copying and waiting over time, one lane per backend.
std::string execution_timeline(const Report& report, const ReportExecution& execution);

/// Colour of a backend, grey for none.
std::string_view colour_of(const Report& report, BackendId backend);
/// Name of a backend, "none" for none.
std::string_view name_of_backend(const Report& report, BackendId backend);

}  // namespace splitscope::figures
