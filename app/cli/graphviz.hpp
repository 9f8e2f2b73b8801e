// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include "engine/support/job.hpp"

namespace splitscope::cli {

/// Has Graphviz draw a graph: `format` is "svg" or "png". The program runs apart and is ended when the job is
/// stopped, the budget is used up or it writes more than kMostGraphvizOutput. Throws Error(io) when Graphviz
/// is not installed or fails, Error(limit) when it takes too long or writes too much, and Cancelled.
std::string draw_with_graphviz(const std::string& dot, const std::string& format, std::chrono::seconds budget,
                               const JobContext& job);

}  // namespace splitscope::cli
