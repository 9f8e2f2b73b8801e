// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// Decisions on each tensor of a schedule's graph, in order, without those on copies.
class DecisionsByTensor {
 public:
    /// Throws Cancelled through `stop_check`.
    DecisionsByTensor(const Schedule& schedule, StopCheck& stop_check);

    /// Indices into the schedule's decisions.
    std::span<const std::size_t> of(TensorId tensor) const {
        const std::size_t begin = begin_[tensor.index()];
        return std::span(indices_).subspan(begin, begin_[tensor.index() + 1] - begin);
    }

 private:
    std::vector<std::size_t> begin_;  ///< per tensor, into indices_; one more at the end
    std::vector<std::size_t> indices_;
};

}  // namespace splitscope
