// SPDX-License-Identifier: MIT
// Reports: report_text(analysis, format); render_csv(make_report(analysis), "splits") for one table;
// graph_dot(schedule) for Graphviz.
#pragma once

#include <string>

#include "engine/reports/graph_dot.hpp"
#include "engine/reports/render.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The report of 'splitscope report': schedule, splits, buffers, findings, a model's plan, and the run if
/// given. Throws Error(usage) for a trace without a run, and Cancelled.
std::string report_text(const Analysis& analysis, ReportFormat format, const RunResult* run = nullptr,
                        const JobContext& job = {});

}  // namespace splitscope
