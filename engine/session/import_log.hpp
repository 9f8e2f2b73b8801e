// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "engine/importers/scheduler_log.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The graph of a log that is shown first: the last one with nodes, usually a decoding step. Throws
/// Error(bad_file) when the log holds no graph and Error(unsupported) when none has nodes.
std::size_t main_graph_of(const SchedulerLog& log);

/// One graph of a log with a machine on which our scheduler decides what the log says: operations that never
/// ran on an accelerator are taken to be refused there, and what still differs is assigned as logged. Remarks
/// say what had to be assumed. Throws Error(usage) when there is no such graph, and
/// Error(memory_bound) when it would take more memory than the job allows for the log.
std::shared_ptr<OpenedFile> open_logged_graph(const SchedulerLog& log, std::size_t number,
                                              const JobContext& job = {});

}  // namespace splitscope
