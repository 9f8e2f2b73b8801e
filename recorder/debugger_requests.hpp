// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "recorder/channel_protocol.hpp"
#include "recorder/stop_plan.hpp"
#include "recorder/watched_scheduler.hpp"

namespace splitscope::recorder {

/// Why to pause.
struct StopCause {
    channel::PauseReason why{};
    std::uint32_t breakpoint = 0;  ///< for PauseReason::breakpoint
};

/// The debugger's requests: breakpoints, how far to run, and timing.
class DebuggerRequests {
 public:
    enum class Taken : std::uint8_t {
        no,  ///< not an order
        yes,
        resume,  ///< the program is to continue
        malformed,
    };
    /// `paused` is null while the program runs.
    Taken take(const channel::Frame& message, WatchedScheduler* paused);
    /// Call when the debugger has disconnected.
    void clear();

    std::uint32_t epoch() const { return epoch_; }
    /// Whether the debugger has breakpoints but has not yet sent the nodes of the graph that they match.
    bool lacks_plan(const WatchedScheduler& w);
    /// Whether a computation must be observed node by node.
    bool observe(const WatchedScheduler& w) const;
    bool stops_before_graph() const { return run_to_ == channel::RunTo::next_graph; }
    bool wants(const WatchedScheduler& w, int node) const;
    /// Whether to look for stray writes of the wanted nodes.
    bool guards() const { return guards_; }
    /// Counts hits. `meets` checks a breakpoint's condition on the node's values. Breakpoints in `counted`
    /// have been counted at this node; those counted now are added.
    std::optional<StopCause> cause_after(const WatchedScheduler& w, int node,
                                         const std::function<bool(const StopRule&)>& meets,
                                         std::vector<std::uint32_t>& counted);
    /// Whether the program is to run to the next breakpoint, wherever that is.
    bool runs_freely() const { return run_to_ == channel::RunTo::breakpoint && !pausing_; }
    std::uint64_t hits(std::uint32_t breakpoint) const;
    /// The program has paused: clears requests to run up to a point.
    void note_pause();

 private:
    const StopPlan* plan_of(const WatchedScheduler& w) const;
    bool is_target(const WatchedScheduler& w, int node) const;

    std::map<int, StopPlan> plans_;
    std::unordered_map<std::uint32_t, std::uint64_t> hits_;
    std::uint32_t epoch_ = 0;
    channel::Times times_ = channel::Times::calls;
    bool pausing_ = false;
    bool guards_ = false;
    channel::RunTo run_to_ = channel::RunTo::breakpoint;
    std::int32_t target_graph_ = -1;
    std::int32_t target_node_ = -1;
};

}  // namespace splitscope::recorder
