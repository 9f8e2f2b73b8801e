// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/execution/bound_schedule.hpp"
#include "engine/execution/executor.hpp"
#include "engine/scheduler/scheduler.hpp"

namespace splitscope {

/// Computes graphs through a living scheduler, in the scheduler's own buffers (scheduler.md §8.2,
/// graph_compute). Between prepare() and compute() the caller sets the inputs.
class GraphComputer {
 public:
    using FindPreallocated = std::function<TensorPlace(const Graph& graph, TensorId tensor)>;

    /// `scheduler` must outlive the object; `preallocated` is asked for the tensors that name a buffer.
    GraphComputer(Scheduler& scheduler, FindPreallocated preallocated);

    /// Splits and allocates where the scheduler's state asks for it, and binds the result. An allocated
    /// scheduler keeps the graph it has. False when memory is lacking. Throws what the scheduler throws.
    bool prepare(std::shared_ptr<const Graph> graph);
    /// The graph prepared last, every tensor placed. Errors: state.
    const BoundGraph& graph() const { return bound().graph(); }
    /// Computes it and waits for all backends. A graph computed again is computed by plans, where its
    /// backends make them. Errors: state, and those of Executor::run.
    Execution compute(const ExecutorOptions& options = {}, const JobContext& job = {});

 private:
    const BoundSchedule& bound() const;

    Scheduler& scheduler_;
    FindPreallocated preallocated_;
    Executor executor_;
    std::shared_ptr<const AllocationPlan> plan_;  ///< the one that bound_ is about
    std::optional<BoundSchedule> bound_;
    std::optional<SplitPlans> plans_;  ///< of bound_
};

}  // namespace splitscope
