// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// Plans of the splits of one bound schedule (backend-api.md §4). A plan is made ahead where the backend
/// prefers that, else when a split is computed for the second time, so that a prompt that runs once does not
/// pay for it. The schedule, its buffers and the backends must outlive the object and must not change.
class SplitPlans {
 public:
    /// Makes the plan of a split if its backend prefers to have it before the first computation.
    void prepare(SplitId split, Backend& backend, const BoundGraph& graph, std::span<const TensorId> nodes);
    /// Computes all nodes of a split. Throws what the backend throws.
    Status compute(SplitId split, Backend& backend, const BoundGraph& graph, std::span<const TensorId> nodes);

    std::size_t made() const { return made_; }
    std::size_t computed() const { return computed_; }  ///< number of computations by a plan

 private:
    struct Entry {
        bool computed = false;
        std::unique_ptr<GraphPlan> plan;
    };

    Entry& entry_of(SplitId split);
    /// None if there is no memory for it, as a plan may have a work buffer of its own.
    void make(Entry& entry, Backend& backend, const BoundGraph& graph, std::span<const TensorId> nodes);

    std::vector<Entry> entries_;  ///< by split
    std::size_t made_ = 0;
    std::size_t computed_ = 0;
};

}  // namespace splitscope
