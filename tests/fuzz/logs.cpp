// SPDX-License-Identifier: MIT
// Logs of programs: nothing in one is an error.
#include "engine/importers/scheduler_log.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void scheduler_log(Bytes bytes) {
    const SchedulerLog log = parse_scheduler_log(text_of(bytes));
    for (const LoggedGraph& graph : log.graphs) {
        for (const LoggedSplit& split : graph.splits)
            require(split.first_node + split.node_count <= graph.nodes.size(), "splits refer to nodes");
        for (const LoggedNode& node : graph.nodes)
            require(node.first_source + node.source_count <= graph.sources.size(), "nodes refer to sources");
    }
    require(log.notes.size() <= SchedulerLog::kMaxNotes, "notes are bounded");
    is_scheduler_log(text_of(bytes));
}

}  // namespace splitscope::fuzz
