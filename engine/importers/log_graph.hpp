// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// A logged graph as a graph and a machine. A log holds no element types, no shapes and no strides, so
/// tensors are rows of F32 with as many bytes as printed (rounded down to KiB or MiB). Names are completed
/// where the log says them in full somewhere else.
struct LogGraph {
    Graph graph;      ///< node i is the log's node i; a position the log does not print is a view operation
    Machine machine;  ///< the log's backends, with one buffer per backend for weights, caches and the rest
    RecordedSchedule recorded;                     ///< where the log says the nodes are, and its splits
    Generation generation = Generation::g2024_10;  ///< told by the grammar
    std::vector<Message> remarks;                  ///< what the log does not say and had to be assumed
};

/// Throws Error(unsupported) when the log holds split headers but no nodes, and Error(memory_bound) when the
/// graph and its schedule would take more than about `most_bytes`.
LogGraph graph_of_log(const LoggedGraph& logged, const LogFacts& facts,
                      std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace splitscope
