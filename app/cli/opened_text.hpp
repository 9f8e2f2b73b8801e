// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "app/cli/console.hpp"
#include "engine/formats/documents/import_json.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/replay_on_model.hpp"
#include "engine/session/session.hpp"

namespace splitscope::cli {

/// Prints the graphs of a log, recording or dump, and the remarks on the opened one.
void print_opened(Console& console, const OpenedFile& opened, std::size_t max_rows);

/// Prints the differences between the simulated schedule of a graph and the recorded one.
void print_compared(Console& console, const Schedule& ours, const RecordedComparison& compared,
                    std::size_t max_rows);

/// Prints the comparison of the recorded graph with the graph built from its model.
void print_replayed(Console& console, const ModelReplay& replay, std::size_t max_rows);

}  // namespace splitscope::cli
