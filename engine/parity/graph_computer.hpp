// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/execution/bound_schedule.hpp"
#include "engine/execution/executor.hpp"
#include "engine/parity/scheduler.hpp"

namespace splitscope {

/// Computes graphs with a persistent scheduler and its buffers (scheduler.md §8.2, graph_compute). Set the
/// inputs between prepare() and compute().
class GraphComputer {
 public:
    using FindPreallocated = std::function<TensorPlace(const Graph& graph, TensorId tensor)>;

    /// `scheduler` must outlive the object; `preallocated` is called for tensors that name a buffer.
    GraphComputer(Scheduler& scheduler, FindPreallocated preallocated);

    /// Splits and allocates if the scheduler's state requires it, and binds the result. A scheduler that is
    /// already allocated keeps its graph. False if memory is exhausted. Throws what the scheduler throws.
    bool prepare(std::shared_ptr<const Graph> graph);
    /// The last prepared graph, with every tensor placed. Errors: state.
    const BoundGraph& graph() const { return bound().graph(); }
    /// Computes the graph and waits for all backends. From the second time on, backends that support plans
    /// use them. Errors: state, and those of Executor::run.
    Execution compute(const ExecutorOptions& options = {}, const JobContext& job = {});

 private:
    const BoundSchedule& bound() const;

    Scheduler& scheduler_;
    FindPreallocated preallocated_;
    Executor executor_;
    std::shared_ptr<const AllocationPlan> plan_;  ///< the plan of bound_
    std::optional<BoundSchedule> bound_;
    std::optional<SplitPlans> plans_;  ///< of bound_
};

}  // namespace splitscope
