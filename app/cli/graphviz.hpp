// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include "engine/support/job.hpp"

namespace splitscope::cli {

/// Draws a graph with Graphviz; `format` is "svg" or "png". Runs a separate process, which is terminated if
/// the job is stopped, the time limit is exceeded or it writes more than kMaxGraphvizBytes. Throws Error(io)
/// if Graphviz is missing or fails, Error(limit) if it exceeds time or output limit, and Cancelled.
std::string draw_with_graphviz(const std::string& dot, const std::string& format, std::chrono::seconds budget,
                               const JobContext& job);

}  // namespace splitscope::cli
