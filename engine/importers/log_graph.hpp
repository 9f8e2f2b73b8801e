// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/messages/message.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/support/generation.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// A logged graph as a graph and a machine. Logs hold no element types, shapes or strides, so tensors become
/// F32 rows of the logged size (which the program rounded down to KiB or MiB). Truncated names are completed
/// where the full name appears elsewhere in the log.
struct LogGraph {
    Graph graph;      ///< node i is the log's node i; a position the log does not print is a view operation
    Machine machine;  ///< the log's backends, with one buffer per backend for weights, caches and the rest
    RecordedSchedule recorded;                     ///< the logged backends and splits
    Generation generation = Generation::g2024_10;  ///< determined by the log's grammar
    std::vector<Message> remarks;                  ///< what the log lacks and was assumed
};

/// Throws Error(unsupported) if the log has split headers but no nodes, and Error(memory_bound) if the graph
/// and its schedule would take more than about `max_bytes`.
LogGraph graph_of_log(const LoggedGraph& logged, const LogFacts& facts,
                      std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace splitscope
