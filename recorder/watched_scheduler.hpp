// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recorder/channel_protocol.hpp"
#include "recorder/graph_snapshot.hpp"
#include "recorder/memory_guard.hpp"
#include "recorder/real_functions.hpp"

namespace splitscope::recorder {

class Agent;
using EvalCallback = bool(TensorPtr tensor, bool ask, void* user);

/// A graph with its memory, about to be computed.
struct BoundSnapshot {
    int number = -1;  ///< of the equivalent recorded graph
    GraphSnapshot snapshot;
    std::vector<RecordedSplit> splits;
};

/// One timed event of a computation. Tensors are numbered as in the recording.
struct TimedEvent {
    channel::EventKind kind{};
    std::int32_t first = -1;
    std::int32_t last = -1;
    std::int32_t split = -1;
    std::chrono::steady_clock::time_point start;
    std::chrono::nanoseconds took{};
    std::uint64_t bytes = 0;
};

/// A scheduler, its graph, and the computation in progress.
struct WatchedScheduler {
    Agent* agent = nullptr;
    Scheduler scheduler = nullptr;
    EvalCallback* own = nullptr;  ///< the program's
    void* own_user = nullptr;
    bool own_handler_is_set = false;
    std::optional<BoundSnapshot> graph;
    std::vector<bool> computes;      ///< per node: neither a view nor empty
    std::vector<int> split_of_node;  ///< empty if splits are unknown

    // The computation in progress.
    int depth = 0;
    std::uint64_t computation = 0;
    std::chrono::steady_clock::time_point started;
    bool observed = false;
    bool program_wants = false;   ///< the program's callback wants the last node
    bool debugger_wants = false;  ///< the debugger wants the last node
    MemoryGuard guard;            ///< for the last node, if the debugger requests it
    bool guarded = false;         ///< `guard` is set
    int asked = 0;                ///< callbacks with ask = true
    std::vector<int> order;       ///< per node: position in the order of callbacks, or -1
    std::vector<int> nodes_in_order;
    std::size_t step_end = 0;  ///< nodes asked when a step over a split ends; 0 = at the first split's end
    std::chrono::steady_clock::time_point part_start;
    std::optional<TimedEvent> open;  ///< until its backend has finished
    std::vector<TimedEvent> events;

    void set_graph(const Api& api, BoundSnapshot bound);
    /// Call when the scheduler was freed and its address is reused by a new one.
    void forget();
    /// -1 if the graph has no such node.
    int node_of(TensorPtr tensor) const;
    void expect_nodes();
    void note_asked(int node);
    /// The end of the current split, as a number of nodes; the end of the graph if splits are unknown.
    std::size_t next_split_end() const;
    bool split_ends() const;
    void close_part(std::chrono::steady_clock::time_point end);
};

}  // namespace splitscope::recorder
