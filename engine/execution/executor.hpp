// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/execution/execution.hpp"
#include "engine/execution/split_plans.hpp"
#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Asked for every node in order with ask = true ("do you want to see it?"), and with ask = false once a
/// wanted node has been computed. Answering false to an observation abandons the rest of its split
/// (scheduler.md §7.3).
using EvalCallback = std::function<bool(TensorId node, bool ask)>;

struct ExecutorOptions {
    EvalCallback callback;  ///< none: each split is computed in one go
    /// Wait for the backend after each split, so that the times of the record are those of the splits.
    bool time_splits = true;
    /// Time every node: by the device where it has a clock for that, else by computing them one by one.
    bool time_nodes = false;
    /// Plans of this bound schedule from earlier runs, to be used and added to; null: splits are computed
    /// without plans, as those are that a callback looks into or whose nodes are timed.
    SplitPlans* plans = nullptr;
    /// Return when everything is queued; the caller synchronises the backends. Nothing is timed then.
    bool leave_running = false;
};

/// Runs schedules on real backends: copies, splits, events (scheduler.md §7). Keeps the events of pipelined
/// runs between runs, so one executor serves one set of backends.
class Executor {
 public:
    /// `backends` in the order of the machine; they must outlive the executor. `n_copies` > 1 makes events.
    Executor(std::span<Backend* const> backends, int n_copies);

    /// Runs all splits of the schedule. `graph` is the schedule's view with every tensor placed. A stop
    /// request ends the run between splits or node ranges with Status::aborted. A status other than success
    /// ends the run, except in generation 2024-01, which ignores it. All backends are synchronised at the
    /// end, whatever it is, unless they are left running. Backend errors are thrown; errors: state, when the
    /// schedule ended with an error or does not suit the backends.
    Execution run(const Schedule& schedule, const BoundGraph& graph, const ExecutorOptions& options = {},
                  const JobContext& job = {});

 private:
    std::vector<Backend*> backends_;
    std::vector<std::vector<std::unique_ptr<Event>>> events_;  ///< [backend][copy]; empty without pipelining
};

}  // namespace splitscope
