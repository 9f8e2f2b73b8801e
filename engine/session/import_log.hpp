// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "engine/importers/scheduler_log.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The graph of a log to show by default: the last complete one with nodes, usually a decode graph. Throws
/// Error(bad_file) if the log has no graph and Error(unsupported) if none has nodes.
std::size_t main_graph_of(const SchedulerLog& log);

/// Opens one graph of a log with a machine that reproduces the logged decisions: operations that never ran on
/// an accelerator are assumed to be refused there, and remaining differences become assignments. Remarks list
/// the assumptions. Throws Error(usage) if the number is out of range, and Error(memory_bound) if the graph
/// exceeds the memory bound of the job.
std::shared_ptr<OpenedFile> open_logged_graph(const SchedulerLog& log, std::size_t number,
                                              const JobContext& job = {});

}  // namespace splitscope
