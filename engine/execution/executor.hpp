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

/// Called for every node in order with ask = true (is this node wanted?), and with ask = false after a wanted
/// node has been computed. Returning false to the latter skips the rest of the split (scheduler.md §7.3).
using EvalCallback = std::function<bool(TensorId node, bool ask)>;

/// A tensor to be read when a run has ended.
struct WantedTensor {
    TensorId tensor;
    std::span<std::byte> bytes;  ///< byte_size() of the tensor
};

struct ExecutorOptions {
    EvalCallback callback;  ///< empty: each split is computed in one call
    /// Synchronise with the backend after each split, so that recorded times belong to the splits.
    bool time_splits = true;
    /// Time every node: with the device's clock if it has one, else by computing nodes one by one.
    bool time_nodes = false;
    /// Plans of this bound schedule from earlier runs, which are used and extended. Null: compute without
    /// plans. Splits with a callback or with timed nodes never use plans.
    SplitPlans* plans = nullptr;
    /// Return when everything is queued; the caller synchronises the backends. Nothing is timed.
    bool leave_running = false;
    /// Allow backends to compute several nodes with one kernel: only outputs and results that other kernels
    /// read are in memory afterwards. No effect with a callback or timed nodes.
    bool fuse = false;
    /// Tensors to read at the end of a successful run; backends may do so within the submission that computes
    /// them. Not with leave_running.
    std::span<const WantedTensor> wanted{};
};

/// Runs schedules on real backends: copies, splits, events (scheduler.md §7). Keeps the events of pipelined
/// schedules between runs, so an executor belongs to one set of backends.
class Executor {
 public:
    /// `backends` in machine order; they must outlive the executor. Creates events if `n_copies` > 1.
    Executor(std::span<Backend* const> backends, int n_copies);

    /// Does the setup of the first run with `options.plans` and `options.wanted` ahead of time. Returns early
    /// on a stop request. Throws errors of the backends, except for a lack of memory: the run may need less.
    void prepare(const Schedule& schedule, const BoundGraph& graph, const ExecutorOptions& options,
                 const JobContext& job = {});

    /// Runs all splits of the schedule. `graph` is the schedule's view with every tensor placed. A stop
    /// request ends the run between splits or node ranges with Status::aborted. Any status but success ends
    /// the run, except in generation 2024-01, which ignores it. All backends are synchronised on return and
    /// on exceptions, unless `leave_running` is set. Throws errors of the backends, and Error(state) if the
    /// schedule has an error or does not match the backends.
    Execution run(const Schedule& schedule, const BoundGraph& graph, const ExecutorOptions& options = {},
                  const JobContext& job = {});

 private:
    std::vector<Backend*> backends_;
    std::vector<std::vector<std::unique_ptr<Event>>> events_;  ///< [backend][copy]; empty without pipelining
};

}  // namespace splitscope
