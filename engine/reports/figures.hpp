// SPDX-License-Identifier: MIT
// Figures of a report as inline SVG. Colours of text, lines and copies are defined by the page's style sheet.
#pragma once

#include <string>

#include "engine/reports/report.hpp"

namespace splitscope::figures {

/// Required against available memory of each device: one bar per device, each with its own scale.
std::string device_memory(const Report& report);

/// Splits as boxes in one lane per backend, in execution order from top to bottom, with copies as labelled
/// arrows. Draws at most `max_splits` splits.
std::string split_overview(const Report& report, std::size_t max_splits = 80);

/// Bytes in use over the node index, with the peak and a strip showing each node's backend.
std::string buffer_usage(const Report& report, const ReportBuffer& buffer);

/// Offset over node index, with one rectangle per placed tensor. Large plans omit small rectangles.
std::string memory_map(const Report& report, const ReportBuffer& buffer, std::size_t max_blocks = 1200);

/// Computation, copies and waits over time, one lane per backend.
std::string execution_timeline(const Report& report, const ReportExecution& execution);

/// Colour of a backend; grey if there is none.
std::string_view colour_of(const Report& report, BackendId backend);
/// Label of a backend; "none" if there is none.
std::string_view label_of_backend(const Report& report, BackendId backend);

}  // namespace splitscope::figures
